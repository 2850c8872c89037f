// A queue that is worked off in slices of a turn of the event loop, so that other work gets its turn in between.

/** Members in the order in which they were added. */
export class SlicedQueue<Member> {
  #present: Member[] = [];
  /** Index of the first one whose turn has not come. */
  #next = 0;
  /** Those that were added since the present ones began. */
  #added: Member[] = [];

  /** @param take what happens to a member when its turn comes; it may add members, and must not throw */
  constructor(private readonly take: (member: Member) => void) {}

  get isEmpty(): boolean {
    return this.#added.length === 0 && !this.isBehind;
  }

  /** True if the last slice did not come to its end. */
  get isBehind(): boolean {
    return this.#next < this.#present.length;
  }

  add(member: Member): void {
    this.#added.push(member);
  }

  /**
   * Runs a slice: at least one member has its turn, if there is one. Those that are added meanwhile wait for the next slice.
   *
   * @param endMs when the slice ends, as elapsedMs() measures
   */
  run(elapsedMs: () => number, endMs: number): void {
    if (!this.isBehind) {
      if (this.#added.length === 0) return;
      this.#present = this.#added;
      this.#added = [];
      this.#next = 0;
    }
    do {
      const member = this.#present[this.#next] as Member;
      this.#next += 1;
      this.take(member);
    } while (this.isBehind && elapsedMs() < endMs);
    if (this.isBehind) return;
    this.#present = [];
    this.#next = 0;
  }
}
