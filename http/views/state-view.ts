// A player's whole state as bytes: the read that agents repeat all day. A rendered state is kept, and as long as nothing
// changes but the passing of time, only the digits of the five moving numbers of each planet are written anew.
import { playerId } from '../../engine/ids.js';
import { RESOURCES } from '../../engine/rules/catalogue.js';
import type { ReadonlyPlayer, ReadonlyWorld } from '../../engine/state.js';
import { stockUnits } from '../../engine/stocks.js';
import { STATE_CACHE_BYTES_MAX } from '../limits.js';
import { fleetBody } from './fleet-view.js';
import { GenerationCache } from './generation-cache.js';
import { type PlanetView, STOCK_LABELS } from './planet-view.js';
import { researchBodies } from './player-view.js';

interface RenderedState {
  readonly changedSeq: number;
  readonly bytes: Buffer;
  /** By planet and resource: where the number's digits begin in `bytes`... */
  readonly starts: readonly number[];
  /** ...and end. */
  readonly ends: readonly number[];
}

/** What a kept state counts for beside its bytes: its two lists and the objects around it. */
const OVERHEAD_BYTES = 256;

export class StateView {
  readonly #world: ReadonlyWorld;
  readonly #planets: PlanetView;
  readonly #rendered = new GenerationCache<number, RenderedState>(
    STATE_CACHE_BYTES_MAX,
    ({ bytes, starts }) => bytes.length + 16 * starts.length + OVERHEAD_BYTES,
  );

  constructor(world: ReadonlyWorld, planets: PlanetView) {
    this.#world = world;
    this.#planets = planets;
  }

  /**
   * A player with planets, fleets and research at an instant.
   *
   * @returns JSON text in UTF-8, valid until the next call
   */
  bytes(player: ReadonlyPlayer, nowMs: number): Buffer {
    const kept = this.#rendered.get(player.number);
    if (kept !== undefined && kept.changedSeq === player.changedSeq && this.#rewrite(kept, player, nowMs))
      return kept.bytes;
    const fresh = this.#render(player, nowMs);
    this.#rendered.set(player.number, fresh);
    return fresh.bytes;
  }

  /** The planets of a player as a JSON list. */
  planetsText(player: ReadonlyPlayer, nowMs: number): string {
    return `[${player.planets.map((planet) => this.#planets.text(planet, nowMs)).join(',')}]`;
  }

  /** Writes the present numbers over the old ones. @returns false where a number has another count of digits by now */
  #rewrite({ bytes, starts, ends }: RenderedState, player: ReadonlyPlayer, nowMs: number): boolean {
    let slot = 0;
    for (const planet of player.planets) {
      for (let resource = 0; resource < RESOURCES.length; resource += 1) {
        const units = stockUnits(this.#world, planet, resource, nowMs);
        if (!writeDigits(bytes, starts[slot] as number, ends[slot] as number, units)) return false;
        slot += 1;
      }
    }
    return true;
  }

  #render(player: ReadonlyPlayer, nowMs: number): RenderedState {
    const pieces = new PieceList(
      `{"id":"${playerId(player.number)}","name":${JSON.stringify(player.name)},"isBot":${player.isBot},"planets":[`,
    );
    for (const [index, planet] of player.planets.entries()) {
      const { head, tail } = this.#planets.around(planet);
      pieces.addText(index === 0 ? head : `,${head}`);
      for (let resource = 0; resource < RESOURCES.length; resource += 1) {
        if (resource > 0) pieces.addText(STOCK_LABELS[resource] as string);
        pieces.addNumber(stockUnits(this.#world, planet, resource, nowMs));
      }
      pieces.addText(tail);
    }
    const fleets = JSON.stringify(player.fleets.map((fleet) => fleetBody(this.#world, fleet)));
    pieces.addText(`],"fleets":${fleets},"research":${JSON.stringify(researchBodies(player))}}`);
    const { text, starts, ends } = pieces;
    return { changedSeq: player.changedSeq, bytes: Buffer.from(text), starts, ends };
  }
}

/** Text that is put together while the places of its numbers, in bytes, are noted. */
class PieceList {
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  #length: number;

  constructor(public text: string) {
    this.#length = Buffer.byteLength(text);
  }

  addText(text: string): void {
    this.text += text;
    this.#length += Buffer.byteLength(text);
  }

  addNumber(units: number): void {
    this.starts.push(this.#length);
    this.addText(String(units));
    this.ends.push(this.#length);
  }
}

const ZERO_DIGIT = 48;
const SMALL_INTEGER_END = 2 ** 31;

/** Writes a non-negative integer right-aligned. @returns false where it does not fill the place exactly */
function writeDigits(bytes: Buffer, start: number, end: number, units: number): boolean {
  let position = end;
  let rest = units;
  while (rest >= SMALL_INTEGER_END) {
    const tenth = Math.floor(rest / 10);
    position -= 1;
    if (position < start) return false;
    bytes[position] = ZERO_DIGIT + (rest - tenth * 10);
    rest = tenth;
  }
  do {
    const tenth = (rest / 10) | 0;
    position -= 1;
    if (position < start) return false;
    bytes[position] = ZERO_DIGIT + (rest - tenth * 10);
    rest = tenth;
  } while (rest > 0);
  return position === start;
}
