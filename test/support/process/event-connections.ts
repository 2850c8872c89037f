// Connections on which a client reads events: long poll, server-sent events, WebSocket. Each gives the events as they arrive, until the
// client closes it, the server ends it, or it breaks.
import { Agent, type IncomingMessage, request } from 'node:http';
import { WebSocket } from 'ws';

export const CONNECTION_KINDS = ['poll', 'stream', 'socket'] as const;
export type ConnectionKind = (typeof CONNECTION_KINDS)[number];

/** An event as it arrives, in whatever shape: its seq, and all of it as text. */
export interface ArrivedEvent {
  readonly seq: number;
  readonly text: string;
}

/** The end of a connection. */
export interface ConnectionEnd {
  /** The code of the problem with which the server refused or ended it; null if it just ended. */
  readonly code: string | null;
  /** The oldest event that is kept, if the problem says so. */
  readonly oldestSeq: number | null;
}

export interface ConnectionOptions {
  readonly url: string;
  /** `world`, or the id of a player. */
  readonly receiver: string;
  /** The last event that the client has. */
  readonly since: number;
  readonly arrived: (event: ArrivedEvent) => void;
}

export interface EventConnection {
  /** Breaks the connection at once. */
  close(): void;
  /** Settles when nothing more will arrive. */
  readonly ended: Promise<ConnectionEnd>;
}

/** Seconds that a poll waits: longer than any test runs without an event. */
const POLL_WAIT_S = 30;
const POLL_LIMIT = 20;
const BROKEN: ConnectionEnd = { code: null, oldestSeq: null };

/** The beginning of the paths of a receiver. */
export function eventPath(receiver: string): string {
  return receiver === 'world' ? '/api/event/world' : `/api/event/player/${receiver}`;
}

export function connect(kind: ConnectionKind, options: ConnectionOptions): EventConnection {
  if (kind === 'socket') return openSocket(options);
  return kind === 'poll' ? pollOn(options) : openStream(options);
}

/** Polls, one request after the other. */
function pollOn({ url, receiver, since, arrived }: ConnectionOptions): EventConnection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const closing = new AbortController();
  const poll = async (): Promise<ConnectionEnd> => {
    for (let position = since; ; ) {
      const path = `${eventPath(receiver)}?since=${position}&wait=${POLL_WAIT_S}&limit=${POLL_LIMIT}`;
      const reply = await get(`${url}${path}`, agent, closing.signal);
      const { statusCode } = reply;
      const body: unknown = JSON.parse(await textOf(reply));
      if (statusCode !== 200) return endOf(body);
      for (const event of eventsOf(body)) {
        arrived(event);
        position = event.seq;
      }
    }
  };
  return { close: () => closing.abort(), ended: ended(poll(), agent) };
}

function openStream({ url, receiver, since, arrived }: ConnectionOptions): EventConnection {
  const agent = new Agent({ keepAlive: false });
  const closing = new AbortController();
  const read = async (): Promise<ConnectionEnd> => {
    const reply = await get(`${url}${eventPath(receiver)}/stream?since=${since}`, agent, closing.signal);
    if (reply.statusCode !== 200) return endOf(JSON.parse(await textOf(reply)));
    let rest = '';
    for await (const piece of reply) {
      const parts = `${rest}${piece}`.split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const fields = new Map(part.split('\n').map((line) => splitAt(line, ': ')));
        const data = fields.get('data');
        if (data === undefined) continue;
        if (fields.get('event') === 'error') return endOf(JSON.parse(data));
        if (fields.get('id') === undefined) continue;
        arrived({ seq: Number(fields.get('id')), text: data });
      }
    }
    return BROKEN;
  };
  return { close: () => closing.abort(), ended: ended(read(), agent) };
}

interface SocketFrame {
  readonly op: string;
  readonly topic?: string;
  readonly seq: number;
  readonly problem?: unknown;
}

function openSocket({ url, receiver, since, arrived }: ConnectionOptions): EventConnection {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, 'galaxyd.v1');
  const target = receiver === 'world' ? { topic: 'world' } : { playerId: receiver, topic: undefined };
  const ended = new Promise<ConnectionEnd>((resolve) => {
    socket.on('open', () => socket.send(JSON.stringify({ op: 'subscribe', ...target, since })));
    socket.on('message', (data) => {
      // The frame of a topic names it; otherwise frames hold what the other connections give.
      const { op, topic, ...frame } = JSON.parse(String(data)) as SocketFrame;
      if (op === 'event' && topic === target.topic) arrived({ seq: frame.seq, text: JSON.stringify(frame) });
      if (op === 'error') {
        resolve(endOf(frame.problem));
        socket.terminate();
      }
    });
    socket.on('close', () => resolve(BROKEN));
    socket.on('error', () => resolve(BROKEN));
  });
  return { close: () => socket.terminate(), ended };
}

/** However it ends, its connection is closed. */
function ended(reading: Promise<ConnectionEnd>, agent: Agent): Promise<ConnectionEnd> {
  return reading.catch(() => BROKEN).finally(() => agent.destroy());
}

/** @param signal ends the request, or keeps it from beginning */
function get(url: string, agent: Agent, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { agent, signal }, (reply) => resolve(reply.setEncoding('utf8')))
      .once('error', reject)
      .end();
  });
}

async function textOf(reply: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of reply) text += piece;
  return text;
}

function eventsOf(body: unknown): ArrivedEvent[] {
  const { events } = body as { readonly events: readonly { readonly seq: number }[] };
  return events.map((event) => ({ seq: event.seq, text: JSON.stringify(event) }));
}

function endOf(problem: unknown): ConnectionEnd {
  const { code, oldestSeq = null } = problem as { readonly code: string; readonly oldestSeq?: number };
  return { code, oldestSeq };
}

function splitAt(line: string, separator: string): [string, string] {
  const at = line.indexOf(separator);
  return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + separator.length)];
}
