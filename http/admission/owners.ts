// How clients share what the server has: each counts for itself, takes turns with the others, and leaves room to them.

/** The owner of a share: the number of the player whose API key was sent, or an IP address. */
export type Owner = number | string;

/** How much of something each owner has. An owner that has nothing is forgotten. */
export class OwnerCounts<Key extends Owner = Owner> {
  readonly #counts = new Map<Key, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(owner: Key): number {
    return this.#counts.get(owner) ?? 0;
  }

  /** All owners that have something. */
  owners(): Iterable<Key> {
    return this.#counts.keys();
  }

  /** The counts of all owners that have something. */
  values(): Iterable<number> {
    return this.#counts.values();
  }

  add(owner: Key, change: number): void {
    if (change === 0) return;
    this.#total += change;
    const count = this.of(owner) + change;
    if (count > 0) this.#counts.set(owner, count);
    else this.#counts.delete(owner);
  }
}

/**
 * Something of which there is only so much: bytes, or places. Each owner may have as much as is still free, so that one leaves half to the
 * others and none can take everything (Choudhury and Hahne, "Dynamic Queue Length Thresholds for Shared-Memory Packet Switches", 1998).
 */
export class SharedBudget {
  readonly #taken = new OwnerCounts();

  constructor(
    readonly max: number,
    private readonly perOwnerMax: number = max,
  ) {}

  get used(): number {
    return this.#taken.total;
  }

  /** How much an owner may have at present. */
  get shareMax(): number {
    return Math.min(this.perOwnerMax, this.max - this.used);
  }

  hasRoom(owner: Owner, amount = 1): boolean {
    return this.#taken.of(owner) + amount <= this.shareMax;
  }

  /** @returns false if the share of the owner would be exceeded; nothing is taken then */
  take(owner: Owner, amount = 1): boolean {
    if (!this.hasRoom(owner, amount)) return false;
    this.#taken.add(owner, amount);
    return true;
  }

  /** Takes even beyond the share of the owner: somebody has looked before. */
  takeAnyway(owner: Owner, amount = 1): void {
    this.#taken.add(owner, amount);
  }

  give(owner: Owner, amount = 1): void {
    this.#taken.add(owner, -amount);
  }

  /** What one owner took belongs to another one from now on, even beyond its share. */
  move(from: Owner, to: Owner, amount: number): void {
    this.give(from, amount);
    this.takeAnyway(to, amount);
  }
}

/** A queue whose owners take turns: first the owners, then the members of one owner. So nobody waits for all of another's. */
export class OwnerQueue<Member> {
  /** The owners with members, the next one first; each with its members, the next first. */
  readonly #members = new Map<Owner, Member[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Members of one owner. */
  countOf(owner: Owner): number {
    return this.#members.get(owner)?.length ?? 0;
  }

  add(owner: Owner, member: Member): void {
    this.#size += 1;
    const members = this.#members.get(owner);
    if (members === undefined) this.#members.set(owner, [member]);
    else members.push(member);
  }

  /**
   * Removes the next member; its owner goes to the end of the line.
   *
   * @param mayTake owners for which it is false are skipped
   * @returns null if there is none
   */
  take(mayTake?: (owner: Owner) => boolean): { readonly owner: Owner; readonly member: Member } | null {
    for (const [owner, members] of this.#members) {
      if (mayTake?.(owner) === false) continue;
      const member = members.shift();
      this.#members.delete(owner);
      if (members.length > 0) this.#members.set(owner, members);
      if (member === undefined) return null;
      this.#size -= 1;
      return { owner, member };
    }
    return null;
  }
}
