// Calls over WebSocket connections. Each connection has slots, as many as calls it may have in flight; each slot plays one
// planet: it begins something, and undoes it when the reply has come. A loop decides when to send.
import { BenchFailed } from '../bench-failed.js';
import { FAILURE_LENGTH_MAX } from '../limits.js';
import { beginFrame, CALL_MIXES, type CallMix, type CallMixName, FIRST_CALL_ID, undoFrame } from './call-mixes.js';
import { CLOSE, TEXT } from './frames.js';
import { WebSocketConnection } from './websocket-connection.js';

export interface CallTask {
  readonly url: string;
  readonly mix: CallMixName;
  readonly connections: number;
  /** Calls of one connection that wait for their replies at a time. */
  readonly inFlight: number;
  /** One for each slot of each connection at least; those of a slot are played one after the other. */
  readonly planetIds: readonly string[];
}

/** Replies that are not 2xx, and what else failed. */
export interface CallFailures {
  failures: number;
  /** Text of the first one. */
  firstFailure: string | undefined;
}

/** Offsets of the parts of `{"op":"reply","id":1000,"status":200`. */
const OP_AT = 7;
const ID_AT = 19;
const ID_DIGITS = 4;
const COMMA_AT = ID_AT + ID_DIGITS;
const COLON_AT = COMMA_AT + '"status":'.length;
const STATUS_AT = COLON_AT + 1;
const LETTER_R = 'r'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const COLON = ':'.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);
const QUOTE = '"'.charCodeAt(0);
const QUEUE_ID = Buffer.from('"queueId":"');
const QUEUE_ID_LENGTH_MAX = 64;
/** Number of fillings of a connection whose frames a ring holds. Frames that are overwritten were answered before. */
const RING_FILLINGS = 3;

/** What is begun and undone on one planet. */
interface Play {
  /** Index of the planet in the task. */
  readonly planetIndex: number;
  readonly planetId: string;
  readonly begin: Buffer;
  /** Undefined if it depends on the reply. */
  readonly undo: Buffer | undefined;
}

/** One call at a time, on one planet after the other. */
export class CallSlot {
  readonly #mix: CallMix;
  readonly #id: number;
  readonly #plays: Play[] = [];
  #place = 0;
  #undo: Buffer | undefined;
  /** Whether something was begun that is to be undone. */
  isBegun = false;
  isWaiting = false;
  /** When the call was sent, or was due. */
  sinceMs = 0;

  constructor(
    readonly connection: CallConnection,
    mix: CallMix,
    id: number,
  ) {
    this.#mix = mix;
    this.#id = id;
  }

  add(planetId: string, planetIndex: number): void {
    const begin = beginFrame(this.#mix, this.#id, planetId);
    const undo = this.#mix.isMinimal ? undoFrame(this.#mix, this.#id, planetId, '') : undefined;
    this.#plays.push({ planetId, planetIndex, begin, undo });
  }

  get planetIndex(): number {
    return this.#play.planetIndex;
  }

  get nextFrame(): Buffer {
    return this.isBegun && this.#undo !== undefined ? this.#undo : this.#play.begin;
  }

  get frameBytesMax(): number {
    const longestId = 'q'.repeat(QUEUE_ID_LENGTH_MAX);
    const lengths = this.#plays.map(({ planetId, begin }) =>
      Math.max(begin.length, undoFrame(this.#mix, this.#id, planetId, longestId).length),
    );
    return Math.max(...lengths);
  }

  /** @param bytes of the reply, from `start` to `end` */
  answered(isSuccess: boolean, bytes: Buffer, start: number, end: number): void {
    this.isWaiting = false;
    if (this.isBegun || !isSuccess) {
      this.isBegun = false;
      this.#place = (this.#place + 1) % this.#plays.length;
      return;
    }
    const { planetId, undo } = this.#play;
    this.#undo = undo ?? undoFrame(this.#mix, this.#id, planetId, queueIdIn(bytes, start, end));
    this.isBegun = true;
  }

  get #play(): Play {
    return this.#plays[this.#place] as Play;
  }
}

function queueIdIn(bytes: Buffer, start: number, end: number): string {
  const at = bytes.indexOf(QUEUE_ID, start);
  const idAt = at + QUEUE_ID.length;
  const idEnd = bytes.indexOf(QUOTE, idAt);
  if (at < 0 || idEnd < 0 || idEnd > end || idEnd - idAt > QUEUE_ID_LENGTH_MAX)
    throw new BenchFailed(`no queueId in ${bytes.toString('utf8', start, Math.min(end, start + FAILURE_LENGTH_MAX))}`);
  return bytes.toString('latin1', idAt, idEnd);
}

/** A connection with its slots. Frames are gathered and written at once by flush(). */
export class CallConnection {
  readonly slots: CallSlot[] = [];
  readonly #client: CallClient;
  readonly #socket: WebSocketConnection;
  #ring = Buffer.alloc(0);
  #from = 0;
  #to = 0;

