// Reads calls in the form that JSON.stringify of our clients writes: op, id, method, path, body and preference in this order and
// without spaces, the id being a non-negative integer. What is between beginning and end must be JSON by itself, so the whole frame
// is valid JSON, and means exactly what is read here.

import { CLOSING, integerEnd, KnownTexts, standsAt, textEnd } from '../checks/plain-body.js';
import type { Method } from '../exchange/exchange.js';
import type { Operation } from '../pipeline/operation.js';
import type { Found, RouteIndex } from '../server/route-index.js';

/** A call, in one form for all, so that what reads it needs no lookup. */
export interface CallFrame {
  readonly op: 'call';
  /** JSON text of its id; '' if it has none. */
  readonly id: string;
  readonly method: Method;
  readonly playerId: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly ifMatch: string | undefined;
  readonly isMinimal: boolean;
  /** The entry that must be applied first. */
  readonly minSeq: number | undefined;
  readonly body: unknown;
  /** What its method and path ask for. */
  readonly found: Found<Operation>;
  /** True if the check of the body has read it, and so accepted it. */
  readonly isBodyRead: boolean;
}

const START = '{"op":"call","id":';
const POST = ',"method":"POST","path":"';
/** Calls with other methods are rare, and parsed as JSON. */
const METHODS = new KnownTexts<Method>([
  { text: POST, meaning: 'POST' },
  { text: ',"method":"GET","path":"', meaning: 'GET' },
]);
/** Visible ASCII without escapes. */
const PATH = /^[!#-[\]-~]{1,256}$/;
const BODY = '","body":';
const END = '}';
const MINIMAL_END = ',"prefer":"return=minimal"}';

export class PlainCalls {
  /** What stands between the id and the body of a POST to a path without parameters. */
  readonly #posts: KnownTexts<Found<Operation>>;

  /** @param operations those that a call may run */
  constructor(private readonly operations: RouteIndex<Operation>) {
    const posts = operations.plainPaths('POST');
    this.#posts = new KnownTexts(posts.map(([path, found]) => ({ text: POST + path + BODY, meaning: found })));
  }

  /** @returns null if the frame has another form */
  read(text: string): CallFrame | null {
    if (!standsAt(text, 0, START)) return null;
    const idEnd = integerEnd(text, START.length);
    if (idEnd === START.length) return null;
    const post = this.#posts.at(text, idEnd);
    return post === undefined
      ? this.#readPath(text, idEnd)
      : readBody(text, idEnd, 'POST', post.meaning, idEnd + post.text.length);
  }

  /** Reads a call to any path. */
  #readPath(text: string, idEnd: number): CallFrame | null {
    const method = METHODS.at(text, idEnd);
    if (method === undefined) return null;
    const pathStart = idEnd + method.text.length;
    const pathEnd = textEnd(text, pathStart - 1) - 1;
    const path = text.slice(pathStart, pathEnd);
    if (!PATH.test(path)) return null;
    const found = this.operations.find(method.meaning, path);
    if (standsAt(text, pathEnd, BODY)) return readBody(text, idEnd, method.meaning, found, pathEnd + BODY.length);
    const rest = text.slice(pathEnd + 1);
    if (rest !== END && rest !== MINIMAL_END) return null;
    return callOf(text, idEnd, method.meaning, found, rest === MINIMAL_END, undefined, false);
  }
}

function readBody(
  text: string,
  idEnd: number,
  method: Method,
  found: Found<Operation>,
  bodyStart: number,
): CallFrame | null {
  const isMinimal = standsAt(text, text.length - MINIMAL_END.length, MINIMAL_END);
  const bodyEnd = text.length - (isMinimal ? MINIMAL_END : END).length;
  if (bodyStart > bodyEnd || text.charCodeAt(text.length - 1) !== CLOSING) return null;
  const body = found.match?.endpoint.bodyCheck?.readPlain?.(text, bodyStart, bodyEnd);
  if (body !== undefined) return callOf(text, idEnd, method, found, isMinimal, body, true);
  try {
    const parsed: unknown = JSON.parse(text.slice(bodyStart, bodyEnd));
    return callOf(text, idEnd, method, found, isMinimal, parsed, false);
  } catch {
    return null;
  }
}

function callOf(
  text: string,
  idEnd: number,
  method: Method,
  found: Found<Operation>,
  isMinimal: boolean,
  body: unknown,
  isBodyRead: boolean,
): CallFrame {
  return {
    op: 'call',
    id: text.slice(START.length, idEnd),
    method,
    playerId: undefined,
    idempotencyKey: undefined,
    ifMatch: undefined,
    isMinimal,
    minSeq: undefined,
    body,
    found,
    isBodyRead,
  };
}
