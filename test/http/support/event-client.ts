// Readers of events for tests: long polls, and a parser of streams of server-sent events that checks what every event must satisfy.
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { EventData } from '../../../http/schemas/events.js';
import { EVENT_TYPES } from '../../../http/schemas/events.js';
import { Compile } from '../../../persistence/typebox.js';

export interface ReadEvent {
  readonly seq: number;
  readonly type: keyof EventData;
  readonly at: string;
  readonly playerId: string;
  readonly data: unknown;
}

export interface EventPageBody {
  readonly events: readonly ReadEvent[];
  readonly lastSeq: number;
  readonly oldestSeq: number;
}

/** A block of a stream, without comments. */
export interface StreamBlock {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

const checks = new Map([...EVENT_TYPES].map(([type, { event }]) => [type as string, Compile(event)]));

/** @throws Error if the text is not an event as its schema describes it */
export function parsedEvent(text: string): ReadEvent {
  const event = JSON.parse(text) as ReadEvent;
  const check = checks.get(event.type);
  if (check?.Check(event) !== true) throw new Error(`not as its schema says: ${text}`);
  return event;
}

export class StreamReader {
  #unparsed = '';
  readonly #blocks: StreamBlock[] = [];
  /** Comments so far. */
  comments = 0;
  #hasEnded = false;
  #wake: () => void = () => {};

  private constructor(
    private readonly outgoing: ClientRequest,
    readonly message: IncomingMessage,
  ) {
    message.setEncoding('utf8');
    message.on('data', (text: string) => {
      this.#unparsed += text;
      this.#parse();
      this.#wake();
    });
    const end = (): void => {
      this.#hasEnded = true;
      this.#wake();
    };
    message.on('error', end);
    message.on('close', end);
  }

  /** Opens a stream, whatever the server answers. */
  static open(port: number, path: string, headers: Readonly<Record<string, string>> = {}): Promise<StreamReader> {
    return new Promise((resolve, reject) => {
      const outgoing = request({ host: '127.0.0.1', port, path, headers, agent: false });
      outgoing.once('error', reject);
      outgoing.once('response', (message) => resolve(new StreamReader(outgoing, message)));
      outgoing.end();
    });
  }

  get status(): number {
    return this.message.statusCode ?? 0;
  }

  /** The next block; null once the stream has ended. */
  async block(): Promise<StreamBlock | null> {
    for (;;) {
      const block = this.#blocks.shift();
      if (block !== undefined) return block;
      if (this.#hasEnded) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** The next block, which must be an event. */
  async event(): Promise<ReadEvent> {
    let block = await this.block();
    if (block?.data === '') block = await this.block();
    if (block === null) throw new Error('the stream has ended');
    const event = parsedEvent(block.data);
    if (block.id !== String(event.seq) || block.event !== event.type) throw new Error(`${block.id} ${block.event}`);
    return event;
  }

  async events(count: number): Promise<ReadEvent[]> {
    const events: ReadEvent[] = [];
    while (events.length < count) events.push(await this.event());
    return events;
  }

  /** Waits until the stream ends. @returns what has not been read */
  async rest(): Promise<StreamBlock[]> {
    const blocks: StreamBlock[] = [];
    for (let block = await this.block(); block !== null; block = await this.block()) blocks.push(block);
    return blocks;
  }

  close(): void {
    this.outgoing.destroy();
  }

  #parse(): void {
    const blocks = this.#unparsed.split('\n\n');
    this.#unparsed = blocks.pop() ?? '';
    for (const block of blocks) {
      if (block.startsWith(':')) this.comments += 1;
      else this.#blocks.push(parsedBlock(block));
    }
  }
}

function parsedBlock(text: string): StreamBlock {
  const block = { id: '', event: '', data: '' };
  for (const line of text.split('\n')) {
    const colon = line.indexOf(': ');
    Object.assign(block, { [line.slice(0, colon)]: line.slice(colon + 2) });
  }
  return block;
}
