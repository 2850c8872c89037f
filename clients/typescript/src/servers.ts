// The servers of one world: which of them a request goes to, who leads, and the latest seq that the client has seen. A key goes only to
// servers that the program has named.
export interface ServersOptions {
  /** What the program has named, at least one. */
  readonly baseUrls: readonly string[];
  /** Whether the word of these servers is enough to send requests, with their keys, to another one. */
  readonly followsAnyLeader: boolean;
  /** Whether requests ask for what the client has seen. */
  readonly readsOwnWrites: boolean;
}

export class Servers {
  /** They have no slash at the end. */
  readonly urls: readonly [string, ...string[]];
  readonly #followsAnyLeader: boolean;
  readonly #readsOwnWrites: boolean;
  #present = 0;
  /** Where commands go; null if that is not known. */
  #leader: string | null = null;
  #seq = 0;
  #isReached = false;

  /** @throws RangeError if no URL is given */
  constructor({ baseUrls, followsAnyLeader, readsOwnWrites }: ServersOptions) {
    const [first, ...others] = baseUrls.map(plainUrl);
    if (first === undefined) throw new RangeError('baseUrl must name at least one server');
    this.urls = [first, ...others];
    this.#followsAnyLeader = followsAnyLeader;
    this.#readsOwnWrites = readsOwnWrites;
  }

  /** Where reads go. */
  get present(): string {
    return this.urls[this.#present] ?? this.urls[0];
  }

  /** Where commands go. */
  get leader(): string {
    return this.#leader ?? this.present;
  }

  /** The seq for x-min-seq; 0 for none. */
  get minSeq(): number {
    return this.#readsOwnWrites ? this.#seq : 0;
  }

  /** Whether any of them has ever answered. */
  get isReached(): boolean {
    return this.#isReached;
  }

  /** Learns from a reply, and from its x-world-seq. */
  note(seq: number): void {
    this.#isReached = true;
    if (seq > this.#seq) this.#seq = seq;
  }

  /** No server has what the client has seen: the world was restored to before that, or all are behind. */
  forget(): void {
    this.#seq = 0;
  }

  /** A server gives no reply, or nobody leads as far as it knows: the next requests go to the next one. */
  failed(url: string): void {
    if (this.#leader === url) this.#leader = null;
    if (this.present === url) this.#present = (this.#present + 1) % this.urls.length;
  }

  /**
   * A server says that another one leads.
   *
   * @param location URL of the request at the leader
   * @param target of the request: path and query
   * @returns whether commands go to the leader now; if not, they go to the next server that the program has named
   */
  referred(url: string, location: string | null, target: string): boolean {
    const leader = location === null ? null : this.#baseOf(location, target, url);
    if (leader === null || leader === url) {
      this.failed(url);
      return false;
    }
    this.#leader = leader;
    return true;
  }

  /**
   * Where the leader is. A location that the program has not named is believed only on demand, and never if it would take a key
   * from https to http.
   */
  #baseOf(location: string, target: string, from: string): string | null {
    const named = this.urls.find((url) => location.startsWith(`${url}/`));
    if (named !== undefined || !this.#followsAnyLeader || !URL.canParse(location)) return named ?? null;
    const { protocol, origin, pathname } = new URL(location);
    if (!['http:', 'https:'].includes(protocol) || (from.startsWith('https:') && protocol !== 'https:')) return null;
    const asked = new URL(target, origin).pathname.split('/');
    const told = pathname.split('/');
    const prefix = told.slice(0, told.length - asked.length + 1);
    return origin + prefix.join('/');
  }
}

function plainUrl(url: string): string {
  return (URL.canParse(url) ? new URL(url).href : url).replace(/\/+$/, '');
}
