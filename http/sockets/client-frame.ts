// Reads the frames of clients: parses JSON, and checks it against the table of frames. A call in the form that JSON.stringify of our
// clients writes is read by hand (plain-calls.ts).
import type { Static } from 'typebox';
import { compileRequestCheck, type RequestCheck } from '../checks/schema-check.js';
import type { ShapeError } from '../exchange/problems.js';
import { FRAME_ID_LENGTH_MAX } from '../limits.js';
import type { Operation } from '../pipeline/operation.js';
import { CLIENT_FRAMES, type ClientOp } from '../schemas/frames.js';
import type { RouteIndex } from '../server/route-index.js';
import { type CallFrame, PlainCalls } from './plain-calls.js';

export type ClientFrame =
  | { [Op in ClientOp]: Static<(typeof CLIENT_FRAMES)[Op]['schema']> }[Exclude<ClientOp, 'call'>]
  | CallFrame;
type CheckedCall = Static<typeof CLIENT_FRAMES.call.schema>;

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

export class FrameReader {
  readonly #plainCalls: PlainCalls;

  /** @param operations those that a call may run */
  constructor(private readonly operations: RouteIndex<Operation>) {
    this.#plainCalls = new PlainCalls(operations);
  }

  read(text: string): ClientFrame | FrameFault {
    return this.#plainCalls.read(text) ?? this.#readAny(text);
  }

  #readAny(text: string): ClientFrame | FrameFault {
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
    if (!check.accepts(value)) return { code: 'invalid_request', errors: check.errors(value), id: idOf(value) };
    return op === 'call' ? this.#callOf(value as CheckedCall) : (value as ClientFrame);
  }

  #callOf({ id, method, path, playerId, idempotencyKey, ifMatch, prefer, minSeq, body }: CheckedCall): CallFrame {
    return {
      op: 'call',
      id: idText(id),
      method,
      playerId,
      idempotencyKey,
      ifMatch,
      isMinimal: prefer !== undefined,
      minSeq,
      body,
      found: this.operations.find(method, path),
      isBodyRead: false,
    };
  }
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
