// Idempotency keys over HTTP: who owns a key, who may see its reply, what is kept of a reply and how it is replayed.
// keyed-execution.ts carries out a request with a key.
import { createHash, hash } from 'node:crypto';
import { canKeep, type KeptReply, PUBLIC_SCOPE, REPLY_FORMS } from '../../engine/world/kept-replies.js';
import { type Exchange, type ExtraHeaders, MINIMAL_HEADERS } from '../exchange/exchange.js';
import { prepareProblem, sendProblem } from '../exchange/problems.js';
import type { Access } from '../game/access.js';
import type { Replies } from '../game/replies.js';
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../limits.js';
import { type KeptForm, type KeyedRequest, type KeyedWorld, MISTAKE } from './keyed-execution.js';
import type { BoundRoute, Route } from './route.js';
import { openReply, sealReply } from './sealed-reply.js';

const REPLAYED_HEADERS: ExtraHeaders = ['idempotency-replayed', 'true'];

/** Visible ASCII. The IETF draft requires quotes, which few clients send; if sent, they are part of the key. */
const KEY_PATTERN = /^[!-~]+$/;
/** 128 bits of a SHA-256. */
const DIGEST_BYTES = 16;

/** Returns false if the header is not a valid key; the exchange is then already answered. */
export function acceptsKey(exchange: Exchange, key: string): boolean {
  if (key.length <= IDEMPOTENCY_KEY_LENGTH_MAX && KEY_PATTERN.test(key)) return true;
  const message = `must be 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} visible ASCII characters`;
  sendProblem(exchange, 'invalid_request', { errors: [{ path: 'Idempotency-Key', message }] });
  return false;
}

export interface KeyedPorts extends KeyedWorld {
  readonly access: Pick<Access, 'givesKeys' | 'keyHolder'>;
  readonly replies: Pick<Replies, 'send' | 'answer' | 'refuse'>;
}

/** A request with a key, whose shape is checked and whose caller is known. */
export class KeyedExchange implements KeyedRequest {
  readonly requestDigest: string;
  readonly #keyDigest: string;

  /** @param body matches the schema of the route */
  constructor(
    private readonly parts: KeyedPorts,
    private readonly bound: BoundRoute,
    private readonly exchange: Exchange,
    private readonly key: string,
    private readonly body: unknown,
  ) {
    this.requestDigest = requestDigest(bound.route, exchange);
    this.#keyDigest = digestOf(key);
  }

  carryOut(): void {
    this.bound.handle(this.exchange, this.body);
  }

  /** The scope of the key: with API keys that of the caller, whatever the request names. */
  scope(): number {
    const { bound, exchange } = this;
    const isCallerKnown = this.parts.access.givesKeys && bound.route.access !== 'public';
    return isCallerKnown ? exchange.callerNumber : bound.actor(exchange, this.body);
  }

  /**
   * The kept reply that the caller may see. A caller who does not own the key finds only the reply to this very
   * request: to another request with the key it appears unused.
   */
  recall(scope: number): KeptReply | undefined {
    const { keptReplies } = this.parts;
    const shared = scope === PUBLIC_SCOPE ? keptReplies.find(scope, this.#sharedDigest) : undefined;
    // While the world was served without API keys, all replies were kept under the key alone.
    const kept = shared ?? keptReplies.find(scope, this.#keyDigest);
    return this.#owns(scope) || kept?.requestDigest === this.requestDigest ? kept : undefined;
  }

  keyDigestIn(scope: number): string {
    const isShared = scope === PUBLIC_SCOPE && this.parts.access.givesKeys;
    return isShared ? this.#sharedDigest : this.#keyDigest;
  }

  /**
   * What to keep of the reply: of a batch only the statuses if it is too long; a reply that may hold an API key is sealed. A sealed
   * one is replayed without Preference-Applied, which is optional.
   */
  keptForm(scope: number): KeptForm | null {
    const { exchange } = this;
    const { status, statusesReply } = exchange;
    if (status >= 300) return null;
    const text = typeof exchange.reply === 'string' ? exchange.reply : Buffer.from(exchange.reply).toString();
    const isSealed = this.bound.route.isReplySecret && this.parts.access.givesKeys;
    const reply = isSealed ? sealReply(text, this.key, this.requestDigest) : text;
    if (statusesReply !== null && !canKeep(scope, reply)) {
      return { status, form: REPLY_FORMS.minimal, reply: statusesReply() };
    }
    const plainForm = exchange.extraHeaders === MINIMAL_HEADERS ? REPLY_FORMS.minimal : REPLY_FORMS.whole;
    return { status, form: isSealed ? REPLY_FORMS.sealed : plainForm, reply };
  }

  replay({ seq, status, form, reply }: KeptReply): void {
    const { exchange } = this;
    const { replies } = this.parts;
    if (status === MISTAKE.status) {
      prepareProblem(exchange, 'internal_error');
      exchange.extraHeaders = REPLAYED_HEADERS;
      replies.send(exchange, seq);
      return;
    }
    exchange.extraHeaders = form === REPLY_FORMS.minimal ? [...REPLAYED_HEADERS, ...MINIMAL_HEADERS] : REPLAYED_HEADERS;
    const text = form === REPLY_FORMS.sealed ? openReply(reply, this.key, this.requestDigest) : reply;
    replies.answer(exchange, seq, text, status);
  }

  refuseInFlight(): void {
    sendProblem(this.exchange, 'idempotency_key_in_flight');
  }

  refuseReused(): void {
    this.parts.replies.refuse(this.exchange, 'idempotency_key_reused');
  }

  #owns(scope: number): boolean {
    const { access } = this.parts;
    if (!access.givesKeys || this.bound.route.access !== 'public') return true;
    return access.keyHolder(this.exchange) === scope;
  }

  /**
   * With API keys, callers without one share a scope, and none of them owns a key in it. There the digest also covers
   * the request, so that the keys of different callers never conflict.
   */
  get #sharedDigest(): string {
    return digestOf(`${this.key}\n${this.requestDigest}`);
  }
}

/** The digest of a key, or of a request, as it is kept. */
export function digestOf(text: string): string {
  return hash('sha256', text, 'buffer').subarray(0, DIGEST_BYTES).toString('base64url');
}

/** Identifies a request by its route, path parameters and raw body. */
function requestDigest({ method, path }: Route, { parameters, body }: Exchange): string {
  const digest = createHash('sha256').update(JSON.stringify([method, path, ...parameters]));
  if (body !== null && body.length > 0) digest.update('\n').update(body);
  return digest.digest().subarray(0, DIGEST_BYTES).toString('base64url');
}
