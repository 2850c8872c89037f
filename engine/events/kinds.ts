// What commands, timers and missions cause, as values. Each event is recorded beside the change that causes it, and
// names the player who receives it, or, if it is public, the player it is about. This file holds no rule of the game.
import type { BlockReason } from '../plans/block-reason.js';
import type { PackedStep } from '../plans/plan-step.js';
import type { CombatOutcome } from '../reports.js';
import type { Amounts } from '../resources.js';
import type { PlanetKey } from '../universe.js';

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
  | PlayerJoined
  | Battle
  | PlayerRetired
  | PlanStepStarted
  | PlanStepSkipped
  | PlanStepBlocked
  | PlanCompleted
  | AttackTurnedAway;

export type EventKind = WorldEvent['kind'];

/** Fields of every event. Types of buildings, ships and research are positions in the world's rules, missions in MISSIONS. */
interface EventHead {
  /** World time in milliseconds: that of the command, or the deadline of the timer. */
  readonly atMs: number;
  /** The player who receives the event; of a public one, the player it is about. */
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

/** Fields of every event about a fleet. Events name them one by one, since V8 copies a spread object slowly. */
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
  /** As planned at launch; null if the fleet will not return. `fleet_destroyed`, `colonization_failed` and `attack_turned_away` change it. */
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

/** Fields of the events about a fleet of another player on its way to a planet of the receiver. */
export interface IncomingFleetHead extends EventHead {
  readonly fleetNumber: number;
  /** The receiver may know its system only. */
  readonly originKey: PlanetKey;
  readonly targetKey: PlanetKey;
  readonly senderNumber: number;
}

/** Another player's fleet is on its way to a planet of the receiver. What the receiver cannot see is null. */
export interface IncomingFleet extends IncomingFleetHead {
  readonly kind: 'incoming_fleet';
  readonly mission: number | null;
  /** Number of ships of all types. */
  readonly shipCount: number | null;
  /** Counts by ship type. */
  readonly ships: readonly number[] | null;
  readonly arrivesAtMs: number;
}

/** Such a fleet has been recalled, or its player was retired. */
export interface IncomingFleetGone extends IncomingFleetHead {
  readonly kind: 'incoming_fleet_gone';
}

/** Each side of a battle receives its own event. */
export interface CombatReported extends EventHead {
  readonly kind: 'combat_report';
  readonly fleetNumber: number;
  readonly reportNumber: number;
  readonly planetKey: PlanetKey;
  readonly attackerNumber: number;
  readonly defenderNumber: number;
  readonly outcome: CombatOutcome;
  /** Ships lost, by ship type. */
  readonly attackerLost: readonly number[];
  readonly defenderLost: readonly number[];
  /** Whole units of iron, silver, ember and h2 that the attacker took. */
  readonly loot: readonly number[];
}

/** The player who spied receives it. */
export interface EspionageReported extends EventHead {
  readonly kind: 'espionage_report';
  readonly fleetNumber: number;
  readonly reportNumber: number;
  readonly planetKey: PlanetKey;
  readonly defenderNumber: number;
  /** Whole units in the order of RESOURCES. */
  readonly stocks: readonly number[];
  /** Counts by ship type; null if the scouts did not see them. */
  readonly ships: readonly number[] | null;
  /** Levels by building type; null if the scouts did not see them. */
  readonly buildings: readonly number[] | null;
}

/** The player who was spied on receives it. */
export interface EspionageDetected extends EventHead {
  readonly kind: 'espionage_detected';
  readonly fleetNumber: number;
  readonly reportNumber: number;
  readonly planetKey: PlanetKey;
  readonly attackerNumber: number;
  readonly scouts: number;
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

/** Public: a player has joined the world. */
export interface PlayerJoined extends EventHead {
  readonly kind: 'player_joined';
  readonly name: string;
  readonly isBot: boolean;
  /** The starter planet. */
  readonly planetKey: PlanetKey;
}

/** Public: fleet and planet have fought. It is about the attacker. */
export interface Battle extends EventHead {
  readonly kind: 'battle';
  readonly fleetNumber: number;
  readonly planetKey: PlanetKey;
  readonly defenderNumber: number;
  readonly outcome: CombatOutcome;
  readonly rounds: number;
  /** Ships lost, of all types. */
  readonly attackerLostCount: number;
  readonly defenderLostCount: number;
}

/** Public: the player no longer exists. Nothing is recorded for each of its planets, fleets and timers. */
export interface PlayerRetired extends EventHead {
  readonly kind: 'player_retired';
  readonly name: string;
  /** The planets that nobody owns any more. */
  readonly planetKeys: readonly PlanetKey[];
}

/** Fields of the events about a step of a planet's plan. */
export interface PlanStepHead extends EventHead {
  readonly planetKey: PlanetKey;
  readonly step: PackedStep;
}

/** A plan has started a step. It follows the event of what has started. */
export interface PlanStepStarted extends PlanStepHead {
  readonly kind: 'plan_step_started';
  /** Steps of the whole plan that have not started. */
  readonly stepsLeft: number;
}

/** A plan has dropped a step that was blocked. */
export interface PlanStepSkipped extends PlanStepHead {
  readonly kind: 'plan_step_skipped';
  readonly reason: BlockReason;
  readonly stepsLeft: number;
}

/** A lane of a plan waits because its first step is blocked. Recorded once for each step. */
export interface PlanStepBlocked extends PlanStepHead {
  readonly kind: 'plan_step_blocked';
  readonly reason: BlockReason;
}

/** A plan has no step left, and no longer exists. */
export interface PlanCompleted extends EventHead {
  readonly kind: 'plan_completed';
  readonly planetKey: PlanetKey;
}

/** A fleet that was to attack has turned round, because the owner of its target is protected. */
export interface AttackTurnedAway extends FleetEventHead {
  readonly kind: 'attack_turned_away';
  readonly defenderNumber: number;
  readonly protectedUntilMs: number;
  readonly returnsAtMs: number;
}
