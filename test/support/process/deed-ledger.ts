// The requests of clients and their replies, compared with the log that a dead process left behind. It takes the side
// of the clients: an acknowledged deed that is not in the log is a fault.
import { randomUUID } from 'node:crypto';
import { type Client, NoReply, type Reply } from './client.js';
import type { Deed, LoggedDeed } from './deeds.js';

/** A request and its fate; the counts come from one counter, so that they give an order. */
export interface Attempt {
  readonly deed: Deed;
  /** A request with a key can be repeated until it is answered; '' for none. */
  readonly idempotencyKey: string;
  /** When it was sent for the first time. */
  readonly sentCount: number;
  fate: 'unknown' | 'refused' | 'acknowledged';
  answeredCount: number;
  /**
   * World time in the reply of an acknowledged one; null if the reply was a replay, which does not contain that time.
   */
  toldAt: string | null;
  toldOutcome: string;
}

/** The number of attempts by fate. */
export interface Tally {
  readonly acknowledged: number;
  readonly refused: number;
  readonly unknown: number;
  /** Requests that were repeated because no reply had come, and among them those that had taken effect already. */
  readonly repeated: number;
  readonly replayed: number;
}

export interface Comparison {
  readonly faults: readonly string[];
  /** Deeds of the log whose clients got no reply. */
  readonly unanswered: readonly LoggedDeed[];
}

/** The beginnings of the sentences that report the two worst faults. */
export const LOST = 'acknowledged and not in the log';
export const UNASKED = 'in the log, but never requested, or refused, or more often than requested';

export class DeedLedger {
  readonly #attempts: Attempt[] = [];
  /** Ids that replies to reads have shown: queue entries and fleets. */
  readonly #seen = new Set<string>();
  #count = 0;
  #acknowledgedCount = 0;
  #repeatedCount = 0;
  #replayedCount = 0;

  /** Deeds acknowledged so far. */
  get acknowledgedCount(): number {
    return this.#acknowledgedCount;
  }

  tally(): Tally {
    const of = (fate: Attempt['fate']): number => this.#with(fate).length;
    return {
      acknowledged: of('acknowledged'),
      refused: of('refused'),
      unknown: of('unknown'),
      repeated: this.#repeatedCount,
      replayed: this.#replayedCount,
    };
  }

  /** Records a request that is about to be sent. */
  begin(deed: Deed, isRepeatable: boolean): Attempt {
    const attempt: Attempt = {
      deed,
      idempotencyKey: isRepeatable ? randomUUID() : '',
      sentCount: this.#next(),
      fate: 'unknown',
      answeredCount: 0,
      toldAt: null,
      toldOutcome: '',
    };
    this.#attempts.push(attempt);
    return attempt;
  }

  /**
   * Sends a request for the first time, or repeats it with its key, and records its fate.
   *
   * @returns the reply, of any status; null if none came
   * @throws Error on 500: it leaves unknown whether the deed was done, and no client may get one
   */
  async send(client: Pick<Client, 'post'>, attempt: Attempt, isAgain = false): Promise<Reply<unknown> | null> {
    const { deed, idempotencyKey } = attempt;
    if (isAgain) this.#repeatedCount += 1;
    let reply: Reply<unknown>;
    try {
      reply = await client.post(deed.path, deed.body, idempotencyKey);
    } catch (error) {
      if (error instanceof NoReply) return null;
      throw error;
    }
    attempt.answeredCount = this.#next();
    if (reply.status === 500) throw new Error(`${deed.request}: ${reply.status} ${JSON.stringify(reply.body)}`);
    const isReplayed = reply.headers['idempotency-replayed'] === 'true';
    if (isReplayed && !isAgain) throw new Error(`${deed.request}: the reply to another request`);
    const outcome = reply.status < 300 ? deed.outcome(reply.status, reply.body) : null;
    attempt.fate = outcome === null ? 'refused' : 'acknowledged';
    if (outcome !== null) {
      attempt.toldAt = isReplayed ? null : String(reply.headers['x-world-time']);
      attempt.toldOutcome = outcome;
      this.#acknowledgedCount += 1;
    }
    if (isReplayed) this.#replayedCount += 1;
    return reply;
  }

  /** Records an id that a read has shown; from then on it must not vanish. */
  saw(id: string): void {
    this.#seen.add(id);
  }

  /**
   * Compares everything with a log.
   *
   * @param logged the deeds of the log in order
   * @returns the faults, a sentence each, and the deeds in the log whose clients got no reply
   */
  compare(logged: readonly LoggedDeed[]): Comparison {
    const entries = new Map<string, LoggedDeed[]>();
    for (const deed of logged) addTo(entries, deed.request, deed);
    const faults: string[] = [];
    const order: { attempt: Attempt; seq: number }[] = [];
    for (const attempt of this.#with('acknowledged')) {
      const { deed, toldAt, toldOutcome } = attempt;
      const isIt = ({ atMs, outcome }: LoggedDeed): boolean =>
        outcome === toldOutcome && (toldAt === null || toldAt === isoText(atMs));
      const entry = takeFirst(entries.get(deed.request), isIt);
      if (entry !== undefined) order.push({ attempt, seq: entry.seq });
      else faults.push(`${LOST}: ${deed.request} at ${toldAt ?? 'some time'} → ${toldOutcome}`);
    }
    const unanswered = this.#with('unknown').flatMap(
      ({ deed }) => takeFirst(entries.get(deed.request), () => true) ?? [],
    );
    for (const left of [...entries.values()].flat()) {
      faults.push(`${UNASKED} at seq ${left.seq}: ${left.request}`);
    }
    const made = new Set(logged.flatMap(({ outcome }) => outcome.match(/\b(queue|fleet)-\d+/g) ?? []));
    for (const id of this.#seen) if (!made.has(id)) faults.push(`shown to a reader and not in the log: ${id}`);
    return { faults: [...faults, ...disorder(order)], unanswered };
  }

  #with(fate: Attempt['fate']): Attempt[] {
    return this.#attempts.filter((attempt) => attempt.fate === fate);
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }
}

/** A deed that was answered before another was sent comes before it in the log. */
function disorder(order: { attempt: Attempt; seq: number }[]): string[] {
  const faults: string[] = [];
  let lastSent = 0;
  for (const { attempt, seq } of order.sort((a, b) => a.seq - b.seq)) {
    if (attempt.answeredCount < lastSent) faults.push(`out of order at seq ${seq}: ${attempt.deed.request}`);
    lastSent = Math.max(lastSent, attempt.sentCount);
  }
  return faults;
}

const isoText = (atMs: number): string => new Date(atMs).toISOString();

function addTo(entries: Map<string, LoggedDeed[]>, request: string, deed: LoggedDeed): void {
  const list = entries.get(request);
  if (list === undefined) entries.set(request, [deed]);
  else list.push(deed);
}

function takeFirst(list: LoggedDeed[] | undefined, isIt: (deed: LoggedDeed) => boolean): LoggedDeed | undefined {
  const index = list?.findIndex(isIt) ?? -1;
  return index < 0 ? undefined : list?.splice(index, 1)[0];
}
