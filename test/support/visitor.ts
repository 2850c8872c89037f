// A client of a proxy, as anybody from outside is: with the name of a host, an address of its own, and TLS if the proxy has it.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request as plainRequest } from 'node:http';
import { connect } from 'node:http2';
import { request as secureRequest } from 'node:https';
import { WebSocket } from 'ws';

export interface Front {
  readonly port: number;
  readonly host: string;
  /** Address that it connects from; 127.0.0.1 by default. */
  readonly address?: string;
  /** Certificate that the proxy must have; without TLS by default. */
  readonly certificate?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

type Headers = Readonly<Record<string, string>>;

export class Visitor {
  /** @param headers sent with every request */
  constructor(
    readonly front: Front,
    private readonly headers: Headers = {},
  ) {}

  ask(method: 'GET' | 'POST', path: string, body?: object | string, headers: Headers = {}): Promise<Answer> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const sent = this.#request(method, path, { ...type, ...headers }, (reply) => {
        let received = '';
        reply.setEncoding('utf8').on('data', (part: string) => {
          received += part;
        });
        reply.once('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text: received }));
        reply.once('error', reject);
      });
      sent.once('error', reject);
      sent.end(text);
    });
  }

  /** Reads a stream until words have come. */
  streamed(path: string, words: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const sent = this.#request('GET', path, {}, (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (part: string) => {
          text += part;
          if (!text.includes(words)) return;
          sent.destroy();
          resolve();
        });
        reply.once('end', () => reject(new Error(`the stream ended: ${text}`)));
      });
      sent.once('error', reject);
      sent.end();
    });
  }

  /** Sends a command over a WebSocket. @returns its status */
  async called(path: string, body: object): Promise<number> {
    const { port, host, certificate: ca, address: localAddress } = this.front;
    const scheme = ca === undefined ? 'ws' : 'wss';
    const socket = new WebSocket(`${scheme}://127.0.0.1:${port}/ws`, 'galaxyd.v1', {
      headers: { host, ...this.headers },
      ...(localAddress === undefined ? {} : { localAddress }),
      ...(ca === undefined ? {} : { ca, servername: host }),
    });
    socket.on('open', () => socket.send(JSON.stringify({ op: 'call', id: 1, method: 'POST', path, body })));
    try {
      return await new Promise<number>((resolve, reject) => {
        socket.on('message', (bytes: Buffer) => {
          const frame = JSON.parse(bytes.toString()) as { op: string; status: number };
          if (frame.op === 'reply') resolve(frame.status);
        });
        socket.once('error', reject);
        socket.once('close', () => reject(new Error('the WebSocket was closed')));
      });
    } finally {
      socket.terminate();
    }
  }

  /** A read over HTTP/2. @returns its status */
  async statusOverHttp2(path: string): Promise<number> {
    const { port, host, certificate = '' } = this.front;
    const session = connect(`https://${host}:${port}`, { host: '127.0.0.1', ca: certificate, servername: host });
    try {
      return await new Promise<number>((resolve, reject) => {
        session.once('error', reject);
        const stream = session.request({ ':path': path, ...this.headers });
        stream.once('error', reject);
        stream.once('response', (headers) => resolve(Number(headers[':status'])));
        stream.resume();
      });
    } finally {
      session.destroy();
    }
  }

  #request(
    method: string,
    path: string,
    headers: Headers,
    onReply: (reply: IncomingMessage) => void,
  ): ReturnType<typeof plainRequest> {
    const { port, host, address: localAddress = '127.0.0.1', certificate: ca } = this.front;
    const options = { host: '127.0.0.1', port, localAddress, agent: false as const, method, path };
    const all = { ...options, headers: { host, ...this.headers, ...headers } };
    return ca === undefined ? plainRequest(all, onReply) : secureRequest({ ...all, ca, servername: host }, onReply);
  }
}
