// A reply on Node's own HTTP server. Node buffers any number of replies for a client that does not read them, so all
// bytes not yet passed to the operating system are counted, per connection and over all connections.
import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { Owner, SharedBudget } from '../../admission/owners.js';
import type { ReplyStream, StreamListener } from '../../exchange/exchange.js';
import { UNSENT_REPLIES } from '../body-budget.js';
import { CountedStream } from '../counted-stream.js';
import type { ReplyHead, Wire } from '../transport.js';
import type { NodeConnection, OpenRequest } from './node-connection.js';

/** The part of Node's response object that is used. */
export type NodeResponse = Pick<ServerResponse, 'socket' | 'writeHead' | 'write' | 'end' | 'on' | 'once'>;

export class NodeWire implements Wire {
  readonly needsLength = false;
  /** Never true: Node may report at any time that the client is gone. */
  readonly isOver = false;
  /** What is aborted if the client goes; null before open(), and once nothing of the reply is left to send. */
  #request: OpenRequest | null = null;
  /** Unsent bytes of the reply, and whose share they use. */
  #unsentBytes = 0;
  #owner: Owner = '';
  #stream: NodeStream | null = null;

  constructor(
    private readonly response: NodeResponse,
    private readonly connection: NodeConnection,
    /** The connection of a client with the most unsent bytes; undefined if it has none. */
    private readonly largest: (owner: Owner) => NodeConnection | undefined,
    private readonly budget: SharedBudget = UNSENT_REPLIES,
  ) {}

  get address(): string {
    return this.connection.address;
  }

  /** True while an earlier reply, or this one, is not sent: it keeps the response from the socket, or fills the socket. */
  get keepsBytes(): boolean {
    const { socket } = this.connection;
    return this.response.socket !== socket || socket.writableLength > 0;
  }

  /** The request counts as open from now on, until its reply is sent. */
  open(request: OpenRequest): void {
    this.#request = request;
    this.connection.open.push(request);
  }

  end(head: ReplyHead, body: string | Uint8Array, closesConnection: boolean): void {
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    this.#send(head, body, length, length, closesConnection);
  }

  endWithoutBody(head: ReplyHead, length: number | null, closesConnection: boolean): void {
    this.#send(head, '', 0, length, closesConnection);
  }

  stream(head: ReplyHead, listener: StreamListener): ReplyStream {
    this.response.writeHead(head.status, fieldsOf(head, null, false));
    this.#stream = new NodeStream(this.response, listener, this.budget, head.owner, () => this.close());
    this.#waitForEnd();
    return this.#stream;
  }

  /** Node writes the head together with the first piece of the body. */
  cork(writes: () => void): void {
    writes();
  }

  close(): void {
    this.connection.cut();
    // Not through the response: a queued response has no socket.
    this.connection.socket.destroy();
  }

  cutWhatFollows(): boolean {
    this.connection.cut();
    return true;
  }

  gone(): void {
    this.connection.unsentBytes -= this.#unsentBytes;
    this.budget.give(this.#owner, this.#unsentBytes);
    this.#unsentBytes = 0;
    this.#stream?.gone();
  }

  /**
   * Most clients take a reply at once. Then nothing of it is counted, and no event is waited for.
   *
   * @param length value of Content-Length; null for none
   */
  #send(
    head: ReplyHead,
    body: string | Uint8Array,
    bodyBytes: number,
    length: number | null,
    closesConnection: boolean,
  ): void {
    const bytes = bodyBytes + HEAD_BYTES;
    const mustWait = this.keepsBytes;
    // Before the write: a connection without room gets nothing more.
    if (mustWait && !this.#take(head.owner, bytes)) {
      this.close();
      return;
    }
    this.response.writeHead(head.status, fieldsOf(head, length, closesConnection));
    this.response.end(body);
    if (!this.keepsBytes) this.#sent();
    else if (mustWait || this.#take(head.owner, bytes)) this.#waitForEnd();
    else this.close();
  }

  #waitForEnd(): void {
    this.response.once('close', () => {
      this.#request?.abort();
      this.#sent();
    });
  }

  #sent(): void {
    if (this.#request !== null) this.connection.sent(this.#request);
    this.#request = null;
  }

  #take(owner: Owner, bytes: number): boolean {
    if (!this.connection.hasRoomFor(bytes)) return false;
    while (!this.budget.take(owner, bytes)) {
      // The client's connection with the most unsent bytes is closed, so that clients that do not read harm only themselves.
      const largest = this.largest(owner);
      if (largest === undefined || largest === this.connection) return false;
      if (largest.unsentBytes < this.connection.unsentBytes + bytes) return false;
      largest.close();
    }
    this.#owner = owner;
    this.connection.owner = owner;
    this.#unsentBytes = bytes;
    this.connection.unsentBytes += bytes;
    return true;
  }
}

/** Approximate bytes of the head of a reply. */
const HEAD_BYTES = 256;

class NodeStream extends CountedStream {
  constructor(
    private readonly response: NodeResponse,
    listener: StreamListener,
    budget: SharedBudget,
    owner: Owner,
    private readonly close: () => void,
  ) {
    super(listener, budget, owner);
    response.on('drain', () => this.drained());
  }

  override write(piece: string | Uint8Array): boolean {
    if (this.isOver) return false;
    const isTaken = this.response.write(piece);
    if (!isTaken) this.keep(Buffer.byteLength(piece));
    return isTaken;
  }

  protected override endReply(): void {
    this.response.end();
  }

  protected override closeConnection(): void {
    this.close();
  }
}

/** Alternating names and values, as Node takes them. @param length null: no Content-Length */
function fieldsOf(head: ReplyHead, length: number | null, closesConnection: boolean): OutgoingHttpHeader[] {
  const fields: OutgoingHttpHeader[] = ['x-request-id', head.requestId];
  if (head.worldTime !== '') fields.push('x-world-time', head.worldTime);
  if (head.replyType !== '') fields.push('content-type', head.replyType);
  if (head.worldSeq >= 0) fields.push('x-world-seq', String(head.worldSeq));
  if (head.entityTag !== '') fields.push('etag', head.entityTag);
  if (head.rateLimit !== '') fields.push('ratelimit-policy', head.rateLimitPolicy, 'ratelimit', head.rateLimit);
  if (head.extraHeaders.length > 0) fields.push(...head.extraHeaders);
  if (head.originHeaders.length > 0) fields.push(...head.originHeaders);
  if (length !== null) fields.push('content-length', String(length));
  if (closesConnection) fields.push('connection', 'close');
  return fields;
}
