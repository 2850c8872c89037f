// What commands, timers and missions cause, as values. Each event is recorded beside the change that causes it, and
// names the one player who receives it. Events are not part of the state: they follow from the entry that is applied,
// so a replay records the same events again. This file holds no rule of the game and does not decide what players are
// shown.
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
  | ResourcesGranted
  | KeyRotated
  | KeysRevoked
  | PlayerRetired;

export type EventKind = WorldEvent['kind'];

/** Fields of every event. Types of buildings, ships and research are positions in the world's rules, missions in MISSIONS. */
interface EventHead {
  /** World time in milliseconds: that of the command, or the deadline of the timer. */
  readonly atMs: number;
  /** The player who receives the event. */
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
  /** The level that was under construction. */
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
  /** Number of ships in all orders of the planet. */
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

/** Fields of every event about a fleet. */
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
  /** Fuel in whole units for the flight there and back. */
  readonly h2Cost: number;
  readonly arrivesAtMs: number;
  /** Null if the fleet will not return. */
  readonly returnsAtMs: number | null;
}

/** A fleet has reached its target. The effects of its mission follow as separate events. */
export interface FleetArrived extends FleetEventHead {
  readonly kind: 'fleet_arrived';
  /** Counts by ship type, before the mission takes effect. */
  readonly ships: readonly number[];
  /** Whole units of iron, silver, ember and h2, before the mission takes effect. */
  readonly cargo: readonly number[];
  /** As planned at launch; null if the fleet will not return. `fleet_destroyed` and `colonization_failed` change it. */
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

/** A fleet has no ships left. */
export interface FleetDestroyed extends FleetEventHead {
  readonly kind: 'fleet_destroyed';
}

/** Another player has launched a fleet to a planet of the receiver. */
export interface IncomingFleet extends FleetEventHead {
  readonly kind: 'incoming_fleet';
  readonly senderNumber: number;
  /** Counts by ship type. */
  readonly ships: readonly number[];
  readonly arrivesAtMs: number;
}

/** A fleet to the player's planet has been recalled, or its player was retired. It was reported as incoming, unless it was launched before the planet had an owner. */
export interface IncomingFleetGone extends FleetEventHead {
  readonly kind: 'incoming_fleet_gone';
  readonly senderNumber: number;
}

/** Each side of a battle receives its own event. */
export interface CombatReported extends EventHead {
  readonly kind: 'combat_report';
  readonly fleetNumber: number;
  readonly report: CombatReport;
}

/** The player who spied receives it. */
export interface EspionageReported extends EventHead {
  readonly kind: 'espionage_report';
  readonly fleetNumber: number;
  readonly report: EspionageReport;
}

/** The player who was spied on receives it. */
export interface EspionageDetected extends EventHead {
  readonly kind: 'espionage_detected';
  readonly fleetNumber: number;
  readonly report: EspionageDetection;
}

/** A transport has unloaded cargo. The owner of the planet receives it, and may also be the sender. */
export interface ResourcesReceived extends EventHead {
  readonly kind: 'resources_received';
  readonly planetKey: PlanetKey;
  readonly fleetNumber: number;
  readonly senderNumber: number;
  /** Whole units of iron, silver, ember and h2. */
  readonly amounts: readonly number[];
}

/** An existing player has gained a planet. */
export interface PlanetColonized extends EventHead {
  readonly kind: 'planet_colonized';
  readonly planetKey: PlanetKey;
  /** Null if no fleet was needed: colonize_planet, create_second_starter. */
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

/** The player has another API key. */
export interface KeyRotated extends EventHead {
  readonly kind: 'key_rotated';
  /** World time from which the new key is no longer valid; null if it is valid for ever. */
  readonly expiresAtMs: number | null;
  /** The same for the key before; null if it is invalid already, or there was none. */
  readonly oldKeyUntilMs: number | null;
}

/** The player has no API key any more. */
export interface KeysRevoked extends EventHead {
  readonly kind: 'keys_revoked';
}

/** The player no longer exists. Nothing is recorded for each of its planets, fleets and timers. */
export interface PlayerRetired extends EventHead {
  readonly kind: 'player_retired';
  readonly name: string;
  /** The planets that nobody owns any more. */
  readonly planetKeys: readonly PlanetKey[];
}
