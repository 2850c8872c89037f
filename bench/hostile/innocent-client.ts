// The innocent client: a player, not a load. It reads its state over one kept-alive connection and gives commands over
// another, each time with a pause after the reply, and reports how long it waited.
import { setTimeout as sleep } from 'node:timers/promises';
import { INNOCENT_GRACE_MS, INNOCENT_PAUSE_MS, INNOCENT_WARM_UP_MS, LARGE_BATCH_EVERY_MS } from '../limits.js';
import { LoadConnection, type Reply } from '../loads/load-connection.js';
import { quantile } from '../runner/statistics.js';
import { cancelOf, type LoadRequest } from '../servers/game-client.js';

export interface InnocentTask {
  readonly url: string;
  /** How long it plays after the warm-up. */
  readonly seconds: number;
  /** What it reads. */
  readonly read: LoadRequest;
  /** Upgrades that it begins and cancels; the next one after each failure. */
  readonly upgrades: readonly LoadRequest[];
  /** Sent every LARGE_BATCH_EVERY_MS, if given. */
  readonly largeBatch?: LoadRequest;
}

/** How long requests of one kind waited for their replies. There is one sample at least. */
export interface Waits {
  readonly samples: number;
  /** Replies with another status than 2xx, broken connections, and replies that never came. */
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export interface InnocentResult {
  readonly read: Waits;
  readonly command: Waits;
  readonly largeBatch?: Waits;
}

/** Decides what is sent next. @param last the reply to the request before; undefined if there was none */
type NextRequest = (last: Reply | undefined) => LoadRequest;

/** Plays through the warm-up and the seconds of a task, and waits INNOCENT_GRACE_MS for what is then still unanswered. */
export async function measure(task: InnocentTask): Promise<InnocentResult> {
  const startedMs = performance.now();
  const countedFromMs = startedMs + INNOCENT_WARM_UP_MS;
  const period = { countedFromMs, endMs: countedFromMs + task.seconds * 1000 };
  const { url, largeBatch } = task;
  const [read, command, large] = await Promise.all([
    play(url, period, INNOCENT_PAUSE_MS, () => task.read),
    play(url, period, INNOCENT_PAUSE_MS, upgradesAndCancels(task.upgrades)),
    largeBatch === undefined ? undefined : play(url, period, LARGE_BATCH_EVERY_MS, () => largeBatch),
  ]);
  return { read, command, ...(large === undefined ? {} : { largeBatch: large }) };
}

/** Begins an upgrade and cancels it, for ever: each is a durable command, and none depends on room in the universe. */
export function upgradesAndCancels(upgrades: readonly LoadRequest[]): NextRequest {
  let turn = 0;
  let isFirst = true;
  return (last) => {
    const begun = upgrades[turn % upgrades.length] as LoadRequest;
    const cancel = last !== undefined && isSuccess(last) ? cancelOf(last.body.toString(), begun.headers) : undefined;
    if (cancel !== undefined) return cancel;
    // After a failure it is unknown what is under way on the planet.
    if (!isFirst && (last === undefined || !isSuccess(last))) turn += 1;
    isFirst = false;
    return upgrades[turn % upgrades.length] as LoadRequest;
  };
}

interface Period {
  /** Replies that come before are left out. */
  readonly countedFromMs: number;
  readonly endMs: number;
}

async function play(url: string, { countedFromMs, endMs }: Period, pauseMs: number, next: NextRequest): Promise<Waits> {
  const connection = new LoadConnection(url, new Map());
  const waits: number[] = [];
  let failures = 0;
  let reply: Reply | undefined;
  let nowMs = performance.now();
  // However busy the machine is, one request is measured.
  while (nowMs < endMs || waits.length === 0) {
    const sentMs = nowMs;
    reply = await answered(connection, next(reply), Math.max(0, endMs - sentMs) + INNOCENT_GRACE_MS);
    nowMs = performance.now();
    if (nowMs >= countedFromMs) {
      waits.push(nowMs - sentMs);
      if (reply === undefined || !isSuccess(reply)) failures += 1;
    }
    await sleep(pauseMs);
    nowMs = performance.now();
  }
  connection.close();
  return waitsOf(waits, failures);
}

/** @returns undefined if the connection broke or the reply did not come in time */
function answered(connection: LoadConnection, request: LoadRequest, timeoutMs: number): Promise<Reply | undefined> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => resolve(undefined), timeoutMs);
    connection.send(request, (reply) => {
      clearTimeout(deadline);
      // The bytes of a body are only valid during the call.
      resolve(reply && { status: reply.status, body: Buffer.from(reply.body) });
    });
  });
}

function isSuccess({ status }: Reply): boolean {
  return status >= 200 && status < 300;
}

function waitsOf(waits: readonly number[], failures: number): Waits {
  const [p50Ms, p99Ms, maxMs] = [0.5, 0.99, 1].map((share) => quantile(waits, share)) as [number, number, number];
  return { samples: waits.length, failures, p50Ms, p99Ms, maxMs };
}
