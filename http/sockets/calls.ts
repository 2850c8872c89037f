// Runs calls: each goes through the same checks and handlers as a request over HTTP, and is answered with a reply frame
// once what the reply depends on is durable.
import { parsePlayerId } from '../../engine/terms/ids.js';
import { QUEUE_IS_FULL, type Work } from '../admission/work-queue.js';
import { isWrite } from '../exchange/exchange.js';
import { prepareProblem, sendProblem } from '../exchange/problems.js';
import { BODY_BYTES_PER_TOKEN, CALLS_PER_SOCKET_MAX, UNROUTED_COST } from '../limits.js';
import type { Operation } from '../pipeline/operation.js';
import { allowedMethods, type Found } from '../server/route-index.js';
import type { Connection } from './connection.js';
import { CallExchange } from './frame-exchange.js';
import type { CallFrame } from './plain-calls.js';
import type { Sockets } from './sockets.js';

/** Why a call is refused unseen: too many of the connection are not answered yet, or too much waits in the queue. */
export type Excess = 'calls' | 'work';

/**
 * @param length of the frame in characters
 * @param excess null if it is not refused
 */
export function runCall(
  connection: Connection,
  sockets: Sockets,
  frame: CallFrame,
  length: number,
  excess: Excess | null,
): void {
  const { found } = frame;
  const call = begin(connection, sockets, frame, length);
  try {
    if (excess === 'work') sendProblem(call, 'overloaded', QUEUE_IS_FULL);
    else if (excess === 'calls') refuseTooMany(call);
    else if (takesKey(call, connection, sockets, frame) && pays(sockets, call, found, length)) {
      if (found.match === undefined) refuseUnrouted(call, found);
      else run(connection, sockets, call, frame);
    }
  } catch (error) {
    connection.answerBug(call, error);
  }
}

function begin(connection: Connection, sockets: Sockets, frame: CallFrame, length: number): CallExchange {
  const counts = (frame.found.match?.endpoint.callCounts ?? sockets.unroutedCalls).of(frame.method);
  const call = new CallExchange(
    connection,
    frame.id,
    connection.keys.latest,
    sockets.arrivedAtMs,
    counts,
    frame.isMinimal,
    length,
  );
  connection.callsInFlight += 1;
  sockets.traffic.inFlight += 1;
  return call;
}

function refuseTooMany(call: CallExchange): void {
  sendProblem(call, 'rate_limited', {
    detail: 'Too many calls of this connection are not answered yet.',
    limit: { name: 'calls_in_flight', maximum: CALLS_PER_SOCKET_MAX },
  });
}

/** Finds the key that a call is sent with. @returns false if the connection does not have it; the call is answered then */
function takesKey(call: CallExchange, connection: Connection, { world }: Sockets, { playerId }: CallFrame): boolean {
  if (playerId !== undefined && !connection.isOpen) {
    const hash = connection.keys.of(parsePlayerId(world, playerId));
    if (hash === undefined) {
      prepareProblem(call, 'unauthenticated', { detail: 'The connection has no key of this player.' });
      call.durable();
      return false;
    }
    call.keyHash = hash;
  }
  return true;
}

/** Takes the tokens of a call. An operation that is free by itself costs as much as any other one, as in a batch. */
function pays({ admission }: Sockets, call: CallExchange, { match }: Found<Operation>, length: number): boolean {
  const cost = Math.max(match?.endpoint.cost ?? UNROUTED_COST, 1);
  return admission.admits(call, cost + Math.floor(length / BODY_BYTES_PER_TOKEN));
}

function refuseUnrouted(call: CallExchange, { matches }: Found<Operation>): void {
  if (matches.length === 0) sendProblem(call, 'route_not_found');
  else sendProblem(call, 'method_not_allowed', { headers: ['allow', allowedMethods(matches)] });
}

function run(connection: Connection, sockets: Sockets, call: CallExchange, frame: CallFrame): void {
  const { match, query } = frame.found;
  if (match === undefined) return;
  const operation = match.endpoint;
  call.query = query;
  call.parameters = match.parameters;
  if (frame.ifMatch !== undefined) call.ifMatch = frame.ifMatch;
  if (frame.minSeq !== undefined) call.minSeq = String(frame.minSeq);
  const body = frame.isBodyRead ? operation.checkRead(call, frame.body) : operation.check(call, frame.body);
  if (call.isDone) return;
  if (frame.idempotencyKey !== undefined && isWrite(operation.method)) {
    call.idempotencyKey = frame.idempotencyKey;
    // A reply that has no short form is kept whole, and the bytes that identify the request are those that a client sends over HTTP.
    call.wantsBody = true;
    if (frame.body !== undefined) call.body = Buffer.from(JSON.stringify(frame.body));
  }
  if (!operation.isHeavy) operation.runChecked(call, body);
  else {
    const work = new HeavyCall(connection, call, operation, body);
    if (!sockets.work.add(sockets.admission.ownerOf(call), work)) sendProblem(call, 'overloaded', QUEUE_IS_FULL);
  }
}

/** A costly call, which waits for its turn in the work queue and may continue in further turns. */
class HeavyCall implements Work {
  #rest: (() => boolean) | null = null;

  constructor(
    private readonly connection: Connection,
    private readonly call: CallExchange,
    private readonly operation: Operation,
    private readonly body: unknown,
  ) {}

  get isDone(): boolean {
    return this.call.isDone;
  }

  step(): boolean {
    if (this.#rest !== null) return this.#rest();
    const { call } = this;
    call.takeTurns = (rest) => {
      this.#rest = rest;
    };
    this.operation.runChecked(call, this.body);
    call.takeTurns = null;
    return this.#rest === null;
  }

  failed(error: unknown): void {
    this.connection.answerBug(this.call, error);
  }
}
