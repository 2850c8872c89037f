// Readers of events over WebSocket: connections that each subscribe to some players. They run in a process of their own, check that
// every player's events come in order, and record when some of them arrived.
import { setTimeout as sleep } from 'node:timers/promises';
import { BenchFailed } from '../bench-failed.js';
import { FAILURE_LENGTH_MAX, READERS_DEADLINE_MS, READERS_OPENING_MAX, READERS_QUIET_MS } from '../limits.js';
import { sharedNowMs } from '../processes/child-measurement.js';
import { ADMIN_KEY } from '../servers/galaxyd-world.js';
import { forEachAtOnce, GameClient } from '../servers/game-client.js';
import { instantsIn, listOf, type PlanetInstants } from './call-loops.js';
import { jsonFrame, OPCODES, WebSocketConnection } from './frames.js';

export interface Subscription {
  /** Index of the player in the run. */
  readonly index: number;
  readonly playerId: string;
  /** Seq of the last event that it has. */
  readonly since: number;
}

export interface ReadersTask {
  readonly url: string;
  /** The process that takes the commands; it knows how many events there are. */
  readonly leaderUrl: string;
  /** One list for each connection. */
  readonly connections: readonly (readonly Subscription[])[];
  /** Whether they read what comes after they have subscribed. */
  readonly isReading: boolean;
  /** The arrivals of events are recorded for one player in this many. */
  readonly keptOneIn: number;
}

export interface ReadersResult {
  /** Time from the first connection until every subscription was answered. */
  readonly subscribedMs: number;
  /** Time from the first connection until all events had come that the answers announced. */
  readonly caughtUpMs: number;
  /** Events that came until then. */
  readonly resumedCount: number;
  /** Events that came afterwards. */
  readonly eventCount: number;
  /** Rate from the first event to the last. */
  readonly eventsPerSecond: number;
  /** Events whose seq did not follow the one before. */
  readonly misplaced: number;
  /** Events by which readers differ from what the server reports at the end. */
  readonly behind: number;
  /** Connections that the server closed. */
  readonly cutOff: number;
  /** Seq of the last event of each player, with the index of the player. */
  readonly positions: readonly (readonly [index: number, seq: number])[];
  readonly arrivals: readonly PlanetInstants[];
}

const EVENT_HEAD = Buffer.from('{"op":"event","seq":');
const OP_LETTER_AT = 7;
const LETTER_E = 'e'.charCodeAt(0);
const LETTER_V = 'v'.charCodeAt(0);
const PLAYER_ID = Buffer.from('"playerId":"player-');
const ZERO = '0'.charCodeAt(0);
const NINE = '9'.charCodeAt(0);
/** Subscriptions of one connection that wait for their answers. */
const SUBSCRIBES_IN_FLIGHT = 100;

/** @param report called once every subscription was answered and has caught up; or, if they do not read, was sent */
export async function measure(
  task: ReadersTask,
  report: (text: string) => void,
  finish: AbortSignal,
): Promise<ReadersResult> {
  const readers = new EventReaders(task);
  await readers.open();
  report('ready');
  while (!finish.aborted) await sleep(READERS_QUIET_MS, undefined, { signal: finish }).catch(() => {});
  const behind = await readers.catchUp();
  readers.close();
  return readers.result(behind);
}

class EventReaders {
  readonly #task: ReadersTask;
  readonly #connections: WebSocketConnection[] = [];
  /** Indexed by the number of the player. */
  readonly #indexes: number[] = [];
  /** The seq of the last event of each player, by the index of the player. */
  readonly #positions = new Map<number, number>();
  /** Events that the answers announced and that have not come yet. */
  #announced = 0;
  #unanswered: number;
  #onReady: () => void = () => {};
  #isReady = false;
  #startMs = 0;
  readonly #counts = { subscribedMs: 0, caughtUpMs: 0, resumedCount: 0, eventCount: 0, misplaced: 0, cutOff: 0 };
  #firstEventMs = 0;
  #lastEventMs = 0;
  #firstFailure: string | undefined;
  readonly #arrivals = new Map<number, number[]>();
  /** When the present read from the socket began; 0 between two reads. */
  #nowMs = 0;

  constructor(task: ReadersTask) {
    this.#task = task;
    this.#unanswered = task.isReading ? task.connections.flat().length : 0;
    for (const { index, playerId, since } of task.connections.flat()) {
      this.#indexes[numberOf(playerId)] = index;
      this.#positions.set(index, since);
    }
  }

