// Who sends how much: what each player and each address sent and was sent in the last minute and the last hour. Counts are exact within a
// minute for the first TRAFFIC_CLIENTS_MAX clients that come in it; those beyond are counted together. Of a minute that is over the
// heaviest clients are kept. So a flood of addresses costs a bounded amount of memory, and who sends much is there again a minute later.
// In a busy second few requests are drawn and count for all: to ask the native server for an address takes microseconds, as long as a third of
// a read, and a server that does nothing else must not notice.
import {
  TRAFFIC_CLIENTS_KEPT,
  TRAFFIC_CLIENTS_MAX,
  TRAFFIC_EXACT_PER_SECOND,
  TRAFFIC_MINUTES,
  TRAFFIC_SAMPLE,
} from '../limits.js';
import { type Owner, OwnerCounts } from './owners.js';

export const TRAFFIC_FIELDS = ['requests', 'commands', 'bytesIn', 'bytesOut', 'refusals', 'rateLimited'] as const;
export type TrafficField = (typeof TRAFFIC_FIELDS)[number];

/** What a client sent, and was sent. */
export class ClientCounts implements Record<TrafficField, number> {
  /** Requests and calls. */
  requests = 0;
  /** Commands that were accepted, those of batches too. */
  commands = 0;
  /** Bytes of bodies and frames. */
  bytesIn = 0;
  /** Characters of replies, frames and events: as many bytes, if names have only ASCII. */
  bytesOut = 0;
  /** Requests and calls that were answered with a problem. */
  refusals = 0;
  /** Those among them that came too fast. */
  rateLimited = 0;

  add(other: Readonly<Record<TrafficField, number>>): void {
    this.requests += other.requests;
    this.commands += other.commands;
    this.bytesIn += other.bytesIn;
    this.bytesOut += other.bytesOut;
    this.refusals += other.refusals;
    this.rateLimited += other.rateLimited;
  }
}

/** The clients of a minute, or of several. */
class Span<Client extends Owner> {
  readonly clients = new Map<Client, ClientCounts>();
  /** Clients that are not counted by themselves. */
  readonly others = new ClientCounts();

  of(client: Client): ClientCounts {
    const known = this.clients.get(client);
    if (known !== undefined) return known;
    if (this.clients.size >= TRAFFIC_CLIENTS_MAX) return this.others;
    const counts = new ClientCounts();
    this.clients.set(client, counts);
    return counts;
  }

  addAll(span: Span<Client>): void {
    for (const [client, counts] of span.clients) this.of(client).add(counts);
    this.others.add(span.others);
  }

  get total(): ClientCounts {
    const total = new ClientCounts();
    for (const counts of this.clients.values()) total.add(counts);
    total.add(this.others);
    return total;
  }

  /** Keeps the heaviest clients: by the sum of their shares in each count, so that one with few requests and many bytes stays. */
  thin(clientsMax: number): void {
    if (this.clients.size <= clientsMax) return;
    const { total } = this;
    const weightOf = (counts: ClientCounts): number =>
      TRAFFIC_FIELDS.reduce((sum, field) => sum + counts[field] / Math.max(1, total[field]), 0);
    const byWeight = [...this.clients].sort(([, one], [, other]) => weightOf(other) - weightOf(one));
    for (const [client, counts] of byWeight.slice(clientsMax)) {
      this.clients.delete(client);
      this.others.add(counts);
    }
  }
}

/** The minutes of one kind of clients. */
class Minutes<Client extends Owner> {
  #present = new Span<Client>();
  /** Minutes that are over, the oldest first. */
  #past: Span<Client>[] = [];

  of(client: Client): ClientCounts {
    return this.#present.of(client);
  }

