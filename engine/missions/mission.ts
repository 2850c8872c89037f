// The shape of every mission: when it is refused at launch, and what it does at the target.

import type { Refusal } from '../rejections.js';
import type { Rules } from '../rules/rules.js';
import type { Fleet, ReadonlyPlanet, ReadonlyPlayer, World } from '../state.js';
import type { PlanetKey } from '../universe.js';

export interface Launch {
  readonly player: ReadonlyPlayer;
  readonly origin: ReadonlyPlanet;
  readonly targetKey: PlanetKey;
  /** Undefined if nobody owns the target. */
  readonly target: ReadonlyPlanet | undefined;
  /** Counts by ship type. */
  readonly ships: readonly number[];
  /** Index into MISSIONS; null in a dry run without a mission. */
  readonly mission: number | null;
  /** Whole units of iron, silver, ember and h2. */
  readonly cargo: readonly number[];
}

export interface Mission {
  /** False if ships and cargo stay at the target. */
  readonly isReturning: boolean;
  /** The refusal of the mission, checked at launch after all other rules; null if it is possible. */
  refusal(launch: Launch, rules: Rules): Refusal | null;
  /** Carries out the mission at `arrivesAtMs`. */
  arrive(world: World, fleet: Fleet): Arrival;
}

/** What happens to a fleet after its mission: it flies back, or it no longer exists. */
export type Arrival = 'returns' | 'ends';
