// The receivers of events: each player receives its own events, and two topics receive the public events of all players.
import type { EventKind } from './kinds.js';

/** The receiver of the public events of all players. Players, whose receivers are their numbers, begin at 1. */
export const WORLD_TOPIC = 0;
/** The same events and those of all fleets: what everybody may see in a world without keys. */
export const OPEN_WORLD_TOPIC = -1;

/** The lowest number of a receiver. */
export const FIRST_RECEIVER = OPEN_WORLD_TOPIC;

export function isTopic(receiver: number): boolean {
  return receiver <= WORLD_TOPIC;
}

/** Whether an event goes to its player, and to which topics. */
export interface Audience {
  readonly player: boolean;
  readonly world: boolean;
  readonly openWorld: boolean;
}

const PLAYER: Audience = { player: true, world: false, openWorld: false };
const FLEET: Audience = { player: true, world: false, openWorld: true };
const EVERYBODY: Audience = { player: true, world: true, openWorld: true };
const PUBLIC: Audience = { player: false, world: true, openWorld: true };

export const AUDIENCES: Readonly<Record<EventKind, Audience>> = {
  player_created: PLAYER,
  building_started: PLAYER,
  building_completed: PLAYER,
  building_cancelled: PLAYER,
  ships_ordered: PLAYER,
  ships_completed: PLAYER,
  ships_cancelled: PLAYER,
  research_started: PLAYER,
  research_completed: PLAYER,
  fleet_launched: FLEET,
  fleet_arrived: FLEET,
  fleet_recalled: FLEET,
  fleet_returned: FLEET,
  fleet_destroyed: FLEET,
  incoming_fleet: PLAYER,
  incoming_fleet_gone: PLAYER,
  combat_report: PLAYER,
  espionage_report: PLAYER,
  espionage_detected: PLAYER,
  resources_received: PLAYER,
  planet_colonized: EVERYBODY,
  colonization_failed: FLEET,
  resources_granted: PLAYER,
  key_rotated: PLAYER,
  keys_revoked: PLAYER,
  player_joined: PUBLIC,
  battle: PUBLIC,
  player_retired: PUBLIC,
  plan_step_started: PLAYER,
  plan_step_skipped: PLAYER,
  plan_step_blocked: PLAYER,
  plan_completed: PLAYER,
  attack_turned_away: FLEET,
};
