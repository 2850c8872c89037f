// The connections of one hostile load. They cost their own processor as little as possible: requests are rendered once,
// replies are counted and dropped, and a connection that the server closes is opened again after a while.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as limits from '../limits.js';
import { type Reply, ReplyReader, renderRequest } from '../loads/load-connection.js';
import { type ConnectionEvents, OPCODES, repeated, WebSocketConnection } from '../sockets/frames.js';
import {
  HOSTILE_LOADS,
  type HostileLoad,
  type HostileName,
  type HostileNames,
  SERIAL_MARK,
  type SocketLoad,
} from './hostile-loads.js';

export interface HostileTask {
  readonly url: string;
  readonly name: HostileName;
  readonly names: HostileNames;
  /** The header with its key. */
  readonly headers: Readonly<Record<string, string>>;
  /** The address of its connections; the system's choice by default. */
  readonly localAddress?: string;
  /** It ends by itself after so long, if it is not asked to finish before. */
  readonly secondsMax: number;
}

export interface HostileResult {
  readonly seconds: number;
  /** Replies received, by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Connections that the server closed or refused. */
  readonly closed: number;
  /** Processor time of the load's own process. */
  readonly processorSeconds: number;
}

/** Connections are opened in portions, since a server's queue of new ones is short. */
const OPENED_AT_ONCE = 64;
const OPENED_EVERY_MS = 20;
/** The bytes of one read, on any connection: they are used before the next one. */
const RECEIVED = Buffer.allocUnsafeSlow(limits.RECEIVED_BYTES);
/** The beginning of a reply to a call without an id. */
const STATUS_OF_REPLY = /^\{"op":"reply","status":(\d{3})/;
const REPLY_START_BYTES = 32;

/**
 * Runs in a process of its own, so that it does not share an event loop with the innocent client. The load goes on until that
 * process ends.
 *
 * @param report called when every connection has been opened or refused once
 */
export async function measure(
  task: HostileTask,
  report: (text: string) => void,
  finish: AbortSignal,
): Promise<HostileResult> {
  const load = new HostileConnections(task);
  await load.open();
  report('ready');
  const startedMs = performance.now();
  const before = { ...load.statuses };
  const usedBefore = process.cpuUsage();
  await sleep(task.secondsMax * 1000, undefined, { signal: finish }).catch(() => {});
  const used = process.cpuUsage(usedBefore);
  const statuses = Object.entries(load.statuses).map(([status, count]) => [status, count - (before[status] ?? 0)]);
  return {
    seconds: (performance.now() - startedMs) / 1000,
    statuses: Object.fromEntries(statuses),
    closed: load.closed,
    processorSeconds: (used.user + used.system) / 1e6,
  };
}

class HostileConnections {
  readonly statuses: Record<string, number> = {};
  closed = 0;
  readonly #task: HostileTask;
  readonly #load: HostileLoad;
  /** Opens a connection. */
  readonly #connect: (index: number, onSettled: () => void) => void;

  constructor(task: HostileTask) {
    this.#task = task;
    const load: HostileLoad = HOSTILE_LOADS[task.name];
    this.#load = load;
    if ('frame' in load) this.#connect = (index, onSettled) => this.#openSocket(load, index, onSettled);
    else {
      const request = load.request(task.names);
      const headers = { ...request.headers, ...task.headers };
      const rendered = renderRequest({ ...request, headers }, new URL(task.url).host);
      const payload = new Payload(repeated(rendered, load.perWrite));
      this.#connect = (index, onSettled) => this.#openConnection(payload, index, onSettled);
    }
  }

  /** Settles when each has been opened or refused once, or after OPEN_DEADLINE_MS. */
  async open(): Promise<void> {
    const settled: Promise<void>[] = [];
    const deadlineMs = performance.now() + limits.OPEN_DEADLINE_MS;
    while (settled.length < this.#load.connections) {
      const count = Math.min(OPENED_AT_ONCE, this.#load.connections - settled.length);
      for (let opened = 0; opened < count; opened += 1) {
        const index = settled.length;
        settled.push(new Promise<void>((resolve) => this.#connect(index, resolve)));
      }
      await Promise.race([Promise.all(settled), sleep(OPENED_EVERY_MS)]);
    }
    await Promise.race([Promise.all(settled), sleep(Math.max(0, deadlineMs - performance.now()))]);
  }

  /** @param onSettled called when the connection has been opened or refused */
  #openConnection(payload: Payload, index: number, onSettled: () => void): void {
    const { behaviour, perWrite } = this.#load;
    const { hostname, port } = new URL(this.#task.url);
    const reader = new ReplyReader({ isPipelined: true });
    let unanswered = perWrite;
    const countReply = ({ status }: Reply) => {
      this.#count(status);
      unanswered -= 1;
    };
    const received = (byteCount: number): boolean => {
      reader.take(RECEIVED.subarray(0, byteCount), countReply);
      if (behaviour === 'exchange' && unanswered <= 0) {
        unanswered = perWrite;
        socket.write(payload.next());
      }
      return true;
    };
    const { localAddress } = this.#task;
    const from = localAddress === undefined ? {} : { localAddress };
    const onread = { buffer: RECEIVED, callback: received };
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread, ...from });
    socket.once('connect', () => {
      this.#begin(socket, () => payload.next());
      onSettled();
    });
    // Followed by 'close'.
    socket.on('error', () => {});
    socket.once('close', () => {
      onSettled();
      this.#openAgain(index);
    });
  }

  #openSocket({ frame, behaviour, perWrite }: SocketLoad, index: number, onSettled: () => void): void {
    const { url, names, headers, localAddress } = this.#task;
    const bytes = frame(names, index);
    let answered = 0;
    const events: ConnectionEvents = {
      takesFragments: true,
      onFrame: (opcode, received, start, end) => {
        const text =
          opcode === OPCODES.text ? received.toString('latin1', start, Math.min(end, start + REPLY_START_BYTES)) : '';
        const status = STATUS_OF_REPLY.exec(text)?.[1];
        if (status === undefined) return;
        this.#count(status);
        answered += 1;
      },
      onRead: () => {
        if (behaviour === 'exchange' && answered > 0) connection.write(repeated(bytes, answered));
        answered = 0;
      },
      onClose: () => this.#openAgain(index),
    };
    const connection = new WebSocketConnection(url, events, { headers, localAddress });
    const written = repeated(bytes, perWrite);
    connection.ready
      .then(
        () => this.#begin(connection.socket, () => written),
        () => {},
      )
      .then(onSettled);
  }

  #count(status: number | string): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
  }

  #openAgain(index: number): void {
    this.closed += 1;
    setTimeout(() => this.#connect(index, () => {}), limits.HOSTILE_REOPEN_MS);
  }

  #begin(socket: Socket, next: () => Buffer): void {
    const { behaviour } = this.#load;
    if (behaviour === 'unread') socket.pause();
    if (behaviour === 'exchange') socket.write(next());
    else if (behaviour === 'slow-upload') this.#upload(socket, next(), 0);
    else this.#repeat(socket, next);
  }

  #repeat(socket: Socket, next: () => Buffer): void {
    if (socket.destroyed) return;
    socket.write(next(), () => setTimeout(() => this.#repeat(socket, next), this.#load.everyMs));
  }

  #upload(socket: Socket, bytes: Buffer, sentBytes: number): void {
    if (socket.destroyed) return;
    const leftBytes = bytes.length - limits.SLOW_UPLOAD_WITHHELD_BYTES - sentBytes;
    // The last byte is never sent.
    const byteCount = leftBytes > 0 ? Math.min(leftBytes, limits.SLOW_UPLOAD_PIECE_BYTES) : 1;
    const endAt = Math.min(sentBytes + byteCount, bytes.length - 1);
    if (endAt > sentBytes) socket.write(bytes.subarray(sentBytes, endAt));
    const delayMs = leftBytes > 0 ? limits.SLOW_UPLOAD_PIECE_EVERY_MS : limits.TRICKLE_EVERY_MS;
    setTimeout(() => this.#upload(socket, bytes, endAt), delayMs);
  }
}

/** The bytes of one write, with a serial number of its own in place of each SERIAL_MARK. */
export class Payload {
  readonly #bytes: Buffer;
  readonly #marks: readonly number[];
  #serial = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    const marks: number[] = [];
    for (let at = bytes.indexOf(SERIAL_MARK); at >= 0; at = bytes.indexOf(SERIAL_MARK, at + SERIAL_MARK.length))
      marks.push(at);
    this.#marks = marks;
  }

  /** @returns bytes that do not change while they are being sent */
  next(): Buffer {
    if (this.#marks.length === 0) return this.#bytes;
    this.#serial += 1;
    const serial = String(this.#serial).padStart(SERIAL_MARK.length, '0');
    const stamped = Buffer.from(this.#bytes);
    for (const at of this.#marks) stamped.write(serial, at, 'latin1');
    return stamped;
  }
}
