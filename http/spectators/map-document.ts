// The map of all galaxies as one reply. Each galaxy is rendered again only if an owner has changed there, in slices; the whole is joined
// at most each MAP_FRAME_MS.
import { GALAXY_COUNT } from '../../engine/rules/limits.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { isoText } from '../exchange/iso-time.js';
import { WORK_SLICE_MS } from '../limits.js';
import type { OwnedCells } from './owned-cells.js';

/** A reply that several clients get. */
export interface SharedReply {
  readonly body: string | Uint8Array;
  readonly tag: string;
  /** What must be durable before it is sent. */
  readonly seq: number;
}

export interface DocumentParts {
  readonly world: ReadonlyWorld;
  /** World time in milliseconds. */
  readonly nowMs: () => number;
  /** Seq of the public events that a document of the present includes. */
  readonly feedSeq: () => number;
  readonly tagOf: (version: string) => string;
  /** Text in the form that the server sends fastest. */
  readonly keep: (text: string) => string | Uint8Array;
  /** MAP_FRAME_MS, except in tests. */
  readonly frameMs: number;
}

export class MapDocument {
  readonly #parts: DocumentParts;
  readonly #cells: OwnedCells;
  /** Indexed by galaxy, from 1 on; '' if nobody owns a planet there. */
  readonly #galaxies: string[] = new Array<string>(GALAXY_COUNT + 1).fill('');
  #latest: SharedReply | null = null;
  #madeAtMs = Number.NEGATIVE_INFINITY;
  /** What the last reply shows. */
  #feedSeq = -1;

  constructor(parts: DocumentParts, cells: OwnedCells) {
    this.#parts = parts;
    this.#cells = cells;
  }

  /** Does a slice of the work. @returns null if there is more to do */
  step(): SharedReply | null {
    const { feedSeq, frameMs } = this.#parts;
    const isOld = this.#feedSeq !== feedSeq() && performance.now() - this.#madeAtMs >= frameMs;
    if (this.#latest !== null && !isOld) return this.#latest;
    const endMs = performance.now() + WORK_SLICE_MS;
    if (!this.#cells.advance(endMs)) return null;
    for (const galaxy of this.#cells.changedGalaxies) {
      if (performance.now() >= endMs) return null;
      this.#galaxies[galaxy] = this.#galaxyText(galaxy);
      this.#cells.changedGalaxies.delete(galaxy);
    }
    this.#latest = this.#make();
    return this.#latest;
  }

  #make(): SharedReply {
    const { world, nowMs, feedSeq, tagOf, keep } = this.#parts;
    this.#madeAtMs = performance.now();
    this.#feedSeq = feedSeq();
    const { systemsPerCell } = this.#cells;
    const text =
      `{"feedSeq":${this.#feedSeq},"worldTime":"${isoText(nowMs())}","systemsPerGalaxy":${world.universe.systemsPerGalaxy},` +
      `"systemsPerCell":${systemsPerCell},"planets":${world.planets.size},"players":${world.playerCount},` +
      `"galaxies":[${this.#galaxies.filter((galaxy) => galaxy !== '').join(',')}]}`;
    return { body: keep(text), tag: tagOf(`map-${this.#feedSeq.toString(36)}`), seq: world.seq };
  }

  #galaxyText(galaxy: number): string {
    const { cellsPerGalaxy } = this.#cells;
    const { planets, players } = this.#cells.galaxy(galaxy);
    if (planets === 0) return '';
    const owners: number[] = [];
    const owned: number[] = [];
    const first = (galaxy - 1) * cellsPerGalaxy;
    for (let cell = first; cell < first + cellsPerGalaxy; cell += 1) {
      const shown = this.#cells.cell(cell);
      owners.push(this.#parts.world.lineages.idNumberOf(shown.owner));
      owned.push(shown.owned);
    }
    return `{"index":${galaxy},"planets":${planets},"players":${players},"owners":[${owners.join(',')}],"owned":[${owned.join(',')}]}`;
  }
}
