// Replies that are kept for requests with an Idempotency-Key: a repeated request gets the same reply again. They are
// part of the state: of the log, the rows and the hash. This file does not interpret keys or replies. The oldest reply
// is evicted first.
import {
  KEPT_REPLIES_PER_PLAYER_MAX,
  KEPT_REPLY_BYTES_MAX,
  KEPT_REPLY_BYTES_OF_WORLD_MAX,
  KEPT_REPLY_BYTES_PER_PLAYER_MAX,
  KEPT_REPLY_OVERHEAD_BYTES,
} from '../rules/limits.js';

/** How the text of a kept reply is encoded. The numbers are written to disk and never reused. */
export const REPLY_FORMS = {
  /** The reply as it was sent. */
  whole: 0,
  /** Short: what `Prefer: return=minimal` asked for, or only the statuses and codes of a batch. */
  minimal: 1,
  /** Encrypted: only a client that has the Idempotency-Key can read it. */
  sealed: 2,
} as const;
/** The highest of them. */
export const REPLY_FORM_MAX: number = Math.max(...Object.values(REPLY_FORMS));

/** Scope of the operator's requests. */
export const WORLD_SCOPE = 0;
/** Scope of unauthenticated batches. They share one limit, so that they cannot evict anybody else's replies. */
export const PUBLIC_SCOPE = -1;

export interface KeptReply {
  /** Seq of the entry that keeps it. */
  readonly seq: number;
  /** Number of the player whose key it is, WORLD_SCOPE or PUBLIC_SCOPE. */
  readonly scope: number;
  readonly keyDigest: string;
  /** Distinguishes the request from others with the same key. */
  readonly requestDigest: string;
  readonly status: number;
  /** One of REPLY_FORMS. */
  readonly form: number;
  readonly reply: string;
}

export class KeptReplies {
  readonly #scopes = new Map<number, Scope>();
  #oldest: Link | null = null;
  #newest: Link | null = null;
  #count = 0;
  #byteCount = 0;

  get count(): number {
    return this.#count;
  }

  /** Sum of keptReplyBytes() over all replies. */
  get byteCount(): number {
    return this.#byteCount;
  }

  find(scope: number, keyDigest: string): KeptReply | undefined {
    return this.#scopes.get(scope)?.links.get(keyDigest)?.kept;
  }

  /**
   * Keeps a reply. While a limit is exceeded it evicts the oldest reply: first of the scope, then of all scopes.
   *
   * @throws Error if the reply is older than the newest one, its key is in use, or it is too long for its scope
   */
  add(kept: KeptReply): void {
    const bytes = keptReplyBytes(kept.reply);
    const scope = this.#scopes.get(kept.scope) ?? new Scope();
    if (this.#newest !== null && kept.seq <= this.#newest.kept.seq)
      throw new Error('kept replies must be added in order of seq');
    if (scope.links.has(kept.keyDigest)) throw new Error(`the key ${kept.keyDigest} already has a kept reply`);
    if (bytes > replyBytesMax(kept.scope)) throw new Error(`a reply of ${bytes} bytes is too long to be kept`);
    this.#scopes.set(kept.scope, scope);
    this.#append(new Link(kept, bytes), scope);
    while (scope.isTooLarge(kept.scope) && scope.oldest !== null) this.#remove(scope.oldest, scope);
    while (this.#byteCount > KEPT_REPLY_BYTES_MAX && this.#oldest !== null) {
      const { scope: number } = this.#oldest.kept;
      this.#remove(this.#oldest, this.#scopes.get(number) as Scope);
      if (this.#scopes.get(number)?.oldest === null) this.#scopes.delete(number);
    }
  }

  /** Removes all replies of a scope. */
  drop(scope: number): void {
    const dropped = this.#scopes.get(scope);
    if (dropped === undefined) return;
    while (dropped.oldest !== null) this.#remove(dropped.oldest, dropped);
    this.#scopes.delete(scope);
  }

  /** All kept replies in order of seq. */
  *inOrder(): Generator<KeptReply> {
    for (let link = this.#oldest; link !== null; link = link.newer) yield link.kept;
  }

  #append(link: Link, scope: Scope): void {
    link.older = this.#newest;
    if (this.#newest === null) this.#oldest = link;
    else this.#newest.newer = link;
    this.#newest = link;
    scope.append(link);
    this.#count += 1;
    this.#byteCount += link.bytes;
  }

  /** @param link the oldest of its scope */
  #remove(link: Link, scope: Scope): void {
    if (link.older === null) this.#oldest = link.newer;
    else link.older.newer = link.newer;
    if (link.newer === null) this.#newest = link.older;
    else link.newer.older = link.older;
    scope.removeOldest(link);
    this.#count -= 1;
    this.#byteCount -= link.bytes;
  }
}

/**
 * Bytes that a kept reply counts as; close to its size in memory. A text with any character beyond Latin-1 takes two
 * bytes for each UTF-16 code unit.
 */
export function keptReplyBytes(reply: string): number {
  const bytesPerUnit = BEYOND_LATIN_1.test(reply) ? 2 : 1;
  return KEPT_REPLY_OVERHEAD_BYTES + bytesPerUnit * reply.length;
}

const BEYOND_LATIN_1 = /[\u0100-\uffff]/;

/** True if a reply is short enough to be kept in its scope. */
export function canKeep(scope: number, reply: string): boolean {
  return keptReplyBytes(reply) <= replyBytesMax(scope);
}

/** Only a reply to the operator may be longer than all replies of a player together. */
function replyBytesMax(scope: number): number {
  return scope === WORLD_SCOPE ? KEPT_REPLY_BYTES_OF_WORLD_MAX : KEPT_REPLY_BYTES_PER_PLAYER_MAX;
}

function scopeBytesMax(scope: number): number {
  return isPlayer(scope) ? KEPT_REPLY_BYTES_PER_PLAYER_MAX : KEPT_REPLY_BYTES_OF_WORLD_MAX;
}

function isPlayer(scope: number): boolean {
  return scope > WORLD_SCOPE;
}

/** A node of two linked lists in order of seq: of all kept replies, and of those in its scope. */
class Link {
  older: Link | null = null;
  newer: Link | null = null;
  newerInScope: Link | null = null;

  constructor(
    readonly kept: KeptReply,
    readonly bytes: number,
  ) {}
}

/** The kept replies of one scope. */
class Scope {
  readonly links = new Map<string, Link>();
  oldest: Link | null = null;
  #newest: Link | null = null;
  #byteCount = 0;

  /** @param scope its own number */
  isTooLarge(scope: number): boolean {
    if (this.#byteCount > scopeBytesMax(scope)) return true;
    return isPlayer(scope) && this.links.size > KEPT_REPLIES_PER_PLAYER_MAX;
  }

  append(link: Link): void {
    if (this.#newest === null) this.oldest = link;
    else this.#newest.newerInScope = link;
    this.#newest = link;
    this.links.set(link.kept.keyDigest, link);
    this.#byteCount += link.bytes;
  }

  removeOldest(link: Link): void {
    this.oldest = link.newerInScope;
    if (this.oldest === null) this.#newest = null;
    this.links.delete(link.kept.keyDigest);
    this.#byteCount -= link.bytes;
  }
}
