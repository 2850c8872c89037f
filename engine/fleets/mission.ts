// The shape of every mission: its refusal and its warning at launch, and what it does at the target.

import type { PlanetKey } from '../map/universe.js';
import type { Rules } from '../rules/rules.js';
import type { Warning } from '../terms/missions.js';
import type { Refusal } from '../terms/rejections.js';
import type { Fleet } from '../world/fleet-table.js';
import type { ReadonlyPlanet, ReadonlyPlayer, ReadonlyWorld, World } from '../world/state.js';

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

/** What a warning depends on. */
export interface WarnedFlight extends Pick<Launch, 'player' | 'target' | 'targetKey'> {
  readonly arrivesAtMs: number;
}

export interface Mission {
  /** False if ships and cargo stay at the target. */
  readonly isReturning: boolean;
  /** The refusal of the mission, checked at launch after all other rules; null if it is possible. */
  refusal(launch: Launch, rules: Rules): Refusal | null;
  /** Why the fleet would come back without what it flies for, as things are now; null if it would not. */
  warning(flight: WarnedFlight, world: ReadonlyWorld): Warning | null;
  /** Carries out the mission at `arrivesAtMs`. */
  arrive(world: World, fleet: Fleet): Arrival;
}

/** The warning of a mission that can do nothing at a planet that nobody owns. */
export const UNOWNED: Warning = { code: 'target_unowned' };

/** What happens to a fleet after its mission: it flies back, it stays at the target, or it no longer exists. */
export type Arrival = 'returns' | 'stays' | 'ends';
