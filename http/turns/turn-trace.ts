// What each entrant of a game of turns has asked, and what it was answered, as lines of JSON: for its author, who sees a refusal beside the
// request that caused it. A trace is no part of the game: it holds durations, and nothing is computed from it.
import { playerId } from '../../engine/terms/ids.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { parsedJson } from '../../text/foreign-text.js';
import type { Owner } from '../admission/owners.js';
import { type Exchange, JSON_TYPE, PROBLEM_TYPE, type RequestTrace } from '../exchange/exchange.js';
import { isoText } from '../exchange/iso-time.js';
import { TRACE_ANSWER_LENGTH_MAX, TRACE_BODY_LENGTH_MAX, TRACE_BYTES_MAX } from '../limits.js';
import type { WakeCause } from './turn-game.js';
import { shownWake } from './turn-view.js';
import type { Turns } from './turns.js';

/** Where the lines of traces go. */
export interface TraceLines {
  /** Appends a line, with its line break, to the trace of a player. Must not throw. */
  write(playerId: string, line: string): void;
}

interface TraceParts {
  readonly world: ReadonlyWorld;
  readonly turns: Turns;
  readonly lines: TraceLines;
  readonly nowMs: () => number;
  /** Number of the player whose key a request carries. */
  readonly ownerOf: (exchange: Exchange) => Owner;
}

/** Whose turn it was, which one, and why. */
interface PresentTurn extends WakeCause {
  readonly playerNumber: number;
  readonly turn: number;
}

export class TurnTrace implements RequestTrace {
  /** Bytes of each trace, and the turn of its last line. */
  readonly #written = new Map<number, { bytes: number; turn: number | null }>();

  constructor(private readonly parts: TraceParts) {}

  begin(exchange: Exchange, method: string, target: string, body: unknown): void {
    const beganMs = performance.now();
    const present = this.#presentTurn();
    const asked = { method, path: target, ...shownBody(body) };
    exchange.onAnswered = (status) => {
      // Each operation of a batch has its own line.
      if (target === BATCH_PATH && status === 200) return;
      const playerNumber = this.parts.ownerOf(exchange);
      if (typeof playerNumber !== 'number') return;
      // A request that waits for a turn belongs to the turn that it was answered with.
      const turn = [present, this.#presentTurn()].find((each) => each?.playerNumber === playerNumber) ?? null;
      const ms = Number((performance.now() - beganMs).toFixed(1));
      this.#write(playerNumber, turn, {
        requestId: exchange.requestId,
        ...asked,
        ...shownAnswer(exchange, method, status),
        ms,
      });
    };
  }

  #presentTurn(): PresentTurn | null {
    const active = this.parts.turns.game?.active ?? null;
    if (active === null) return null;
    const { playerNumber, wakeups: turn, wakeReason, isWokenByOther } = active;
    return { playerNumber, turn, wakeReason, isWokenByOther };
  }

  #write(playerNumber: number, present: PresentTurn | null, request: object): void {
    const { world, lines, nowMs } = this.parts;
    const written = this.#written.get(playerNumber) ?? { bytes: 0, turn: null };
    if (written.bytes > TRACE_BYTES_MAX) return;
    const turn = present?.turn ?? null;
    const isFirst = present !== null && turn !== written.turn;
    const wokenBy = isFirst ? { wokenBy: shownWake(world, present) } : {};
    const line = lineOf({ turn, ...wokenBy, worldTime: isoText(nowMs()), ...request });
    written.bytes += Buffer.byteLength(line);
    if (turn !== null) written.turn = turn;
    this.#written.set(playerNumber, written);
    lines.write(
      playerId(world, playerNumber),
      written.bytes > TRACE_BYTES_MAX ? lineOf({ isCut: true, bytesMax: TRACE_BYTES_MAX }) : line,
    );
  }
}

function lineOf(value: object): string {
  return `${JSON.stringify(value).replace(API_KEY, 'gxd_…')}\n`;
}

const BATCH_PATH = '/api/batch';

/** An API key of a player (http/admission/identity.ts). */
const API_KEY = /gxd_[\w-]{43}/g;

/** @param body bytes of a request, or a value that is parsed already; undefined for none */
function shownBody(body: unknown): { readonly body?: unknown } {
  if (body === undefined || (body instanceof Uint8Array && body.length === 0)) return {};
  const text = body instanceof Uint8Array ? Buffer.from(body).toString() : JSON.stringify(body);
  return { body: text.length <= TRACE_BODY_LENGTH_MAX ? parsedOr(text) : `${text.slice(0, TRACE_BODY_LENGTH_MAX)}…` };
}

/** Of the answer to a read only the length is shown: an entrant reads much more than it says. */
function shownAnswer(exchange: Exchange, method: string, status: number | null): object {
  const { problemCode: code, reply, replyType } = exchange;
  const { length } = reply;
  const head = code === '' ? { status } : { status, code };
  if (status === null || length === 0) return head;
  const isText = length <= TRACE_ANSWER_LENGTH_MAX && (replyType === JSON_TYPE || replyType === PROBLEM_TYPE);
  if (!isText || (method === 'GET' && code === '')) return { ...head, answerLength: length };
  return { ...head, answer: parsedOr(typeof reply === 'string' ? reply : Buffer.from(reply).toString()) };
}

/** @returns what a JSON text stands for; the text itself if it is none */
function parsedOr(text: string): unknown {
  const value = parsedJson(text);
  return value === undefined ? text : value;
}
