// A request that came before is answered as it was then: the Idempotency-Key of a POST finds the reply that was kept with
// what the request changed. Nothing is kept here; the world does, so that it survives whatever the world survives.
import { createHash, hash } from 'node:crypto';
import { canKeep, type KeptReply, REPLY_FORMS } from '../engine/kept-replies.js';
import type { Exchange, ExtraHeaders } from './exchange.js';
import type { Game } from './game.js';
import { IDEMPOTENCY_KEY_LENGTH_MAX } from './limits.js';
import { refuse } from './problems.js';
import type { Route } from './route.js';
import { openReply, sealReply } from './sealed-reply.js';

/** What tells that a batch's reply is in its minimal form (RFC 7240, section 3). */
export const MINIMAL_HEADERS: ExtraHeaders = ['preference-applied', 'return=minimal'];
const REPLAYED_HEADERS: ExtraHeaders = ['idempotency-replayed', 'true'];

/** Visible ASCII; quotes, which the draft of the IETF demands and few clients send, are part of the key as they come. */
const KEY_PATTERN = /^[\x21-\x7e]+$/;
/** 128 bits of a SHA-256. */
const DIGEST_BYTES = 16;

/** False where the header is no key; the exchange is answered then. */
export function acceptsKey(exchange: Exchange, key: string): boolean {
  if (key.length <= IDEMPOTENCY_KEY_LENGTH_MAX && KEY_PATTERN.test(key)) return true;
  const message = `must be 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} visible ASCII characters`;
  refuse(exchange, 'invalid_request', { errors: [{ path: 'Idempotency-Key', message }] });
  return false;
}

/**
 * Answers as before where the request came before, and otherwise lets its handler answer. Where that changes the world and
 * succeeds, the reply is kept in the same record of the log as the change: both survive, or neither. A refusal changes
 * nothing and leaves the key free.
 *
 * @param body as the schema of the route says it is
 */
export function answerOnce(game: Game, route: Route, exchange: Exchange, key: string, body: unknown): void {
  const keyDigest = hash('sha256', key, 'buffer').subarray(0, DIGEST_BYTES).toString('base64url');
  const requestDigest = digestOf(route, exchange);
  const kept = game.world.keptReplies.find(scopeOf(game, route, exchange, body), keyDigest);
  if (kept !== undefined) {
    if (!game.mayTell(kept.seq)) refuse(exchange, 'idempotency_key_in_flight');
    else if (kept.requestDigest !== requestDigest) refuse(exchange, 'idempotency_key_reused');
    else replay(game, exchange, kept, key);
    return;
  }
  game.sequencer.together(() => {
    const seqBefore = game.sequencer.lastSeq;
    route.handle(game, exchange, body);
    const { status } = exchange;
    if (game.sequencer.lastSeq === seqBefore || status >= 300) return;
    // Asked again: who is created has not been there before.
    const scope = scopeOf(game, route, exchange, body);
    const { form, reply } = keptForm(game, route, exchange, scope, key, requestDigest);
    if (!canKeep(scope, reply)) return;
    game.sequencer.submit({ type: 'keep_reply', scope, keyDigest, requestDigest, status, form, reply });
  });
}

/** With keys it is the caller's own number, which needs no trust in what the request says. */
function scopeOf(game: Game, route: Route, exchange: Exchange, body: unknown): number {
  const isCallerKnown = game.settings.auth === 'key' && route.access !== 'public';
  return isCallerKnown ? exchange.callerNumber : route.actor(game, exchange, body);
}

/** Tells the request from any other: its route, what its path names, and its body as it came. */
function digestOf({ method, path }: Route, { parameters, body }: Exchange): string {
  const digest = createHash('sha256').update(JSON.stringify([method, path, ...parameters]));
  if (body !== null) digest.update('\n').update(body);
  return digest.digest().subarray(0, DIGEST_BYTES).toString('base64url');
}

type KeptForm = Pick<KeptReply, 'form' | 'reply'>;

/** What is kept of a reply: a batch's, shortened where it is too long, and one with an API key only sealed. */
function keptForm(
  game: Game,
  { isReplySecret }: Route,
  exchange: Exchange,
  scope: number,
  key: string,
  requestDigest: string,
): KeptForm {
  const text = typeof exchange.reply === 'string' ? exchange.reply : Buffer.from(exchange.reply).toString();
  if (exchange.extraHeaders === MINIMAL_HEADERS) return { form: REPLY_FORMS.minimal, reply: text };
  const whole: KeptForm =
    isReplySecret && game.settings.auth === 'key'
      ? { form: REPLY_FORMS.sealed, reply: sealReply(text, key, requestDigest) }
      : { form: REPLY_FORMS.whole, reply: text };
  if (exchange.minimalReply === null || canKeep(scope, whole.reply)) return whole;
  return { form: REPLY_FORMS.minimal, reply: exchange.minimalReply() };
}

function replay(game: Game, exchange: Exchange, kept: KeptReply, key: string): void {
  const { seq, status, form, requestDigest } = kept;
  exchange.extraHeaders = form === REPLY_FORMS.minimal ? [...REPLAYED_HEADERS, ...MINIMAL_HEADERS] : REPLAYED_HEADERS;
  const reply = form === REPLY_FORMS.sealed ? openReply(kept.reply, key, requestDigest) : kept.reply;
  game.answer(exchange, seq, reply, status);
}
