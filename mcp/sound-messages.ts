// Answers what is not a message of JSON-RPC 2.0 with an error (section 5.1 of its specification), and passes everything else on. The SDK
// only reports such lines to its own program, and whoever has sent one waits for an answer.
import type { Writable } from 'node:stream';
import { Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { MESSAGE_LENGTH_MAX } from './limits.js';

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const LINE_END = '\n';

interface Fault {
  /** Of the message, as far as it can be read. */
  readonly id: string | number | null;
  readonly code: typeof PARSE_ERROR | typeof INVALID_REQUEST;
  readonly message: string;
}

/**
 * Lines of one JSON text each. It fails if one has more than MESSAGE_LENGTH_MAX characters.
 *
 * @param answers where errors are written
 * @param isMessage whether a value is a message
 */
export function soundMessages(answers: Writable, isMessage: (value: unknown) => boolean): Transform {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      const lines = (rest + decoder.write(bytes)).split(LINE_END);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const fault = faultOf(line, isMessage);
        if (fault === null) this.push(line + LINE_END);
        else answers.write(errorText(fault) + LINE_END);
      }
      done(
        rest.length > MESSAGE_LENGTH_MAX ? new Error(`a message has more than ${MESSAGE_LENGTH_MAX} characters`) : null,
      );
    },
  });
}

function faultOf(line: string, isMessage: (value: unknown) => boolean): Fault | null {
  if (line.trim() === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { id: null, code: PARSE_ERROR, message: 'The line is not JSON.' };
  }
  if (Array.isArray(value)) {
    return {
      id: null,
      code: INVALID_REQUEST,
      message: 'Batches are not supported: send each message in a line of its own.',
    };
  }
  if (isMessage(value)) return null;
  return { id: idOf(value), code: INVALID_REQUEST, message: 'This is not a message of JSON-RPC 2.0.' };
}

function idOf(value: unknown): Fault['id'] {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function errorText({ id, code, message }: Fault): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}
