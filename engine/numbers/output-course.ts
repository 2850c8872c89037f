// The output of a resource in a galaxy over time, in per cent of the usual: 100, but for the time of shocks. What is produced between two
// instants is the area under it, so no planet is settled where a shock begins or ends.

const USUAL_PERCENT = 100;

/** A time with another output. */
interface Period {
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  readonly percent: number;
  /** What all periods before it, forgotten ones included, add to the usual area; less than 0 if they take from it. */
  readonly addedBefore: number;
}

export class OutputCourse {
  readonly #periods: Period[] = [];
  /** What forgotten periods have added. */
  #forgotten = 0;

  /** Adds a period that begins no earlier than those before it end. */
  add(startsAtMs: number, endsAtMs: number, percent: number): void {
    this.#periods.push({ startsAtMs, endsAtMs, percent, addedBefore: this.#addedUntil(startsAtMs) });
  }

  /** Forgets the first period: nobody asks any more for what was before its end. */
  forgetFirst(): void {
    const [first] = this.#periods;
    if (first === undefined) return;
    this.#forgotten = this.#addedUntil(first.endsAtMs);
    this.#periods.shift();
  }

  /** In per cent of the usual output. */
  percentAt(atMs: number): number {
    const period = this.#lastBegun(atMs);
    return period !== undefined && atMs < period.endsAtMs ? period.percent : USUAL_PERCENT;
  }

  /** The area between two instants, in per cent times milliseconds, beyond that of the usual output; less than 0 if there is less. */
  addedBetween(fromMs: number, toMs: number): number {
    return this.#addedUntil(toMs) - this.#addedUntil(fromMs);
  }

  /**
   * Returns the first instant at which the area since another one has reached a size.
   *
   * @param area in per cent times milliseconds
   */
  reachedMs(fromMs: number, area: number): number {
    let atMs = fromMs;
    let left = area;
    for (let place = Math.max(0, this.#placeBegun(fromMs)); place < this.#periods.length; place += 1) {
      const { startsAtMs, endsAtMs, percent } = this.#periods[place] as Period;
      if (endsAtMs <= atMs) continue;
      const before = Math.max(0, startsAtMs - atMs) * USUAL_PERCENT;
      if (left <= before) break;
      left -= before;
      atMs = Math.max(atMs, startsAtMs);
      const within = (endsAtMs - atMs) * percent;
      if (left <= within) return atMs + Math.ceil(left / percent);
      left -= within;
      atMs = endsAtMs;
    }
    return atMs + Math.ceil(left / USUAL_PERCENT);
  }

  #addedUntil(atMs: number): number {
    const period = this.#lastBegun(atMs);
    if (period === undefined) return this.#forgotten;
    const { startsAtMs, endsAtMs, percent, addedBefore } = period;
    return addedBefore + (Math.min(atMs, endsAtMs) - startsAtMs) * (percent - USUAL_PERCENT);
  }

  #lastBegun(atMs: number): Period | undefined {
    return this.#periods[this.#placeBegun(atMs)];
  }

  /** Place of the last period that has begun; -1 if none has. */
  #placeBegun(atMs: number): number {
    let [begun, pending] = [-1, this.#periods.length];
    while (pending - begun > 1) {
      const middle = Math.floor((begun + pending) / 2);
      if ((this.#periods[middle] as Period).startsAtMs <= atMs) begun = middle;
      else pending = middle;
    }
    return begun;
  }
}
