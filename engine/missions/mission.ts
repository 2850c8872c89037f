// The shape every mission has: what refuses it at launch, and what it does at the target.

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
  /** Index into MISSIONS; null in a dry run that names none. */
  readonly mission: number | null;
  /** Whole units of iron, silver, ember and h2. */
  readonly cargo: readonly number[];
}

export interface Mission {
  /** False if ships and cargo stay at the target. */
  readonly isReturning: boolean;
  /**
   * Whether the owner of the target, if that is another player, is told of the fleet at launch. False if the target can only
   * be the player's own, or nobody's.
   */
  readonly warnsTarget: boolean;
  /** Why the mission cannot be flown, checked at launch after all other rules; null: it can. */
  refusal(launch: Launch, rules: Rules): Refusal | null;
  /** The effect at `arrivesAtMs`. Afterwards a fleet that still holds ships flies home if it `isReturning`. */
  arrive(world: World, fleet: Fleet): Arrival;
}

/** What becomes of a fleet after its effect. */
export type Arrival = 'returns' | 'ends';