  constructor(client: CallClient, url: string) {
    this.#client = client;
    this.#socket = new WebSocketConnection(url, {
      onFrame: this.#take,
      onRead: () => {
        client.onRead(this);
        this.flush();
      },
      onClose: (reason) => client.failed(reason),
    });
  }

  get ready(): Promise<void> {
    return this.#socket.ready;
  }

  /** Called once all slots are there. */
  makeRoom(): void {
    const longest = Math.max(...this.slots.map(({ frameBytesMax }) => frameBytesMax));
    this.#ring = Buffer.allocUnsafeSlow(RING_FILLINGS * this.slots.length * longest);
  }

  send(slot: CallSlot, sinceMs: number): void {
    const frame = slot.nextFrame;
    slot.isWaiting = true;
    slot.sinceMs = sinceMs;
    if (this.#to + frame.length > this.#ring.length) {
      this.flush();
      this.#from = 0;
      this.#to = 0;
    }
    frame.copy(this.#ring, this.#to);
    this.#to += frame.length;
  }

  flush(): void {
    if (this.#to === this.#from) return;
    this.#socket.write(this.#ring.subarray(this.#from, this.#to));
    this.#from = this.#to;
  }

  close(): void {
    this.#socket.close();
  }

  readonly #take = (opcode: number, bytes: Buffer, start: number, end: number): void => {
    if (opcode !== TEXT) {
      this.#client.failed(`a frame with opcode ${opcode}${opcode === CLOSE ? ', a close' : ''}`);
      return;
    }
    const isPlain =
      bytes[start + OP_AT] === LETTER_R && bytes[start + COMMA_AT] === COMMA && bytes[start + COLON_AT] === COLON;
    if (isPlain) {
      const id = digits(bytes, start + ID_AT, ID_DIGITS);
      this.#answer(id, digits(bytes, start + STATUS_AT, 3), bytes, start, end);
    } else this.#takeOther(bytes.toString('utf8', start, end));
  };

  #answer(id: number, status: number, bytes: Buffer, start: number, end: number): void {
    const slot = this.slots[id - FIRST_CALL_ID];
    const isSuccess = status >= 200 && status <= 299;
    if (!isSuccess) this.#client.failed(bytes.toString('utf8', start, end));
    if (slot?.isWaiting !== true) {
      this.#client.failed(`a reply without a call: ${bytes.toString('utf8', start, end)}`);
      return;
    }
    const { planetIndex } = slot;
    slot.answered(isSuccess, bytes, start, end);
    this.#client.onAnswer(slot, planetIndex, isSuccess);
  }

  /** A welcome comes once a connection; anything else that is no reply is a failure. */
  #takeOther(text: string): void {
    const { op } = JSON.parse(text) as { op?: unknown };
    if (op !== 'welcome') this.#client.failed(text);
  }
}

function digits(bytes: Buffer, at: number, count: number): number {
  let value = 0;
  for (let index = at; index < at + count; index += 1) value = value * 10 + ((bytes[index] as number) - ZERO);
  return value;
}

/** All connections of a load. */
export class CallClient implements CallFailures {
  readonly connections: readonly CallConnection[];
  readonly slots: readonly CallSlot[];
  failures = 0;
  firstFailure: string | undefined;
  /** Called for each reply. A slot may send again at once; it is written after all replies of the read. */
  onAnswer: (slot: CallSlot, planetIndex: number, isSuccess: boolean) => void = () => {};
  /** Called after all replies of a read. */
  onRead: (connection: CallConnection) => void = () => {};

  private constructor({ url, mix, connections, inFlight, planetIds }: CallTask) {
    if (planetIds.length < connections * inFlight)
      throw new BenchFailed('there are fewer planets than calls in flight');
    this.connections = Array.from({ length: connections }, () => new CallConnection(this, url));
    for (const connection of this.connections) {
      for (let index = 0; index < inFlight; index += 1)
        connection.slots.push(new CallSlot(connection, CALL_MIXES[mix], FIRST_CALL_ID + index));
    }
    this.slots = this.connections.flatMap(({ slots }) => slots);
    planetIds.forEach((planetId, index) => {
      this.slots[index % this.slots.length]?.add(planetId, index);
    });
    for (const connection of this.connections) connection.makeRoom();
  }

  /** @throws BenchFailed if a connection is refused */
  static async open(task: CallTask): Promise<CallClient> {
    const client = new CallClient(task);
    await Promise.all(client.connections.map(({ ready }) => ready));
    return client;
  }

  failed(text: string): void {
    this.failures += 1;
    this.firstFailure ??= text.slice(0, FAILURE_LENGTH_MAX);
  }

  close(): void {
    for (const connection of this.connections) connection.close();
  }
}
