// The replies that a request gets again when it is repeated with its Idempotency-Key. They are state like any other: in
// the log, in the rows, in the hash. What a key or a reply means is not known here; the oldest go first.
import {
  KEPT_REPLIES_PER_PLAYER_MAX,
  KEPT_REPLY_BYTES_MAX,
  KEPT_REPLY_BYTES_OF_WORLD_MAX,
  KEPT_REPLY_BYTES_PER_PLAYER_MAX,
  KEPT_REPLY_OVERHEAD_BYTES,
} from './rules/limits.js';

/** How the text of a kept reply is meant, as a number on disk; never reused. */
export const REPLY_FORMS = {
  /** As it was sent. */
  whole: 0,
  /** A batch's statuses and codes alone. */
  minimal: 1,
  /** Encrypted: only who has the Idempotency-Key can read it. */
  sealed: 2,
} as const;

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
  /** Tells the request from others with the same key. */
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

  /** As keptReplyBytes() counts them. */
  get byteCount(): number {
    return this.#byteCount;
  }

  find(scope: number, keyDigest: string): KeptReply | undefined {
    return this.#scopes.get(scope)?.links.get(keyDigest)?.kept;
  }

  /**
   * Keeps a reply, and lets go of the oldest where that is too much: of the scope, then of all.
   *
   * @throws Error where it is older than the newest, its key is in use, or it is longer than its scope can hold
   */
  add(kept: KeptReply): void {
    const bytes = keptReplyBytes(kept.reply);
    const scope = this.#scopes.get(kept.scope) ?? new Scope();
    if (this.#newest !== null && kept.seq <= this.#newest.kept.seq)
      throw new Error('kept replies stand in order of seq');
    if (scope.links.has(kept.keyDigest)) throw new Error(`the key ${kept.keyDigest} keeps a reply already`);
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

  /** All of them in order of seq. */
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

/** Bytes that a kept reply counts, near to what it takes in memory: a text with any character beyond Latin-1 takes two for each. */
export function keptReplyBytes(reply: string): number {
  const bytesPerUnit = BEYOND_LATIN_1.test(reply) ? 2 : 1;
  return KEPT_REPLY_OVERHEAD_BYTES + bytesPerUnit * reply.length;
}

const BEYOND_LATIN_1 = /[\u0100-\uffff]/;

/** True where a reply is not too long for its scope. */
export function canKeep(scope: number, reply: string): boolean {
  return keptReplyBytes(reply) <= replyBytesMax(scope);
}

/** Only the operator's may be longer than all that a player keeps. */
function replyBytesMax(scope: number): number {
  return scope === WORLD_SCOPE ? KEPT_REPLY_BYTES_OF_WORLD_MAX : KEPT_REPLY_BYTES_PER_PLAYER_MAX;
}

function scopeBytesMax(scope: number): number {
  return isPlayer(scope) ? KEPT_REPLY_BYTES_PER_PLAYER_MAX : KEPT_REPLY_BYTES_OF_WORLD_MAX;
}

function isPlayer(scope: number): boolean {
  return scope > WORLD_SCOPE;
}

/** A kept reply between its neighbours in order of seq: among all, and in its scope. */
class Link {
  older: Link | null = null;
  newer: Link | null = null;
  newerInScope: Link | null = null;

  constructor(
    readonly kept: KeptReply,
    readonly bytes: number,
  ) {}
}

/** What one player, or the world, keeps. */
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
