// What the errors of Node's parser mean for a client. It reads no HTTP itself.
import type { Socket } from 'node:net';
import type { RequestFault } from '../request-head.js';

/** An error of the parser, of its timeouts or of the connection. */
export interface ParserError extends Error {
  readonly code?: string;
  /** What the parser says about it. */
  readonly reason?: string;
  /** The bytes that came last, and how many of them are sound. */
  readonly rawPacket?: Uint8Array;
  readonly bytesParsed?: number;
}

/** The rest of a method, and a space. Other bytes are no beginning of a request, such as those of a TLS handshake. */
const METHOD_END = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ /;
const METHOD_LENGTH_MAX = 64;

/** @returns null if there is nobody to answer: the connection is broken, or its client has not begun a request */
export function requestFault(error: ParserError, socket: Socket): RequestFault | null {
  const { code = '', reason } = error;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return socket.bytesRead === 0 ? null : { code: 'request_timeout' };
  if (!code.startsWith('HPE_')) return null;
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { code: 'head_too_large' };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { code: 'body_too_large', detail: 'The extensions of its chunks are too long.' };
    case 'HPE_PAUSED_H2_UPGRADE':
      return { code: 'http_version_not_supported' };
    case 'HPE_INVALID_VERSION':
      // The parser says the same of a line that does not end where it should.
      if (reason === 'Invalid HTTP version') return { code: 'http_version_not_supported' };
      break;
    case 'HPE_INVALID_METHOD':
      if (hasMethod(error)) return { code: 'not_implemented' };
      break;
  }
  return { code: 'malformed_request', detail: reason === undefined ? undefined : `${reason}.` };
}

function hasMethod({ rawPacket, bytesParsed = 0 }: ParserError): boolean {
  const bytes = rawPacket?.subarray(bytesParsed, bytesParsed + METHOD_LENGTH_MAX) ?? new Uint8Array(0);
  return METHOD_END.test(Buffer.from(bytes).toString('latin1'));
}
