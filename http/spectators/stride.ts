// Which fleets the map shows if there are too many: those whose number is divisible by a power of two, the stride. It rises as soon as
// it must, and falls only after a while, because viewers then fetch all fleets again.
import { MAP_FLEETS_MAX, MAP_LEGS_PER_FRAME_MAX, MAP_STRIDE_FRAMES } from '../limits.js';

/** Shares of the limits that must have been enough for a while before the stride falls. */
const FLEETS_SHARE = 0.75;
const LEGS_SHARE = 0.5;

/** The smallest power of two by which a count must be divided to be at most `countMax`. */
export function strideFor(count: number, countMax: number): number {
  let stride = 1;
  while (count > countMax * stride) stride *= 2;
  return stride;
}

export class MapStride {
  #value = 1;
  /** The highest stride that a frame since the last change needed. */
  #needed = 1;
  #frames = 0;

  get value(): number {
    return this.#value;
  }

  /** Begins anew, with what the fleets in flight need. */
  reset(fleetCount: number): void {
    this.#value = strideFor(fleetCount, MAP_FLEETS_MAX);
    this.#needed = 1;
    this.#frames = 0;
  }

  raiseTo(stride: number): void {
    if (stride <= this.#value) return;
    this.#value = stride;
    this.#needed = 1;
    this.#frames = 0;
  }

  /**
   * A frame was made.
   *
   * @param fleetCount fleets in flight
   * @param changedCount fleets that have changed since the last frame, whatever the stride
   */
  framed(fleetCount: number, changedCount: number): void {
    this.#needed = Math.max(
      this.#needed,
      strideFor(fleetCount, MAP_FLEETS_MAX * FLEETS_SHARE),
      strideFor(changedCount, MAP_LEGS_PER_FRAME_MAX * LEGS_SHARE),
    );
    this.#frames += 1;
    if (this.#frames < MAP_STRIDE_FRAMES) return;
    this.#value = Math.min(this.#value, this.#needed);
    this.#needed = 1;
    this.#frames = 0;
  }
}
