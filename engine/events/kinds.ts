// The one table of events: what commands, timers and missions cause. An event is recorded beside the change that causes it. The type of each
// event, its bytes and its receivers follow from its row. Each player receives its own events, and two topics receive the public events of
// all players. This file holds no rule of the game.

import type { FieldTypeName, FieldValues } from './fields.js';

/** The receiver of the public events of all players. Players, whose receivers are their numbers, begin at 1. */
export const WORLD_TOPIC = 0;
/** The same events and those of all fleets: what everybody may see in a world without keys. */
export const OPEN_WORLD_TOPIC = -1;

/** Stands for the player of an event that is about the world itself. */
export const NOBODY = 0;

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
  /** Whether they are about the world itself: their player is NOBODY. */
  readonly isAboutWorld: boolean;
}

export const PLAYER: Audience = { player: true, world: false, openWorld: false, isAboutWorld: false };
export const FLEET: Audience = { player: true, world: false, openWorld: true, isAboutWorld: false };
const EVERYBODY: Audience = { player: true, world: true, openWorld: true, isAboutWorld: false };
const PUBLIC: Audience = { player: false, world: true, openWorld: true, isAboutWorld: false };
const WORLD: Audience = { player: false, world: true, openWorld: true, isAboutWorld: true };

interface EventKindRow {
  /** The number of the kind in snapshots on disk; never reused. */
  readonly code: number;
  readonly audience: Audience;
  /** The type of each field, in the order on disk. Every event also has its time and its player. */
  readonly fields: Readonly<Record<string, FieldTypeName>>;
}

/** `planetKey` is that of the starter planet. */
const NEW_PLAYER = { name: 'text', isBot: 'flag', planetKey: 'planet' } as const;
const FLEET_HEAD = { fleetNumber: 'count', mission: 'mission', originKey: 'planet', targetKey: 'planet' } as const;
/** A fleet of another player on its way to a planet of the receiver, who may know only the system of its origin. */
const INCOMING_HEAD = {
  fleetNumber: 'count',
  originKey: 'planet',
  targetKey: 'planet',
  senderNumber: 'player',
} as const;
const BUILDING_HEAD = { planetKey: 'planet', queueNumber: 'count', buildingType: 'building' } as const;
const SHIPS_HEAD = { planetKey: 'planet', shipType: 'ship', count: 'count' } as const;
const PACT_HEAD = {
  pactNumber: 'count',
  pactKind: 'pactKind',
  proposerNumber: 'player',
  partnerNumber: 'player',
} as const;
/** Which of the fields that can be null are not depends on the effect. */
const SHOCK = {
  shockNumber: 'count',
  galaxy: 'count',
  shockType: 'text',
  effect: 'shockEffect',
  resource: 'resourceOrNull',
  percent: 'count',
  idleSeconds: 'countOrNull',
  bountyNumber: 'playerOrNull',
  startsAtMs: 'instant',
  endsAtMs: 'instant',
} as const;
const STEP_HEAD = { planetKey: 'planet', step: 'step' } as const;

/** `planetKey` is that of the maker. */
const OFFER_HEAD = { offerNumber: 'count', makerNumber: 'player', planetKey: 'planet' } as const;

