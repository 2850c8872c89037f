// A reader of events that follows a player or a topic over any number of connections, servers and worlds. It resumes after the last event
// that it has, breaks its connection now and then, and keeps what has arrived until somebody has compared it.
import { setTimeout as delay } from 'node:timers/promises';
import type { Draws } from './draws.js';
import { type ArrivedEvent, CONNECTION_KINDS, type ConnectionEnd, connect } from './event-connections.js';

/** One in this many connections begins earlier, as that of a client that has lost something, by at most so many events. */
const BACK_ONE_IN = 8;
const EVENTS_BACK_MAX = 200;
/** A connection is broken after at most this many events, or this time. */
const EVENTS_MAX = 60;
const CONNECTED_MS_MAX = 250;
const REST_MS_MAX = 20;

/** The end of a connection by the server, with the last event that the reader had. */
export interface Refusal extends ConnectionEnd {
  readonly since: number;
}

/** Counts over all readers of a run. */
export interface ReaderFigures {
  connections: number;
  events: number;
  /** Refused because events were dropped, or because the reader was ahead of a restored world. */
  expired: number;
}

export class FollowingReader {
  readonly receiver: string;
  readonly #draws: Draws;
  readonly #figures: ReaderFigures;
  /** Since the last look. */
  readonly #arrived: ArrivedEvent[] = [];
  readonly #faults: string[] = [];
  #seq = 0;
  readonly #refusals: Refusal[] = [];
  #isOver = true;
  /** Whether it only goes forward, and waits for events as long as it takes. */
  #isPatient = false;
  #close: () => void = () => {};
  #following: Promise<void> = Promise.resolve();

  constructor(receiver: string, draws: Draws, figures: ReaderFigures) {
    this.receiver = receiver;
    this.#draws = draws;
    this.#figures = figures;
  }

  /** The last event that it has; 0 for none. */
  get seq(): number {
    return this.#seq;
  }

  /** Follows on a server until end() is called. */
  begin(url: string): void {
    this.#isOver = false;
    this.#isPatient = false;
    this.#following = this.#follow(url);
  }

  /** From now on it only goes forward. */
  catchUp(): void {
    this.#isPatient = true;
  }

  /** Breaks the connection for good; settles when nothing more will arrive. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#close();
    await this.#following;
  }

  /** What has arrived since the last call, the refusals, and what was wrong with the order. */
  takeAll(): { arrived: ArrivedEvent[]; refusals: Refusal[]; faults: string[] } {
    return { arrived: this.#arrived.splice(0), refusals: this.#refusals.splice(0), faults: this.#faults.splice(0) };
  }

  async #follow(url: string): Promise<void> {
    while (!this.#isOver) {
      const isBack = !this.#isPatient && this.#draws.oneIn(BACK_ONE_IN);
      if (isBack) this.#seq = Math.max(0, this.#seq - this.#draws.below(EVENTS_BACK_MAX));
      await this.#connectOnce(url);
      await delay(this.#draws.below(REST_MS_MAX));
    }
  }

  async #connectOnce(url: string): Promise<void> {
    const { receiver } = this;
    const kind = this.#draws.pick(CONNECTION_KINDS);
    let left = 1 + this.#draws.below(EVENTS_MAX);
    this.#figures.connections += 1;
    const connection = connect(kind, {
      url,
      receiver,
      since: this.#seq,
      arrived: (event) => {
        // What arrives after the client has closed the connection is lost for it.
        if (left === 0) return;
        this.#take(event, kind);
        left -= 1;
        if (left === 0) connection.close();
      },
    });
    this.#close = () => {
      left = 0;
      connection.close();
    };
    const connectedMs = this.#draws.below(CONNECTED_MS_MAX);
    const alarm = setTimeout(() => {
      if (!this.#isPatient) this.#close();
    }, connectedMs);
    const end = await connection.ended;
    clearTimeout(alarm);
    if (end.code !== null) this.#beRefused(end);
  }

  #take(event: ArrivedEvent, kind: string): void {
    this.#figures.events += 1;
    if (event.seq !== this.#seq + 1) {
      this.#faults.push(`${this.receiver}, ${kind}: event ${event.seq} arrived after ${this.#seq}`);
    }
    this.#seq = event.seq;
    this.#arrived.push(event);
  }

  /** It continues with the oldest event that there is. */
  #beRefused(end: ConnectionEnd): void {
    this.#refusals.push({ ...end, since: this.#seq });
    if (end.code !== 'events_expired') return;
    this.#figures.expired += 1;
    this.#seq = (end.oldestSeq ?? 1) - 1;
  }
}
