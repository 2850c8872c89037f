// A queue whose owners take turns: first the owners (a player's key, else an address), then the members of one owner. So nobody waits for
// all of another's.

/** The owner of a share: the number of the player whose API key was sent, or an IP address. */
export type Owner = number | string;

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

  /** Removes the next member; its owner goes to the end of the line. @returns null if there is none */
  take(): { readonly owner: Owner; readonly member: Member } | null {
    for (const [owner, members] of this.#members) {
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
