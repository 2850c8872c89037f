// Reads the frames of clients: parses JSON, and checks it against the table of frames. A call in the form that JSON.stringify of our
// clients writes is read without an object around its body, which halves the time.
import type { Static } from 'typebox';
import type { ShapeError } from '../exchange/problems.js';
import { FRAME_ID_LENGTH_MAX } from '../limits.js';
import { CLIENT_FRAMES, type ClientOp } from '../schemas/frames.js';
import { compileRequestCheck, type RequestCheck } from '../schemas/schema-check.js';

export type ClientFrame =
  | { [Op in ClientOp]: Static<(typeof CLIENT_FRAMES)[Op]['schema']> }[Exclude<ClientOp, 'call'>]
  | CallFrame;
type CheckedCall = Static<typeof CLIENT_FRAMES.call.schema>;
/** A call; missing fields are undefined or absent. */
export type CallFrame = { readonly [Field in keyof CheckedCall]: CheckedCall[Field] | undefined } & Required<
  Pick<CheckedCall, 'op' | 'method' | 'path'>
>;

/** Why a frame is refused. */
export interface FrameFault {
  readonly code: 'malformed_json' | 'invalid_request';
  readonly errors: readonly ShapeError[];
  /** JSON text of the id of the frame, if it has a valid one; else ''. */
  readonly id: string;
}

const OPS = Object.keys(CLIENT_FRAMES) as ClientOp[];
const CHECKS = new Map<unknown, RequestCheck>(
  OPS.map((op) => [op, compileRequestCheck(CLIENT_FRAMES[op].schema, `frame ${op}`)]),
);

const MALFORMED: FrameFault = { code: 'malformed_json', errors: [], id: '' };

export function readFrame(text: string): ClientFrame | FrameFault {
  return readPlainCall(text) ?? readAnyFrame(text);
}

function readAnyFrame(text: string): ClientFrame | FrameFault {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return MALFORMED;
  }
  const op = typeof value === 'object' && value !== null && 'op' in value ? value.op : undefined;
  const check = CHECKS.get(op);
  if (check === undefined) {
    const errors = [{ path: '/op', message: `must be one of ${OPS.join(', ')}` }];
    return { code: 'invalid_request', errors, id: idOf(value) };
  }
  if (check.accepts(value)) return value as ClientFrame;
  return { code: 'invalid_request', errors: check.errors(value), id: idOf(value) };
}

/**
 * What precedes the body: op, id, method and path, in this order and without spaces. The id is a non-negative
 * integer, and the path visible ASCII without escapes.
 */
const PLAIN_START =
  /^\{"op":"call","id":(0|[1-9]\d{0,14}),"method":"(POST|GET)","path":"([!#-[\]-~]{1,256})"(,"body":)?/;
const PLAIN_END = '}';
const PLAIN_MINIMAL_END = ',"prefer":"return=minimal"}';

/**
 * Reads a call that begins with PLAIN_START and ends with one of the two ends. What is in between must be JSON by
 * itself, so the whole frame is valid JSON, and means exactly what is read here.
 *
 * @returns null if the frame has another form
 */
function readPlainCall(text: string): CallFrame | null {
  const start = PLAIN_START.exec(text);
  if (start === null) return null;
  const isMinimal = text.endsWith(PLAIN_MINIMAL_END);
  const bodyEnd = text.length - (isMinimal ? PLAIN_MINIMAL_END.length : PLAIN_END.length);
  const bodyStart = start[0].length;
  let body: unknown;
  if (start[4] === undefined) {
    if (bodyStart !== bodyEnd || !text.endsWith(PLAIN_END)) return null;
  } else {
    if (bodyStart > bodyEnd || !text.endsWith(PLAIN_END)) return null;
    try {
      body = JSON.parse(text.slice(bodyStart, bodyEnd));
    } catch {
      return null;
    }
  }
  const method = start[2] === 'POST' ? 'POST' : 'GET';
  const prefer = isMinimal ? 'return=minimal' : undefined;
  return { op: 'call', id: Number(start[1]), method, path: start[3] as string, body, prefer };
}

export function isFault(frame: ClientFrame | FrameFault): frame is FrameFault {
  return 'code' in frame;
}

/** JSON text of the id of a frame; '' if it has none. */
export function idText(id: string | number | undefined): string {
  if (typeof id === 'number') return String(id);
  return id === undefined ? '' : JSON.stringify(id);
}

function idOf(value: unknown): string {
  if (typeof value !== 'object' || value === null || !('id' in value)) return '';
  const { id } = value;
  if (typeof id === 'string' && id.length <= FRAME_ID_LENGTH_MAX) return idText(id);
  return typeof id === 'number' && Number.isSafeInteger(id) ? idText(id) : '';
}
