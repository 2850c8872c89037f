// What players are told about battles and scouting: the shapes of reports. How one is filed stands in report-filing.ts.
import type { PlanetKey } from './universe.js';

export type Report = CombatReport | EspionageReport | EspionageDetection;

/** What reports of every type tell. */
export interface ReportHead {
  readonly number: number;
  readonly atMs: number;
  /** The planet that it happened at. */
  readonly planetKey: PlanetKey;
  /** Who sent the fleet. */
  readonly attackerNumber: number;
  /** Who owned the planet. */
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
  /** Whole units that the fleet carried and that were lost with its ships. */
  readonly cargoLost: readonly number[];
}

export type CombatOutcome = 'attacker_won' | 'defender_won' | 'draw';

export interface EspionageReport extends ReportHead {
  readonly type: 'espionage';
  /** Whole units by resource. */
  readonly stocks: readonly number[];
  /** By ship type; null where anti_spy hid it. */
  readonly ships: readonly number[] | null;
  /** Levels by building type; null where anti_spy hid it. */
  readonly buildings: readonly number[] | null;
}

export interface EspionageDetection extends ReportHead {
  readonly type: 'espionage_detected';
  readonly scouts: number;
}