  /** The minute is over. */
  turn(): void {
    this.#present.thin(TRAFFIC_CLIENTS_KEPT);
    this.#past.push(this.#present);
    if (this.#past.length > TRAFFIC_MINUTES) this.#past.shift();
    this.#present = new Span();
  }

  /** The last minutes that are over, and the present one. */
  last(minutes: number): Span<Client> {
    const sum = new Span<Client>();
    for (const span of this.#past.slice(-minutes)) sum.addAll(span);
    sum.addAll(this.#present);
    return sum;
  }
}

/** Clients of one kind. */
export interface TrafficReport<Client extends Owner> {
  /** How long it covers. */
  readonly seconds: number;
  readonly clients: ReadonlyMap<Client, ClientCounts>;
  /** Those that are not counted by themselves. */
  readonly others: ClientCounts;
  readonly total: ClientCounts;
}

/** What is counted of a request. */
export interface Counted {
  readonly status: number;
  readonly commands: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** See weightAt(). */
  readonly weight: number;
}

export class ClientTraffic {
  readonly #players = new Minutes<number>();
  readonly #addresses = new Minutes<string>();
  /** Open WebSockets and streams of events, of players and of addresses. */
  readonly #open = new OwnerCounts();
  #turnsAtMs: number;
  /** The present second, and how many requests came in it. */
  #secondEndsMs = Number.NEGATIVE_INFINITY;
  #inSecond = 0;
  #draw = 1;
  /** When each of the last minutes began, the oldest first; the last is the present one. */
  #starts: number[];

  /** @param nowMs an instant of the clock that counts the minutes: performance.now() */
  constructor(nowMs: number) {
    this.#starts = [nowMs];
    this.#turnsAtMs = nowMs + MS_PER_MINUTE;
  }

  /** How many requests the one that came at this instant counts for: 0 if another one counts for it. Called once for each. */
  weightAt(nowMs: number): number {
    if (nowMs >= this.#secondEndsMs) {
      this.#secondEndsMs = nowMs + MS_PER_SECOND;
      this.#inSecond = 0;
    }
    this.#inSecond += 1;
    if (this.#inSecond <= TRAFFIC_EXACT_PER_SECOND) return 1;
    // Drawn, since clients may take turns (Numerical Recipes, chapter 7: its low bits are poor, so the high ones decide).
    this.#draw = (Math.imul(this.#draw, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#draw < 2 ** 32 / TRAFFIC_SAMPLE ? TRAFFIC_SAMPLE : 0;
  }

  /**
   * Counts a request or a call.
   *
   * @param playerNumber 0 for none
   */
  answered(address: string, playerNumber: number, request: Counted, nowMs: number): void {
    if (nowMs >= this.#turnsAtMs) this.#turn(nowMs);
    count(this.#addresses.of(address), request);
    if (playerNumber > 0) count(this.#players.of(playerNumber), request);
  }

  /** Counts events. */
  sent(address: string, playerNumber: number, bytes: number, nowMs: number): void {
    if (nowMs >= this.#turnsAtMs) this.#turn(nowMs);
    this.#addresses.of(address).bytesOut += bytes;
    if (playerNumber > 0) this.#players.of(playerNumber).bytesOut += bytes;
  }

  /** A WebSocket or a stream is opened, or closed. */
  opened(owner: Owner, change: 1 | -1): void {
    this.#open.add(owner, change);
  }

  openOf(owner: Owner): number {
    return this.#open.of(owner);
  }

  /** @param minutes that are over; what has come since then is added */
  players(minutes: number, nowMs: number): TrafficReport<number> {
    const open = [...this.#open.owners()].filter((owner) => typeof owner === 'number');
    return this.#report(this.#players, open, minutes, nowMs);
  }

  addresses(minutes: number, nowMs: number): TrafficReport<string> {
    const open = [...this.#open.owners()].filter((owner) => typeof owner === 'string');
    return this.#report(this.#addresses, open, minutes, nowMs);
  }

  /** @param open clients that may only listen: they have sent nothing */
  #report<Client extends Owner>(
    kind: Minutes<Client>,
    open: readonly Client[],
    minutes: number,
    nowMs: number,
  ): TrafficReport<Client> {
    if (nowMs >= this.#turnsAtMs) this.#turn(nowMs);
    const { clients, others, total } = kind.last(minutes);
    for (const client of open) if (!clients.has(client)) clients.set(client, new ClientCounts());
    const [startMs = nowMs] = this.#starts.slice(-minutes - 1);
    return { seconds: (nowMs - startMs) / MS_PER_SECOND, clients, others, total };
  }

  /** Ends the minutes that are over. Those in which nothing came are empty. */
  #turn(nowMs: number): void {
    // After a long silence all of the hour is empty.
    const missed = Math.floor((nowMs - this.#turnsAtMs) / MS_PER_MINUTE);
    if (missed > TRAFFIC_MINUTES) this.#turnsAtMs += (missed - TRAFFIC_MINUTES) * MS_PER_MINUTE;
    while (nowMs >= this.#turnsAtMs) {
      this.#players.turn();
      this.#addresses.turn();
      this.#starts.push(this.#turnsAtMs);
      if (this.#starts.length > TRAFFIC_MINUTES + 1) this.#starts.shift();
      this.#turnsAtMs += MS_PER_MINUTE;
    }
  }
}

const MS_PER_SECOND = 1_000;
const MS_PER_MINUTE = 60_000;

function count(counts: ClientCounts, { status, commands, bytesIn, bytesOut, weight }: Counted): void {
  counts.requests += weight;
  counts.commands += commands * weight;
  counts.bytesIn += bytesIn * weight;
  counts.bytesOut += bytesOut * weight;
  if (status >= 400) counts.refusals += weight;
  if (status === 429) counts.rateLimited += weight;
}
