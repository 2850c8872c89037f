// The frames that hostile clients of the WebSocket send, as bytes (RFC 6455, section 5.2). Their masks are zero.
import { getRequest, type LoadRequest } from '../servers/game-client.js';

export const OPCODES = { continuation: 0, text: 1, ping: 9, pong: 10 } as const;

const LENGTH_7_BITS_MAX = 125;
const LENGTH_FOLLOWS_IN_16_BITS = 126;
const FINAL = 0x80;
const MASKED = 0x80;
const NO_MASK = Buffer.alloc(4);

/** @param isFinal false for a fragment that others follow */
export function frameBytes(opcode: number, payload: string | Buffer, isFinal = true): Buffer {
  const bytes = Buffer.from(payload);
  const first = (isFinal ? FINAL : 0) | opcode;
  const isShort = bytes.length <= LENGTH_7_BITS_MAX;
  const head = isShort
    ? [first, MASKED | bytes.length]
    : [first, MASKED | LENGTH_FOLLOWS_IN_16_BITS, bytes.length >> 8, bytes.length & 0xff];
  return Buffer.concat([Buffer.from(head), NO_MASK, bytes]);
}

export function textFrame(body: unknown): Buffer {
  return frameBytes(OPCODES.text, JSON.stringify(body));
}

export function repeated(frame: Buffer, count: number): Buffer {
  return Buffer.concat(Array.from({ length: count }, () => frame));
}

/** The request that opens a WebSocket. */
export const UPGRADE: LoadRequest = {
  ...getRequest('/ws'),
  headers: {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-version': '13',
  },
};