export const EVENT_KINDS = {
  player_created: { code: 1, audience: PLAYER, fields: NEW_PLAYER },
  building_started: {
    code: 2,
    audience: PLAYER,
    fields: { ...BUILDING_HEAD, targetLevel: 'count', finishAtMs: 'instant' },
  },
  building_completed: { code: 3, audience: PLAYER, fields: { ...BUILDING_HEAD, level: 'count' } },
  // `targetLevel` is the level that was under construction, `refund` what the planet gets back.
  building_cancelled: {
    code: 4,
    audience: PLAYER,
    fields: { ...BUILDING_HEAD, targetLevel: 'count', refund: 'amounts' },
  },
  // `finishAtMs` is when the ships of this order are delivered; orders before it are finished by then.
  ships_ordered: { code: 5, audience: PLAYER, fields: { ...SHIPS_HEAD, finishAtMs: 'instant' } },
  ships_completed: { code: 6, audience: PLAYER, fields: SHIPS_HEAD },
  // `count` is the number of ships in all orders of the planet.
  ships_cancelled: { code: 7, audience: PLAYER, fields: SHIPS_HEAD },
  research_started: {
    code: 8,
    audience: PLAYER,
    fields: { researchType: 'research', targetLevel: 'count', finishAtMs: 'instant' },
  },
  research_completed: { code: 9, audience: PLAYER, fields: { researchType: 'research', level: 'count' } },
  // `h2Cost` is the fuel for the flight there and back. `returnsAtMs` is null if the fleet will not return.
  fleet_launched: {
    code: 10,
    audience: FLEET,
    fields: {
      ...FLEET_HEAD,
      ships: 'ships',
      cargo: 'cargo',
      h2Cost: 'count',
      arrivesAtMs: 'instant',
      returnsAtMs: 'instantOrNull',
    },
  },
  // A fleet has reached its target. The effects of its mission follow as separate events: ships and cargo are those before the mission, and
  // `returnsAtMs` is as planned at launch. `fleet_destroyed`, `colonization_failed` and `attack_turned_away` change it.
  fleet_arrived: {
    code: 11,
    audience: FLEET,
    fields: { ...FLEET_HEAD, ships: 'ships', cargo: 'cargo', returnsAtMs: 'instantOrNull' },
  },
  fleet_recalled: { code: 12, audience: FLEET, fields: { ...FLEET_HEAD, returnsAtMs: 'instant' } },
  // A fleet has landed at its origin.
  fleet_returned: { code: 13, audience: FLEET, fields: { ...FLEET_HEAD, ships: 'ships', cargo: 'cargo' } },
  // A fleet has no ships left.
  fleet_destroyed: { code: 14, audience: FLEET, fields: FLEET_HEAD },
  // A fleet stays at a planet of another player, the host. Its owner and the host receive it.
  fleet_stationed: {
    code: 44,
    audience: PLAYER,
    fields: { ...FLEET_HEAD, senderNumber: 'player', hostNumber: 'player', ships: 'ships' },
  },
  // Such a fleet has fought for its host. Its owner receives what it lost.
  support_fought: {
    code: 45,
    audience: PLAYER,
    fields: { ...FLEET_HEAD, attackerNumber: 'player', hostNumber: 'player', reportNumber: 'count', lost: 'ships' },
  },
  // What the receiver cannot see is null. `shipCount` is the number of ships of all types.
  incoming_fleet: {
    code: 15,
    audience: PLAYER,
    fields: {
      ...INCOMING_HEAD,
      mission: 'missionOrNull',
      shipCount: 'countOrNull',
      ships: 'shipsOrNull',
      arrivesAtMs: 'instant',
    },
  },
  // Such a fleet has been recalled, or its player was retired.
  incoming_fleet_gone: { code: 16, audience: PLAYER, fields: INCOMING_HEAD },
  // Each side of a battle receives its own event. `loot` is what the attacker took.
  combat_report: {
    code: 17,
    audience: PLAYER,
    fields: {
      fleetNumber: 'count',
      reportNumber: 'count',
      planetKey: 'planet',
      attackerNumber: 'player',
      defenderNumber: 'player',
      outcome: 'outcome',
      attackerLost: 'ships',
      defenderLost: 'ships',
      loot: 'cargo',
    },
  },
  // The player who spied receives it. `ships` and `buildings` are null if the scouts did not see them.
  espionage_report: {
    code: 18,
    audience: PLAYER,
    fields: {
      fleetNumber: 'count',
      reportNumber: 'count',
      planetKey: 'planet',
      defenderNumber: 'player',
      stocks: 'amounts',
      ships: 'shipsOrNull',
      buildings: 'buildingsOrNull',
    },
  },
  // The player who was spied on receives it.
  espionage_detected: {
    code: 19,
    audience: PLAYER,
    fields: {
      fleetNumber: 'count',
      reportNumber: 'count',
      planetKey: 'planet',
      attackerNumber: 'player',
      scouts: 'count',
    },
  },
  // A transport has unloaded cargo. The owner of the planet receives it, and may also be the sender.
  resources_received: {
    code: 20,
    audience: PLAYER,
    fields: { planetKey: 'planet', fleetNumber: 'count', senderNumber: 'player', amounts: 'cargo' },
  },
  // An existing player has gained a planet. `fleetNumber` is null if no fleet was needed: colonize_planet, create_second_starter.
  planet_colonized: { code: 21, audience: EVERYBODY, fields: { planetKey: 'planet', fleetNumber: 'countOrNull' } },
  colonization_failed: {
    code: 22,
    audience: FLEET,
    fields: { ...FLEET_HEAD, reason: 'colonizationObstacle', returnsAtMs: 'instant' },
  },
  resources_granted: { code: 23, audience: PLAYER, fields: { planetKey: 'planet', amounts: 'amounts' } },
  // The player has another API key. From `expiresAtMs` on it is no longer valid, and from `oldKeyUntilMs` on the key before. `expiresAtMs` is
  // null if the key is valid for ever, `oldKeyUntilMs` if the key before is invalid already, or there was none.
  key_rotated: { code: 24, audience: PLAYER, fields: { expiresAtMs: 'instantOrNull', oldKeyUntilMs: 'instantOrNull' } },
  // The player has no API key any more.
  keys_revoked: { code: 25, audience: PLAYER, fields: {} },
  // A player has joined the world.
  player_joined: { code: 26, audience: PUBLIC, fields: NEW_PLAYER },
  // A fleet and a planet have fought. The event is about the attacker. The counts are of lost ships of all types.
  // `loot` is what the attacker took.
  battle: {
    code: 41,
    audience: PUBLIC,
    fields: {
      fleetNumber: 'count',
      planetKey: 'planet',
      defenderNumber: 'player',
      outcome: 'outcome',
      rounds: 'count',
      attackerLostCount: 'count',
      defenderLostCount: 'count',
      loot: 'cargo',
    },
  },
  // The player no longer exists, and `planetKeys` are those of its planets. Nothing is recorded for its planets, fleets and timers one by one.
  player_retired: { code: 28, audience: PUBLIC, fields: { name: 'text', planetKeys: 'planets' } },
  // A plan has started a step. It follows the event of what has started. `stepsLeft` counts the steps of the whole plan that have not started.
  plan_step_started: { code: 29, audience: PLAYER, fields: { ...STEP_HEAD, stepsLeft: 'count' } },
  // A plan has dropped a step that was blocked.
  plan_step_skipped: {
    code: 30,
    audience: PLAYER,
    fields: { ...STEP_HEAD, reason: 'blockReason', stepsLeft: 'count' },
  },
  // A lane of a plan waits because its first step is blocked. Recorded once for each step.
  plan_step_blocked: { code: 31, audience: PLAYER, fields: { ...STEP_HEAD, reason: 'blockReason' } },
  // A plan has no step left, and no longer exists.
  plan_completed: { code: 32, audience: PLAYER, fields: { planetKey: 'planet' } },
  // A fleet that was to attack has turned round, because until `untilMs` the owner of its target is protected, or both have a pact.
  attack_turned_away: {
    code: 33,
    audience: FLEET,
    fields: { ...FLEET_HEAD, defenderNumber: 'player', untilMs: 'instant', returnsAtMs: 'instant' },
  },
  // One player has proposed a pact to another. Both receive it. The pact would be in force for `durationSeconds`.
  pact_proposed: {
    code: 55,
    audience: PLAYER,
    fields: { ...PACT_HEAD, durationSeconds: 'count', expiresAtMs: 'instant' },
  },
  // The partner has accepted. Both receive it.
  pact_began: { code: 56, audience: PLAYER, fields: { ...PACT_HEAD, endsAtMs: 'instant' } },
  // One of them has cancelled the pact, which now ends at `endsAtMs`. Both receive it.
  pact_cancelled: { code: 57, audience: PLAYER, fields: { ...PACT_HEAD, byNumber: 'player', endsAtMs: 'instant' } },
  // The proposal or the pact is over. Both receive it.
  pact_ended: { code: 58, audience: PLAYER, fields: { ...PACT_HEAD, reason: 'pactEnding' } },
  // A pact has begun, was cancelled, or has ended. The event is about the player who accepted or cancelled it, else about the proposer.
  pact: {
    code: 59,
    audience: PUBLIC,
    fields: {
      pactNumber: 'count',
      pactKind: 'pactKind',
      otherNumber: 'player',
      change: 'pactChange',
      endsAtMs: 'instant',
    },
  },
  // What is to happen in a galaxy is known to everybody from now on.
  shock_announced: { code: 60, audience: WORLD, fields: SHOCK },
  shock_began: { code: 61, audience: WORLD, fields: SHOCK },
  // Pirates have taken resources from a planet.
  pirates_came: {
    code: 62,
    audience: PLAYER,
    fields: { planetKey: 'planet', shockNumber: 'count', resources: 'cargo' },
  },
  // The operator has paused the clock, at the instant of the event.
  clock_paused: { code: 34, audience: WORLD, fields: {} },
  // It goes on. `lagMs` is how far it is behind the clock of the machine from now on.
  clock_resumed: { code: 35, audience: WORLD, fields: { lagMs: 'count' } },
  // Production and what begins from now on follow this speed.
  speed_changed: { code: 36, audience: WORLD, fields: { speedThousandths: 'count' } },
  // The operator has suspended the player, or resumed it. Nobody else is told.
  player_suspended: { code: 37, audience: PLAYER, fields: {} },
  player_resumed: { code: 38, audience: PLAYER, fields: {} },
  // The operator has given the player another name.
  player_renamed: { code: 39, audience: EVERYBODY, fields: { name: 'text', formerName: 'text' } },
  // The operator has something to say. It is over at `untilMs`, or once there is another one.
  announcement: { code: 40, audience: WORLD, fields: { text: 'text', untilMs: 'instantOrNull' } },
  // A battle has left wrecks in space beside the planet. `amounts` is what has come to lie there. The event is about the attacker.
  wrecks_left: { code: 42, audience: PUBLIC, fields: { fleetNumber: 'count', planetKey: 'planet', amounts: 'cargo' } },
  // A fleet has loaded `amounts` from space beside its target, where `left` is left.
  field_harvested: { code: 43, audience: FLEET, fields: { ...FLEET_HEAD, amounts: 'cargo', left: 'cargo' } },
  // A player has sent a message to another one. Both receive the text, and nobody else.
  message_sent: {
    code: 46,
    audience: PLAYER,
    fields: { messageNumber: 'count', receiverNumber: 'player', text: 'text' },
  },
  message_received: {
    code: 47,
    audience: PLAYER,
    fields: { messageNumber: 'count', senderNumber: 'player', text: 'text' },
  },
  // The same for everybody, without the text. The event is about the sender.
  players_spoke: { code: 48, audience: PUBLIC, fields: { receiverNumber: 'player' } },
  // A player has sent a message to everybody.
  message_broadcast: { code: 49, audience: EVERYBODY, fields: { messageNumber: 'count', text: 'text' } },
  // A player offers goods. The maker receives it, and whom the offer is for. `h2Max` is what the maker has put aside for the way.
  offer_made: {
    code: 50,
    audience: PLAYER,
    fields: { ...OFFER_HEAD, give: 'lot', want: 'lot', h2Max: 'count', untilMs: 'instant' },
  },
  // An offer was taken. Both sides receive it, with what each pays for the way of its goods, and when those of the other side arrive.
  offer_taken: {
    code: 51,
    audience: PLAYER,
    fields: {
      ...OFFER_HEAD,
      takerNumber: 'player',
      takerPlanetKey: 'planet',
      give: 'lot',
      want: 'lot',
      h2Cost: 'count',
      arrivesAtMs: 'instant',
    },
  },
  // An offer ended that nobody took. The maker receives it, and whom the offer was for. `returned` is what is on the planet again.
  offer_ended: { code: 52, audience: PLAYER, fields: { ...OFFER_HEAD, reason: 'offerEnd', returned: 'cargo' } },
  // What a player has traded for has arrived.
  goods_arrived: {
    code: 53,
    audience: PLAYER,
    fields: { offerNumber: 'count', planetKey: 'planet', partnerNumber: 'player', goods: 'lot' },
  },
  // The player has taken an offer of another one, its partner: it receives `give` and pays `want`.
  trade_agreed: {
    code: 54,
    audience: PUBLIC,
    fields: {
      offerNumber: 'count',
      planetKey: 'planet',
      partnerNumber: 'player',
      partnerPlanetKey: 'planet',
      give: 'lot',
      want: 'lot',
    },
  },
} as const satisfies Readonly<Record<string, EventKindRow>>;

