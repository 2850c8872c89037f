// A reader of events that follows a player or a topic over any number of connections, servers and worlds. It resumes after the last event
// that it has, breaks its connection now and then, and keeps what has arrived until somebody has compared it.
import { setTimeout as delay } from 'node:timers/promises';
import type { Draws } from './draws.js';
import { type ArrivedEvent, CONNECTION_KINDS, type ConnectionEnd, connect } from './event-connections.js';

/** One in this many connections begins after any of the last events that have ever arrived, also in a past that is lost by now. */
const BACK_ONE_IN = 8;
const EVENTS_REMEMBERED_MAX = 400;
/** A connection is broken after at most this many events, or this time. */
const EVENTS_MAX = 60;
const CONNECTED_MS_MAX = 250;
const REST_MS_MAX = 20;

/** How far a reader is. */
export interface ReaderPlace {
  readonly seq: number;
  /** The event there; null if it has none: at the beginning, and after some that have expired. */
  readonly text: string | null;
}

/** An event, and the place that the reader was at before. */
export interface FollowingEvent extends ArrivedEvent {
  readonly after: ReaderPlace;
}

/** The end of a connection by the server, with the place that the reader was at. */
export interface Refusal extends ConnectionEnd {
  readonly since: ReaderPlace;
}

const BEGINNING: ReaderPlace = { seq: 0, text: null };

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
  readonly #arrived: FollowingEvent[] = [];
  #place = BEGINNING;
  /** The last events that have arrived, even if their world has lost them. */
  readonly #remembered: ArrivedEvent[] = [];
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
    return this.#place.seq;
  }

  /** Follows on a server until end() is called. */
  begin(url: string): void {
    this.#isOver = false;
    this.#isPatient = false;
    this.#following = this.#follow(url);
  }

  /** Lets the reader only go forward from now on. */
  catchUp(): void {
    this.#isPatient = true;
  }

  /** Breaks the connection for good; settles when nothing more will arrive. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#close();
    await this.#following;
  }

  /** What has arrived since the last call, and the refusals. */
  takeAll(): { arrived: FollowingEvent[]; refusals: Refusal[] } {
    return { arrived: this.#arrived.splice(0), refusals: this.#refusals.splice(0) };
  }

  async #follow(url: string): Promise<void> {
    while (!this.#isOver) {
      const isBack = !this.#isPatient && this.#draws.oneIn(BACK_ONE_IN);
      if (isBack) this.#place = this.#draws.pick([BEGINNING, ...this.#remembered]);
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
      since: this.#place.seq,
      arrived: (event) => {
        // What arrives after the client has closed the connection is lost for it.
        if (left === 0) return;
        this.#take(event);
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

  #take(event: ArrivedEvent): void {
    this.#figures.events += 1;
    this.#arrived.push({ ...event, after: this.#place });
    this.#place = event;
    this.#remembered.push(event);
    if (this.#remembered.length > EVENTS_REMEMBERED_MAX) this.#remembered.shift();
  }

  /** It continues with the oldest event that there is. */
  #beRefused(end: ConnectionEnd): void {
    this.#refusals.push({ ...end, since: this.#place });
    if (end.code !== 'events_expired') return;
    this.#figures.expired += 1;
    this.#place = { seq: (end.oldestSeq ?? 1) - 1, text: null };
  }
}