  /** Opens READERS_OPENING_MAX connections at a time. @throws BenchFailed if not all are ready after READERS_DEADLINE_MS */
  async open(): Promise<void> {
    this.#startMs = sharedNowMs();
    const ready = new Promise<void>((resolve) => {
      this.#onReady = resolve;
    });
    await forEachAtOnce(this.#task.connections, (one) => this.#connect(one), READERS_OPENING_MAX);
    if (!this.#task.isReading) return;
    const deadline = sleep(READERS_DEADLINE_MS, 'late', { ref: false });
    if ((await Promise.race([ready, deadline])) === 'late')
      throw new BenchFailed(
        `readers are not ready: ${this.#unanswered} subscriptions unanswered, ${this.#announced} events missing; ${this.#firstFailure ?? 'no error'}`,
      );
  }

  /** Waits until the readers have all events, or no more come. @returns how many events they differ by */
  async catchUp(): Promise<number> {
    if (!this.#task.isReading) return 0;
    for (let seen = -1; ; ) {
      const behind = await this.#behind();
      if (behind === 0 || seen === this.#counts.eventCount) return behind;
      seen = this.#counts.eventCount;
      await sleep(READERS_QUIET_MS);
    }
  }

  async #behind(): Promise<number> {
    const client = new GameClient(this.#task.leaderUrl, ADMIN_KEY);
    const differences = await forEachAtOnce(this.#task.connections.flat(), async ({ index, playerId }) => {
      return Math.abs((await client.lastEventSeq(playerId)) - (this.#positions.get(index) ?? 0));
    });
    return differences.reduce((sum, count) => sum + count, 0);
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  result(behind: number): ReadersResult {
    const seconds = (this.#lastEventMs - this.#firstEventMs) / 1_000;
    return {
      ...this.#counts,
      behind,
      eventsPerSecond: seconds > 0 ? this.#counts.eventCount / seconds : 0,
      positions: [...this.#positions],
      arrivals: instantsIn(this.#arrivals),
    };
  }

  async #connect(subscriptions: readonly Subscription[]): Promise<void> {
    const frames = subscriptions.map(({ playerId, since }) => jsonFrame({ op: 'subscribe', playerId, since }));
    const connection = new WebSocketConnection(this.#task.url, {
      onFrame: (opcode, bytes, start, end) => {
        const isAnswer = this.#take(opcode, bytes, start, end);
        const next = isAnswer ? frames.shift() : undefined;
        if (next !== undefined) connection.write(next);
      },
      onRead: () => {
        this.#nowMs = 0;
      },
      onClose: (reason) => {
        this.#counts.cutOff += 1;
        this.#failed(reason);
      },
    });
    this.#connections.push(connection);
    await connection.ready.catch(() => {});
    connection.write(Buffer.concat(frames.splice(0, SUBSCRIBES_IN_FLIGHT)));
    if (!this.#task.isReading) connection.pause();
  }

  /** @returns whether it is the answer to a subscription */
  #take(opcode: number, bytes: Buffer, start: number, end: number): boolean {
    if (this.#nowMs === 0) this.#nowMs = sharedNowMs();
    const letter = start + OP_LETTER_AT;
    if (opcode !== OPCODES.text) this.#failed(`a frame with opcode ${opcode}`);
    else if (bytes[letter] === LETTER_E && bytes[letter + 1] === LETTER_V) this.#takeEvent(bytes, start, end);
    else return this.#takeAnswer(bytes.toString('utf8', start, end));
    return false;
  }

  #takeEvent(bytes: Buffer, start: number, end: number): void {
    const playerAt = bytes.indexOf(PLAYER_ID, start);
    const index = this.#indexes[wholeNumberAt(bytes, playerAt + PLAYER_ID.length)];
    if (playerAt < 0 || playerAt > end || index === undefined) {
      this.#failed(bytes.toString('utf8', start, end));
      return;
    }
    const seq = wholeNumberAt(bytes, start + EVENT_HEAD.length);
    const position = this.#positions.get(index) ?? 0;
    if (seq !== position + 1) {
      this.#counts.misplaced += 1;
      this.#failed(`after ${position}: ${bytes.toString('utf8', start, end)}`);
    }
    this.#positions.set(index, seq);
    if (this.#isReady) this.#count(index);
    else {
      this.#counts.resumedCount += 1;
      this.#announced -= 1;
      this.#checkReady();
    }
  }

  #count(index: number): void {
    if (this.#counts.eventCount === 0) this.#firstEventMs = this.#nowMs;
    this.#lastEventMs = this.#nowMs;
    this.#counts.eventCount += 1;
    if (index % this.#task.keptOneIn === 0) listOf(this.#arrivals, index).push(this.#nowMs);
  }

  /** @returns whether it answers a subscription */
  #takeAnswer(text: string): boolean {
    const { op, playerId = '', lastSeq = 0 } = JSON.parse(text) as { op: string; playerId?: string; lastSeq?: number };
    if (op !== 'subscribed') {
      if (op !== 'welcome') this.#failed(text);
      return false;
    }
    this.#announced += lastSeq - (this.#positions.get(this.#indexes[numberOf(playerId)] ?? -1) ?? 0);
    this.#unanswered -= 1;
    if (this.#unanswered === 0) this.#counts.subscribedMs = this.#nowMs - this.#startMs;
    this.#checkReady();
    return true;
  }

  #checkReady(): void {
    if (this.#isReady || this.#unanswered > 0 || this.#announced > 0) return;
    this.#isReady = true;
    this.#counts.caughtUpMs = this.#nowMs - this.#startMs;
    this.#onReady();
  }

  #failed(text: string): void {
    this.#firstFailure ??= text.slice(0, FAILURE_LENGTH_MAX);
  }
}

function numberOf(playerId: string): number {
  return Number(playerId.slice('player-'.length));
}

function wholeNumberAt(bytes: Buffer, at: number): number {
  let value = 0;
  for (let place = at; ; place += 1) {
    const digit = bytes[place] as number;
    if (!(digit >= ZERO && digit <= NINE)) return value;
    value = value * 10 + digit - ZERO;
  }
}
