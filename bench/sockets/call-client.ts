// Calls over WebSocket connections: commands that can be repeated for ever, because each is undone by the next one of its planet. Each
// connection has slots, as many as calls it may have in flight; each slot plays one planet: it begins something, and undoes it when the
// reply has come. A loop decides when to send (call-loops.ts).
import { BenchFailed } from '../bench-failed.js';
import { FAILURE_LENGTH_MAX } from '../limits.js';
import type { Failures } from '../loads/load.js';
import type { EchoTask } from '../servers/peers.js';
import type { WorldNames } from '../servers/world-set-up.js';
import { jsonFrame, OPCODES, WebSocketConnection } from './frames.js';

export interface CallMix {
  /** True if the undo names the queueId that the reply shows. */
  readonly isUndoneById: boolean;
  readonly beginPath: string;
  readonly undoPath: string;
  /** Planets of the world that have what it takes. */
  planetIds(names: WorldNames): readonly string[];
  beginBody(planetId: string): object;
  /** @param queueId of what was begun; '' if the reply shows none */
  undoBody(planetId: string, queueId: string): object;
}

export const CALL_MIXES = {
  /** Orders ships and cancels them. */
  ships: {
    isUndoneById: false,
    beginPath: '/api/shipyard/build',
    undoPath: '/api/shipyard/cancel',
    planetIds: ({ workedPlanetIds }) => workedPlanetIds,
    beginBody: (planetId) => ({ planetId, shipType: 'scout', count: 1 }),
    undoBody: (planetId) => ({ planetId, shipType: 'scout' }),
  },
  /** Begins upgrades and cancels them. */
  'upgrade-cancel': {
    isUndoneById: true,
    beginPath: '/api/building/upgrade',
    undoPath: '/api/building/cancel',
    planetIds: ({ bots }) => bots.map(({ planetId }) => planetId),
    beginBody: (planetId) => ({ planetId, buildingType: 'iron_mine' }),
    undoBody: (planetId, queueId) => ({ planetId, queueId }),
  },
} as const satisfies Record<string, CallMix>;

export type CallMixName = keyof typeof CALL_MIXES;
export const CALL_MIX_NAMES = Object.keys(CALL_MIXES) as CallMixName[];

export interface CallTask {
  readonly url: string;
  readonly mix: CallMixName;
  readonly connections: number;
  /** Calls of one connection that wait for their replies at a time. */
  readonly inFlight: number;
  /** One for each slot of each connection at least; those of a slot are played one after the other. */
  readonly planetIds: readonly string[];
}

/** Ids of calls have four digits, so that the status of a reply is at a fixed offset. */
const FIRST_CALL_ID = 1_000;
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
/** Bytes of a frame with the longest id of an upgrade. */
const FRAME_BYTES_MAX = 320;
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

/** Its fields are in the order in which the clients write them, which the server reads fastest. */
function callFrame(id: number, path: string, body: object): Buffer {
  return jsonFrame({ op: 'call', id, method: 'POST', path, body, prefer: 'return=minimal' });
}

function beginFrame(mix: CallMix, id: number, planetId: string): Buffer {
  return callFrame(id, mix.beginPath, mix.beginBody(planetId));
}

function undoFrame(mix: CallMix, id: number, planetId: string, queueId: string): Buffer {
  return callFrame(id, mix.undoPath, mix.undoBody(planetId, queueId));
}

/** One call at a time, on one planet after the other. */
export class CallSlot {
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
    private readonly mix: CallMix,
    private readonly id: number,
  ) {}

  add(planetId: string, planetIndex: number): void {
    const undo = this.mix.isUndoneById ? undefined : undoFrame(this.mix, this.id, planetId, '');
    this.#plays.push({ planetId, planetIndex, begin: beginFrame(this.mix, this.id, planetId), undo });
  }

  get planetIndex(): number {
    return this.#play.planetIndex;
  }

  get nextFrame(): Buffer {
    return this.isBegun && this.#undo !== undefined ? this.#undo : this.#play.begin;
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
    this.#undo = undo ?? undoFrame(this.mix, this.id, planetId, queueIdIn(bytes, start, end));
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
  readonly #ring: Buffer;
  #from = 0;
  #to = 0;

  constructor(client: CallClient, url: string, mix: CallMix, inFlight: number) {
    this.#client = client;
    for (let index = 0; index < inFlight; index += 1) this.slots.push(new CallSlot(this, mix, FIRST_CALL_ID + index));
    this.#ring = Buffer.allocUnsafeSlow(RING_FILLINGS * inFlight * FRAME_BYTES_MAX);
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

  send(slot: CallSlot, sinceMs: number): void {
    const frame = slot.nextFrame;
    if (frame.length > FRAME_BYTES_MAX) throw new BenchFailed(`a call has ${frame.length} bytes`);
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
    if (opcode !== OPCODES.text) {
      this.#client.failed(`a frame with opcode ${opcode}${opcode === OPCODES.close ? ', a close' : ''}`);
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

  /** A welcome comes once a connection; anything else that is not a reply is a failure. */
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
export class CallClient implements Failures {
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
    const connect = () => new CallConnection(this, url, CALL_MIXES[mix], inFlight);
    this.connections = Array.from({ length: connections }, connect);
    this.slots = this.connections.flatMap(({ slots }) => slots);
    planetIds.forEach((planetId, index) => {
      this.slots[index % this.slots.length]?.add(planetId, index);
    });
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

/**
 * What the echo server answers: the replies of the server under test, which begins something on a planet and undoes it.
 *
 * @param url of the server under test
 * @throws BenchFailed if a call is refused
 */
export async function echoTask(url: string, name: CallMixName, planetId: string): Promise<EchoTask> {
  const mix = CALL_MIXES[name];
  const begin = beginFrame(mix, FIRST_CALL_ID, planetId);
  const begun = await ask(url, begin);
  const undone = await ask(url, undoFrame(mix, FIRST_CALL_ID, planetId, /"queueId":"([^"]+)"/.exec(begun)?.[1] ?? ''));
  const id = String(FIRST_CALL_ID);
  const request = begin.subarray(begin.indexOf('{')).toString();
  // The paths of a mix differ in one place: the first letter after their last slash.
  const markAt = request.indexOf(mix.beginPath) + mix.beginPath.lastIndexOf('/') + 1;
  const mark = (path: string) => path.charAt(path.lastIndexOf('/') + 1);
  return {
    idAt: request.indexOf(id),
    replyIdAt: begun.indexOf(id),
    idLength: id.length,
    markAt,
    replies: [
      { mark: mark(mix.beginPath), reply: begun },
      { mark: mark(mix.undoPath), reply: undone },
    ],
  };
}

/** @returns the text of the reply to a call */
async function ask(url: string, frame: Buffer): Promise<string> {
  const text = await new Promise<string>((resolve, reject) => {
    const connection = new WebSocketConnection(url, {
      onFrame: (_opcode, bytes, start, end) => {
        const received = bytes.toString('utf8', start, end);
        if (received.startsWith('{"op":"welcome"')) return;
        resolve(received);
        connection.close();
      },
      onClose: (reason) => reject(new BenchFailed(`a call failed: ${reason}`)),
    });
    connection.ready.then(() => connection.write(frame), reject);
  });
  const { op, status } = JSON.parse(text) as { op: string; status: number };
  if (op !== 'reply' || status < 200 || status > 299) throw new BenchFailed(`a call was answered with ${text}`);
  return text;
}
