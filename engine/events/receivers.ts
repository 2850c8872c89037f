// The receivers of events: each player receives its own events, and two topics receive the public events of all players.

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

export const PLAYER: Audience = { player: true, world: false, openWorld: false };
export const FLEET: Audience = { player: true, world: false, openWorld: true };
export const EVERYBODY: Audience = { player: true, world: true, openWorld: true };
export const PUBLIC: Audience = { player: false, world: true, openWorld: true };
