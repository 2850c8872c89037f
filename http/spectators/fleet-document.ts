// All fleets in flight, not those that are stationed, as one reply, at most MAP_FLEETS_MAX of them, with the pacts in force and the goods on
// their way. It is rendered in slices, at most each MAP_FRAME_MS. A fleet may change while others are rendered: the reply names the seq of its
// beginning, after which the feed of the map repeats the change.

import { MISSIONS } from '../../engine/terms/missions.js';
import { PACT_KINDS } from '../../engine/terms/pacts.js';
import type { ReadonlyFleet, ReadonlyFleetTable, ReadonlyWorld } from '../../engine/world/state.js';
import { isoText } from '../exchange/iso-time.js';
import { MAP_FLEETS_MAX, WORK_SLICE_MS } from '../limits.js';
import type { DocumentParts, SharedReply } from './map-document.js';
import { type MapStride, strideFor } from './stride.js';
import { goodsTexts, pactTexts, placeText } from './tie-texts.js';

/** How many fleets are looked at before the clock is looked at again. */
const FLEETS_PER_CLOCK_LOOK = 256;

/** A reply that is being rendered. */
interface Rendering {
  readonly feedSeq: number;
  readonly worldTime: string;
  stride: number;
  readonly pacts: readonly string[];
  readonly goods: readonly string[];
  readonly fleets: Iterator<ReadonlyFleet>;
  /** Indexed by the number of the fleet. */
  readonly legs: Map<number, string>;
}

export class FleetDocument {
  readonly #parts: DocumentParts;
  readonly #stride: MapStride;
  #latest: SharedReply | null = null;
  #version = '';
  #madeAtMs = Number.NEGATIVE_INFINITY;
  #rendering: Rendering | null = null;

  constructor(parts: DocumentParts, stride: MapStride) {
    this.#parts = parts;
    this.#stride = stride;
  }

  /** Does a slice of the work. @returns null if there is more to do */
  step(): SharedReply | null {
    if (this.#rendering === null) {
      const isOld = this.#version !== this.#present && performance.now() - this.#madeAtMs >= this.#parts.frameMs;
      if (this.#latest !== null && !isOld) return this.#latest;
      this.#rendering = this.#begin();
    }
    if (!this.#render(this.#rendering)) return null;
    this.#latest = this.#reply(this.#rendering);
    this.#version = version(this.#rendering);
    this.#madeAtMs = performance.now();
    this.#rendering = null;
    return this.#latest;
  }

  /** Every change of a fleet is a public event, except that it ends with its player, whose end is one. */
  get #present(): string {
    return version({ feedSeq: this.#parts.feedSeq(), stride: this.#stride.value });
  }

  #begin(): Rendering {
    const { world, nowMs, feedSeq } = this.#parts;
    this.#stride.raiseTo(strideFor(inFlight(world.fleets), MAP_FLEETS_MAX));
    return {
      feedSeq: feedSeq(),
      worldTime: isoText(nowMs()),
      stride: this.#stride.value,
      pacts: pactTexts(world),
      goods: goodsTexts(world),
      fleets: world.fleets.values(),
      legs: new Map(),
    };
  }

  /** @returns false if there is more to do */
  #render(rendering: Rendering): boolean {
    const { fleets, legs } = rendering;
    const { world } = this.#parts;
    const endMs = performance.now() + WORK_SLICE_MS;
    for (let count = 1; ; count += 1) {
      const { done, value: fleet } = fleets.next();
      if (done === true) return true;
      if (fleet.number % rendering.stride === 0 && !fleet.isStationed) {
        legs.set(fleet.number, legText(world, fleet));
        while (legs.size > MAP_FLEETS_MAX) this.#thin(rendering);
      }
      if (count % FLEETS_PER_CLOCK_LOOK === 0 && performance.now() >= endMs) return false;
    }
  }

  #thin(rendering: Rendering): void {
    rendering.stride *= 2;
    this.#stride.raiseTo(rendering.stride);
    for (const number of rendering.legs.keys()) if (number % rendering.stride !== 0) rendering.legs.delete(number);
  }

  #reply(rendering: Rendering): SharedReply {
    const { feedSeq, worldTime, stride, legs, pacts, goods } = rendering;
    const { world, tagOf, keep } = this.#parts;
    const text =
      `{"feedSeq":${feedSeq},"worldTime":"${worldTime}","total":${inFlight(world.fleets)},"stride":${stride},` +
      `"missions":${JSON.stringify(MISSIONS)},"legs":[${[...legs.values()].join(',')}],` +
      `"pactKinds":${JSON.stringify(PACT_KINDS)},"pacts":[${pacts.join(',')}],"goods":[${goods.join(',')}]}`;
    return { body: keep(text), tag: tagOf(version(rendering)), seq: world.seq };
  }
}

function version({ feedSeq, stride }: Pick<Rendering, 'feedSeq' | 'stride'>): string {
  return `fleets-${feedSeq.toString(36)}-${stride.toString(36)}`;
}

export function inFlight({ size, stationedCount }: ReadonlyFleetTable): number {
  return size - stationedCount;
}

type LegWorld = Pick<ReadonlyWorld, 'universe' | 'lineages'>;

/** @returns JSON; the fields are in the order of the schema `MapLeg` */
export function legText({ universe, lineages }: LegWorld, fleet: ReadonlyFleet): string {
  const { number, owner, mission, originKey, targetKey, isReturning } = fleet;
  const head = `[${number},${lineages.idNumberOf(owner.number)},${mission}`;
  const origin = placeText(universe, originKey);
  const target = placeText(universe, targetKey);
  if (!isReturning || fleet.returnsAtMs === null)
    return `${head},0,${origin},${target},${fleet.launchedAtMs},${fleet.arrivesAtMs}]`;
  // A fleet that was recalled turns round where it is: as if it had left the target that much earlier.
  return `${head},1,${target},${origin},${fleet.returnsAtMs - fleet.flightMs},${fleet.returnsAtMs}]`;
}
