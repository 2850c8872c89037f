// The connection of a reader of events to the simulated server. It may fill up, and it may break, and then what the server has written is
// lost on its way.
import type { EventHub } from '../../http/events/event-hub.js';
import type { Draws } from '../support/process/draws.js';

/** Maximum number of events that the server writes at a time. */
const WRITE_MAX = 4;
/** One in this many answers to polls is lost. */
const LOST_ANSWERS = 4;

/** `poll`: one request, answered as soon as there is an event. `stream`: it continues until it breaks. */
export type ConnectionKind = 'poll' | 'stream';

/** What the server's end of a connection needs. */
export interface ConnectionOptions {
  readonly kind: ConnectionKind;
  readonly hub: EventHub;
  readonly receiver: number;
  /** The last event that the client has. */
  readonly since: number;
  /** The draws of the present step. */
  readonly draws: () => Draws;
  /** Receives what arrives. */
  readonly arrived: (text: string) => void;
  /** Called if the events after the position are not kept. */
  readonly expired: (position: number) => void;
  /** Called when the server has ended the connection. */
  readonly ended: () => void;
}

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #stop: () => void;
  #position: number;
  /** Written and not arrived yet. */
  #wire: string[] = [];
  /** The client lags: the server writes nothing until it is drained. */
  #isFull = false;
  #isOver = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#position = options.since;
    this.#stop = options.hub.listen(options.receiver, { wake: () => this.#write() }).end;
    this.#write();
  }

  /** Whether the server has ended it, or it is lost. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** Up to where events were read for it. */
  get position(): number {
    return this.#position;
  }

  /** What is on its way arrives, and the server may write again. */
  drain(): void {
    for (const text of this.#wire.splice(0)) this.#options.arrived(text);
    this.#isFull = false;
    this.#write();
  }

  /** Breaks it: what is on its way is lost. */
  lose(): void {
    this.#isOver = true;
    this.#wire = [];
    this.#stop();
  }

  #write(): void {
    const { hub, receiver, draws, kind } = this.#options;
    while (!this.#isOver && !this.#isFull) {
      const texts = hub.read(receiver, this.#position, 1 + draws().below(WRITE_MAX));
      if (texts === null) {
        this.#end(() => this.#options.expired(this.#position));
        return;
      }
      if (texts.length === 0) return;
      this.#position += texts.length;
      this.#wire.push(...texts);
      if (draws().oneIn(3)) this.#isFull = true;
      else if (draws().oneIn(2)) for (const text of this.#wire.splice(0)) this.#options.arrived(text);
      if (kind === 'poll') {
        if (draws().oneIn(LOST_ANSWERS)) this.#wire = [];
        this.#end(() => {});
      }
    }
  }

  #end(say: () => void): void {
    for (const text of this.#wire.splice(0)) this.#options.arrived(text);
    this.lose();
    say();
    this.#options.ended();
  }
}
