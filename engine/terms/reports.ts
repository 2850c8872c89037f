// The reports that players receive about battles and scouting.
import type { PlanetKey } from '../map/universe.js';

export type Report = CombatReport | EspionageReport | EspionageDetection;

/** Fields of every report. */
export interface ReportHead {
  readonly number: number;
  readonly atMs: number;
  /** The planet where it happened. */
  readonly planetKey: PlanetKey;
  /** The player who sent the fleet. */
  readonly attackerNumber: number;
  /** The owner of the planet. */
  readonly defenderNumber: number;
}

/** Ships by ship type: before the battle, lost in it, and after it. */
export interface Losses {
  readonly sent: readonly number[];
  readonly lost: readonly number[];
  readonly left: readonly number[];
}

export interface CombatReport extends ReportHead {
  readonly type: 'combat';
  readonly outcome: CombatOutcome;
  readonly rounds: number;
  readonly shieldHitPoints: number;
  readonly attacker: Losses;
  readonly defender: Losses;
  /** Whole units of iron, silver, ember and h2 that the attacker took. */
  readonly loot: readonly number[];
  /** Whole units of the fleet's cargo that were lost with its ships. */
  readonly cargoLost: readonly number[];
}

export interface EspionageReport extends ReportHead {
  readonly type: 'espionage';
  /** Whole units by resource. */
  readonly stocks: readonly number[];
  /** Counts by ship type; null if anti_spy hid them. */
  readonly ships: readonly number[] | null;
  /** Levels by building type; null if anti_spy hid them. */
  readonly buildings: readonly number[] | null;
}

export interface EspionageDetection extends ReportHead {
  readonly type: 'espionage_detected';
  readonly scouts: number;
}

/** Their positions are in events on disk. */
export const COMBAT_OUTCOMES = ['attacker_won', 'defender_won', 'draw'] as const;
export type CombatOutcome = (typeof COMBAT_OUTCOMES)[number];