type EventKinds = typeof EVENT_KINDS;
export type EventKind = keyof EventKinds;

/** Fields of every event. */
interface EventHead<Kind extends EventKind> {
  readonly kind: Kind;
  /** World time in milliseconds: that of the command, or the deadline of the timer. */
  readonly atMs: number;
  /** The player who receives the event; of a public one, the player it is about, or NOBODY. */
  readonly playerNumber: number;
}

type FieldsOf<Fields extends Readonly<Record<string, FieldTypeName>>> = {
  readonly [Name in keyof Fields]: FieldValues[Fields[Name]];
};

/** The fields of a kind without those of every event. */
export type FieldsOfKind<Kind extends EventKind> = FieldsOf<EventKinds[Kind]['fields']>;

/** The event of each kind as a value. Types of buildings, ships and research are positions in the world's rules, missions in MISSIONS. */
type Events = { readonly [Kind in EventKind]: EventHead<Kind> & FieldsOfKind<Kind> };

export type EventOf<Kind extends EventKind> = Events[Kind];
export type WorldEvent = Events[EventKind];

/** @returns the number of the player who caused an event: the sender, the attacker, or the taker or maker of an offer, else the player whom it is about, or NOBODY */
export function causerOf(event: WorldEvent): number {
  if ('senderNumber' in event) return event.senderNumber;
  if ('attackerNumber' in event) return event.attackerNumber;
  if ('takerNumber' in event) return event.takerNumber;
  if ('makerNumber' in event) return event.makerNumber;
  if ('proposerNumber' in event) return causerOfPact(event);
  return event.playerNumber;
}

/** A pact that ends by itself is nobody's doing: each party counts as the cause of its own event. */
function causerOfPact(event: EventOf<'pact_proposed' | 'pact_began' | 'pact_cancelled' | 'pact_ended'>): number {
  switch (event.kind) {
    case 'pact_proposed':
      return event.proposerNumber;
    case 'pact_began':
      return event.partnerNumber;
    case 'pact_cancelled':
      return event.byNumber;
    case 'pact_ended':
      return event.playerNumber;
  }
}
