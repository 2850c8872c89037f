// Reads the frames of clients: parses JSON, and checks it against the table of frames. A call in the form that JSON.stringify of our
// clients writes is read by hand, and so are most bodies.
import type { Static } from 'typebox';
import type { ShapeError } from '../exchange/problems.js';
import { FRAME_ID_LENGTH_MAX } from '../limits.js';
import type { Method } from '../methods.js';
import type { Found, OperationIndex } from '../pipeline/operation-index.js';
import { CLIENT_FRAMES, type ClientOp } from '../schemas/frames.js';
import { integerEnd } from '../schemas/plain-body.js';
import { compileRequestCheck, type RequestCheck } from '../schemas/schema-check.js';

export type ClientFrame =
  | { [Op in ClientOp]: Static<(typeof CLIENT_FRAMES)[Op]['schema']> }[Exclude<ClientOp, 'call'>]
  | CallFrame;
type CheckedCall = Static<typeof CLIENT_FRAMES.call.schema>;

/** A call, in one form for all, so that what reads it needs no lookup. */
export interface CallFrame {
  readonly op: 'call';
  /** JSON text of its id; '' if it has none. */
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly playerId: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly isMinimal: boolean;
  /** The entry that must be applied first. */
  readonly minSeq: number | undefined;
  readonly body: unknown;
  /** What its method and path ask for. */
  readonly found: Found;
  /** True if the operation has accepted the body already; see Operation.readPlain(). */
  readonly isBodyRead: boolean;
}

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

/** @param operations those that a call may run */
export function readFrame(text: string, operations: OperationIndex): ClientFrame | FrameFault {
  return readPlainCall(text, operations) ?? readAnyFrame(text, operations);
}

function readAnyFrame(text: string, operations: OperationIndex): ClientFrame | FrameFault {
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
  if (check.accepts(value)) return op === 'call' ? callOf(value as CheckedCall, operations) : (value as ClientFrame);
  return { code: 'invalid_request', errors: check.errors(value), id: idOf(value) };
}

function callOf(call: CheckedCall, operations: OperationIndex): CallFrame {
  const { id, method, path, playerId, idempotencyKey, prefer, minSeq, body } = call;
  return {
    op: 'call',
    id: idText(id),
    method,
    path,
    playerId,
    idempotencyKey,
    isMinimal: prefer !== undefined,
    minSeq,
    body,
    found: operations.find(method, path),
    isBodyRead: false,
  };
}

/**
 * What precedes the body, without spaces: op, id, method and path, in this order. The id is a non-negative integer. Calls with other
 * methods are rare, and parsed as JSON.
 */
const PLAIN_START = '{"op":"call","id":';
const PLAIN_POST = ',"method":"POST","path":"';
const PLAIN_GET = ',"method":"GET","path":"';
/** Visible ASCII without escapes. */
const PLAIN_PATH = /^[!#-[\]-~]{1,256}$/;
const PLAIN_BODY = '","body":';
const PLAIN_END = '}';
const PLAIN_MINIMAL_END = ',"prefer":"return=minimal"}';

/**
 * Reads a call that begins as above and ends with one of the two ends. What is in between must be JSON by itself, so the whole
 * frame is valid JSON, and means exactly what is read here.
 *
 * @returns null if the frame has another form
 */
function readPlainCall(text: string, operations: OperationIndex): CallFrame | null {
  if (!text.startsWith(PLAIN_START)) return null;
  const idEnd = integerEnd(text, PLAIN_START.length);
  const method = text.startsWith(PLAIN_POST, idEnd) ? 'POST' : 'GET';
  if (idEnd === PLAIN_START.length || (method === 'GET' && !text.startsWith(PLAIN_GET, idEnd))) return null;
  const pathStart = idEnd + (method === 'POST' ? PLAIN_POST : PLAIN_GET).length;
  const pathEnd = text.indexOf('"', pathStart);
  if (pathEnd < 0) return null;
  const path = text.slice(pathStart, pathEnd);
  const isMinimal = text.endsWith(PLAIN_MINIMAL_END);
  const bodyEnd = text.length - (isMinimal ? PLAIN_MINIMAL_END : PLAIN_END).length;
  const hasBody = text.startsWith(PLAIN_BODY, pathEnd);
  const bodyStart = pathEnd + (hasBody ? PLAIN_BODY.length : 1);
  if ((hasBody ? bodyStart > bodyEnd : bodyStart !== bodyEnd) || !text.endsWith(PLAIN_END)) return null;
  const known = operations.findPlain(method, path);
  if (known === undefined && !PLAIN_PATH.test(path)) return null;
  const found = known ?? operations.find(method, path);
  const read = hasBody ? found.match?.endpoint.readPlain(text, bodyStart, bodyEnd) : undefined;
  let body: unknown = read;
  if (hasBody && read === undefined) {
    try {
      body = JSON.parse(text.slice(bodyStart, bodyEnd));
    } catch {
      return null;
    }
  }
  return {
    op: 'call',
    id: text.slice(PLAIN_START.length, idEnd),
    method,
    path,
    playerId: undefined,
    idempotencyKey: undefined,
    isMinimal,
    minSeq: undefined,
    body,
    found,
    isBodyRead: read !== undefined,
  };
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
