// The connections of one hostile load. They cost their own processor as little as possible: requests are rendered once,
// replies are counted and dropped, and a connection that the server closes is opened again after a while.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as limits from '../limits.js';
import { type Reply, ReplyReader, renderRequest } from '../loads/load-connection.js';
import type { LoadRequest } from '../servers/game-client.js';
import { type Behaviour, SERIAL_MARK } from './hostile-loads.js';

export interface HostileTask {
  readonly url: string;
  readonly behaviour: Behaviour;
  readonly connections: number;
  readonly requestsPerWrite: number;
  readonly request: LoadRequest;
  /** The address of its connections; the system's choice by default. */
  readonly localAddress?: string;
  /** It ends by itself after so long, if it is not asked to finish before. */
  readonly secondsMax: number;
}

export interface HostileResult {
  readonly seconds: number;
  /** Replies received, by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Processor time of the load's own process. */
  readonly processorSeconds: number;
}

/** Connections are opened in portions, since a server's queue of new ones is short. */
const OPENED_AT_ONCE = 64;
const OPENED_EVERY_MS = 20;
/** The bytes of one read, on any connection: they are used before the next one. */
const RECEIVED = Buffer.allocUnsafeSlow(limits.RECEIVED_BYTES);

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
    processorSeconds: (used.user + used.system) / 1e6,
  };
}

class HostileConnections {
  readonly statuses: Record<string, number> = {};
  readonly #task: HostileTask;
  readonly #payload: Payload;

  constructor(task: HostileTask) {
    this.#task = task;
    const request = renderRequest(task.request, new URL(task.url).host);
    this.#payload = new Payload(Buffer.concat(Array.from({ length: task.requestsPerWrite }, () => request)));
  }

  /** Settles when each has been opened or refused once, or after OPEN_DEADLINE_MS. */
  async open(): Promise<void> {
    const settled: Promise<void>[] = [];
    const deadlineMs = performance.now() + limits.OPEN_DEADLINE_MS;
    while (settled.length < this.#task.connections) {
      const count = Math.min(OPENED_AT_ONCE, this.#task.connections - settled.length);
      for (let index = 0; index < count; index += 1)
        settled.push(new Promise<void>((resolve) => this.#connect(resolve)));
      await Promise.race([Promise.all(settled), sleep(OPENED_EVERY_MS)]);
    }
    await Promise.race([Promise.all(settled), sleep(Math.max(0, deadlineMs - performance.now()))]);
  }

  /** @param onSettled called when the connection has been opened or refused */
  #connect(onSettled: () => void): void {
    const { url, localAddress, behaviour, requestsPerWrite } = this.#task;
    const { hostname, port } = new URL(url);
    const reader = new ReplyReader({ isPipelined: true });
    let unanswered = requestsPerWrite;
    const countReply = ({ status }: Reply) => {
      this.statuses[status] = (this.statuses[status] ?? 0) + 1;
      unanswered -= 1;
    };
    const received = (byteCount: number): boolean => {
      reader.take(RECEIVED.subarray(0, byteCount), countReply);
      if (behaviour === 'exchange' && unanswered <= 0) {
        unanswered = requestsPerWrite;
        socket.write(this.#payload.next());
      }
      return true;
    };
    const from = localAddress === undefined ? {} : { localAddress };
    const onread = { buffer: RECEIVED, callback: received };
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread, ...from });
    if (behaviour === 'unread') socket.pause();
    socket.once('connect', () => {
      this.#begin(socket);
      onSettled();
    });
    // Followed by 'close'.
    socket.on('error', () => {});
    socket.once('close', () => {
      onSettled();
      setTimeout(() => this.#connect(() => {}), limits.HOSTILE_REOPEN_MS);
    });
  }

  #begin(socket: Socket): void {
    const { behaviour } = this.#task;
    if (behaviour === 'unread') this.#writeUnread(socket);
    else if (behaviour === 'slow-upload') this.#upload(socket, this.#payload.next(), 0);
    else socket.write(this.#payload.next());
  }

  /** Writes once the socket has taken what was written before. */
  #writeUnread(socket: Socket): void {
    if (socket.destroyed) return;
    socket.write(this.#payload.next(), () => setTimeout(() => this.#writeUnread(socket), limits.UNREAD_WRITE_EVERY_MS));
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
