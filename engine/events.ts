// What commands, timers and missions cause, as values: each event is recorded beside the change that causes it, and names
// the one player it is told to. Events are not part of the state: they follow from the entry that is applied, so a replay
// records the same ones again. This file holds no rule of the game, and does not decide what of an event is shown.
import type { CombatReport, EspionageDetection, EspionageReport } from './reports.js';
import type { Amounts } from './resources.js';
import type { PlanetKey } from './universe.js';

export type WorldEvent =
  | PlayerCreated
  | BuildingStarted
  | BuildingCompleted
  | BuildingCancelled
  | ShipsOrdered
  | ShipsCompleted
  | ShipsCancelled
  | ResearchStarted
  | ResearchCompleted
  | FleetLaunched
  | FleetArrived
  | FleetRecalled
  | FleetReturned
  | FleetDestroyed
  | IncomingFleet
  | IncomingFleetGone
  | CombatReported
  | EspionageReported
  | EspionageDetected
  | ResourcesReceived
  | PlanetColonized
  | ColonizationFailed
  | ResourcesGranted;

export type EventKind = WorldEvent['kind'];

/** What every event holds. Types of buildings, ships, research and missions are positions in the world's rules. */
interface EventHead {
  /** World time in milliseconds: that of the command, or the deadline of the timer. */
  readonly atMs: number;
  /** The player it is told to. */
  readonly playerNumber: number;
}

export interface PlayerCreated extends EventHead {
  readonly kind: 'player_created';
  readonly name: string;
  readonly isBot: boolean;
  /** The starter planet. */
  readonly planetKey: PlanetKey;
}

export interface BuildingStarted extends EventHead {
  readonly kind: 'building_started';
  readonly planetKey: PlanetKey;
  readonly queueNumber: number;
  readonly buildingType: number;
  readonly targetLevel: number;
  readonly finishAtMs: number;
}

export interface BuildingCompleted extends EventHead {
  readonly kind: 'building_completed';
  readonly planetKey: PlanetKey;
  readonly queueNumber: number;
  readonly buildingType: number;
  readonly level: number;
}

export interface BuildingCancelled extends EventHead {
  readonly kind: 'building_cancelled';
  readonly planetKey: PlanetKey;
  readonly queueNumber: number;
  readonly buildingType: number;
  /** The level that is not reached. */
  readonly targetLevel: number;
  /** Whole units that the planet gets back. */
  readonly refund: Amounts;
}

export interface ShipsOrdered extends EventHead {
  readonly kind: 'ships_ordered';
  readonly planetKey: PlanetKey;
  readonly shipType: number;
  readonly count: number;
  /** When the ships of this order are delivered; orders before it are finished by then. */
  readonly finishAtMs: number;
}

export interface ShipsCompleted extends EventHead {
  readonly kind: 'ships_completed';
  readonly planetKey: PlanetKey;
  readonly shipType: number;
  readonly count: number;
}

export interface ShipsCancelled extends EventHead {
  readonly kind: 'ships_cancelled';
  readonly planetKey: PlanetKey;
  readonly shipType: number;
  /** Ships of all the planet's orders together. */
  readonly count: number;
}

export interface ResearchStarted extends EventHead {
  readonly kind: 'research_started';
  readonly researchType: number;
  readonly targetLevel: number;
  readonly finishAtMs: number;
}

export interface ResearchCompleted extends EventHead {
  readonly kind: 'research_completed';
  readonly researchType: number;
  readonly level: number;
}

/** What events about a fleet hold. */
export interface FleetEventHead extends EventHead {
  readonly fleetNumber: number;
  readonly mission: number;
  readonly originKey: PlanetKey;
  readonly targetKey: PlanetKey;
}

export interface FleetLaunched extends FleetEventHead {
  readonly kind: 'fleet_launched';
  /** Counts by ship type. */
  readonly ships: readonly number[];
  /** Whole units of iron, silver, ember and h2. */
  readonly cargo: readonly number[];
  /** Fuel in whole units, there and back. */
  readonly h2Cost: number;
  readonly arrivesAtMs: number;
  /** Null if nothing will return. */
  readonly returnsAtMs: number | null;
}

/** A fleet is at its target. What its mission causes there follows as events of their own. */
export interface FleetArrived extends FleetEventHead {
  readonly kind: 'fleet_arrived';
  /** Counts by ship type, before the mission takes effect. */
  readonly ships: readonly number[];
  /** Whole units of iron, silver, ember and h2, before the mission takes effect. */
  readonly cargo: readonly number[];
  /** As planned at launch: null if nothing will return. `fleet_destroyed` and `colonization_failed` change that. */
  readonly returnsAtMs: number | null;
}

export interface FleetRecalled extends FleetEventHead {
  readonly kind: 'fleet_recalled';
  readonly returnsAtMs: number;
}

/** A fleet has landed at its origin. */
export interface FleetReturned extends FleetEventHead {
  readonly kind: 'fleet_returned';
  /** Counts by ship type. */
  readonly ships: readonly number[];
  /** Whole units of iron, silver, ember and h2. */
  readonly cargo: readonly number[];
}

/** Nothing is left of a fleet. */
export interface FleetDestroyed extends FleetEventHead {
  readonly kind: 'fleet_destroyed';
}

/** Told to the owner of the target at the launch of another player's fleet. */
export interface IncomingFleet extends FleetEventHead {
  readonly kind: 'incoming_fleet';
  readonly senderNumber: number;
  /** Counts by ship type. */
  readonly ships: readonly number[];
  readonly arrivesAtMs: number;
}

/** A fleet that was told as incoming was recalled. */
export interface IncomingFleetGone extends FleetEventHead {
  readonly kind: 'incoming_fleet_gone';
  readonly senderNumber: number;
}

/** Told to both sides, each with an event of its own. */
export interface CombatReported extends EventHead {
  readonly kind: 'combat_report';
  readonly fleetNumber: number;
  readonly report: CombatReport;
}

/** Told to the one who spies. */
export interface EspionageReported extends EventHead {
  readonly kind: 'espionage_report';
  readonly fleetNumber: number;
  readonly report: EspionageReport;
}

/** Told to the one who is spied on. */
export interface EspionageDetected extends EventHead {
  readonly kind: 'espionage_detected';
  readonly fleetNumber: number;
  readonly report: EspionageDetection;
}

/** A transport has unloaded something. Told to the owner of the planet, who may have sent it. */
export interface ResourcesReceived extends EventHead {
  readonly kind: 'resources_received';
  readonly planetKey: PlanetKey;
  readonly fleetNumber: number;
  readonly senderNumber: number;
  /** Whole units of iron, silver, ember and h2. */
  readonly amounts: readonly number[];
}

/** A player who exists has one planet more. */
export interface PlanetColonized extends EventHead {
  readonly kind: 'planet_colonized';
  readonly planetKey: PlanetKey;
  /** Null if no fleet took it: colonize_planet, create_second_starter. */
  readonly fleetNumber: number | null;
}

export interface ColonizationFailed extends FleetEventHead {
  readonly kind: 'colonization_failed';
  readonly reason: 'planet_occupied' | 'planet_limit';
  readonly returnsAtMs: number;
}

export interface ResourcesGranted extends EventHead {
  readonly kind: 'resources_granted';
  readonly planetKey: PlanetKey;
  /** Whole units in the order of RESOURCES. */
  readonly amounts: readonly number[];
}
