// The ranking of all players by points, kept as they change. It is derived from the players and rebuilt on load.
import { PositionalHeap } from './positional-heap.js';

export class Leaderboard {
  /** Most points first; equal points by the lower player number. */
  readonly #heap = new PositionalHeap();

  /** Adds a player, or gives it another number of points. */
  set(playerNumber: number, points: number): void {
    if (this.#heap.has(playerNumber)) this.#heap.update(playerNumber, -points);
    else this.#heap.insert(playerNumber, -points, playerNumber);
  }

  /** Numbers of the first `count` players, best first, in O(count log count) whatever the size of the world. */
  first(count: number): number[] {
    const ranked: number[] = [];
    // Positions in the ranking heap whose parents are already ranked; the next best is always among them.
    const candidates = new PositionalHeap();
    const positions: number[] = [];
    const consider = (position: number): void => {
      if (position >= this.#heap.size) return;
      const playerNumber = this.#heap.slotAt(position);
      candidates.insert(positions.push(position) - 1, this.#heap.keyOf(playerNumber), playerNumber);
    };
    consider(0);
    while (candidates.size > 0 && ranked.length < count) {
      const candidate = candidates.firstSlot;
      candidates.remove(candidate);
      const position = positions[candidate] as number;
      ranked.push(this.#heap.slotAt(position));
      consider(2 * position + 1);
      consider(2 * position + 2);
    }
    return ranked;
  }
}
