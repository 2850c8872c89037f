// How far a reader has come in a sequence of events, and whether it catches up: it then comes behind the readers that do not.

export class ReaderPosition {
  /** Seq of the last event that there was when it began, or read again. */
  #targetSeq: number;

  /**
   * @param seq of the last event that the reader has
   * @param lastSeq of the last event that there is
   */
  constructor(
    public seq: number,
    lastSeq: number,
  ) {
    this.#targetSeq = lastSeq;
  }

  /** True until it has every event that there was when it began, or read again after a pause. */
  get isCatchingUp(): boolean {
    return this.seq < this.#targetSeq;
  }

  /** To be called when the client reads again: what it missed meanwhile, it must catch up with. */
  resume(lastSeq: number): void {
    this.#targetSeq = lastSeq;
  }
}
