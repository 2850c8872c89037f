// The table of event types: the fields and the receivers of each. Replies with events, /asyncapi.json, docs/events.md and the types of
// the clients derive from it. http/events/event-view.ts renders events in these shapes.
import type { Static, TSchema } from 'typebox';
import { EVENT_KINDS, type EventKind } from '../../engine/events/kinds.js';
import { BLOCK_REASONS } from '../../engine/terms/plan-step.js';
import { Type } from '../../persistence/typebox.js';
import { PlanStep } from './plan-step.js';
import { SystemPosition } from './planet.js';
import { CombatOutcome } from './player.js';
import {
  buildingType,
  CargoAmounts,
  count,
  mission,
  ResourceAmounts,
  researchType,
  ShipCount,
  shipType,
  shownId,
  timestamp,
  timestampOrNull,
} from './primitives.js';

/**
 * Who receives events of a type. `player`: the player they are about. `public`: topic `world`. `both`: the player, and topic
 * `world`. `open`: the player, and in a world without keys topic `world`.
 */
export type EventAudience = 'player' | 'public' | 'both' | 'open';

export interface EventType {
  readonly summary: string;
  readonly audience: EventAudience;
  /** Schema of the event's `data`. */
  readonly data: TSchema;
  /** Schema of the whole event. */
  readonly event: TSchema;
}

const planetId = shownId('Planet id.');
const queueId = shownId('Queue id of the upgrade, as in POST /api/building/cancel.');
const fleetId = shownId('Fleet id.');
const reportId = shownId('Report id; GET /api/report/player/{playerId} has all of it.');
const finishAt = timestamp('When it is complete.');
const returnsAt = timestamp('When the fleet is back at its origin.');
const returnsAtOrNull = timestampOrNull('When the fleet is back at its origin; null if it does not return.');
const fleetShips = Type.Array(Type.Object({ type: shipType, count: count('Number of ships.') }));
const shipsOrNull = Type.Union([Type.Array(ShipCount), Type.Null()], { description: 'Null if anti_spy hid them.' });
const newPlayer = { name: Type.String(), isBot: Type.Boolean(), planetId: shownId('Planet id of the starter planet.') };
const fleet = {
  fleetId,
  mission,
  originPlanetId: shownId('Planet id of the origin.'),
  targetPlanetId: shownId('Planet id of the target.'),
};
const incomingFleet = {
  fleetId,
  senderId: shownId('Player id of the owner of the fleet.'),
  originSystem: SystemPosition,
  targetPlanetId: shownId('Planet id of the target.'),
};
const blockedStep = {
  planetId,
  step: PlanStep,
  reason: Type.Enum([...BLOCK_REASONS], { description: 'The error code that the command of the step would return.' }),
};
const attackerId = shownId('The player who sent the fleet.');
const defenderId = shownId('The player who owned the planet.');

/** By type: what has happened, and the schema of `data`. */
const ROWS = {
  player_created: { summary: 'The player was created.', data: Type.Object(newPlayer) },
  building_started: {
    summary: 'An upgrade or a first construction was started.',
    data: Type.Object({
      planetId,
      queueId,
      buildingType,
      targetLevel: count('The level that is being built.'),
      finishAt,
    }),
  },
  building_completed: {
    summary: 'A building has reached its next level.',
    data: Type.Object({ planetId, queueId, buildingType, level: count('The new level.') }),
  },
  building_cancelled: {
    summary: 'An upgrade was cancelled.',
    data: Type.Object({
      planetId,
      queueId,
      buildingType,
      targetLevel: count('The level that was being built.'),
      refund: ResourceAmounts,
    }),
  },
  ships_ordered: {
    summary: 'Ships were ordered.',
    data: Type.Object({
      planetId,
      shipType,
      count: count('Number of ships.'),
      finishAt: timestamp('When the ships of this order are delivered; orders before it are delivered by then.'),
    }),
  },
  ships_completed: {
    summary: 'The ships of an order were delivered.',
    data: Type.Object({ planetId, shipType, count: count('Number of ships.') }),
  },
  ships_cancelled: {
    summary: 'All orders of a planet were cancelled.',
    data: Type.Object({ planetId, shipType, count: count('Number of ships in these orders.') }),
  },
  research_started: {
    summary: 'Research was started.',
    data: Type.Object({ researchType, targetLevel: count('The level in progress.'), finishAt }),
  },
  research_completed: {
    summary: 'Research has reached its next level.',
    data: Type.Object({ researchType, level: count('The new level.') }),
  },
  fleet_launched: {
    summary: 'A fleet of the player has set out.',
    data: Type.Object({
      ...fleet,
      ships: fleetShips,
      resources: CargoAmounts,
      h2Cost: count('H2 paid for the flight there and back.'),
      arrivesAt: timestamp('When the fleet reaches its target.'),
      returnsAt: returnsAtOrNull,
    }),
  },
  fleet_arrived: {
    summary: 'A fleet of the player has reached its target. The effects of its mission follow as events of their own.',
    data: Type.Object({ ...fleet, ships: fleetShips, resources: CargoAmounts, returnsAt: returnsAtOrNull }),
  },
  fleet_recalled: { summary: 'A fleet of the player was recalled.', data: Type.Object({ ...fleet, returnsAt }) },
  fleet_returned: {
    summary: 'A fleet of the player has landed at its origin.',
    data: Type.Object({ ...fleet, ships: fleetShips, resources: CargoAmounts }),
  },
  fleet_destroyed: { summary: 'A fleet of the player has no ships left.', data: Type.Object(fleet) },
  incoming_fleet: {
    summary:
      "Another player's fleet is on its way to a planet of the player. The rules of espionage decide what is shown of it.",
    data: Type.Object({
      ...incomingFleet,
      mission: Type.Union([mission, Type.Null()], { description: 'Null if the player cannot see it.' }),
      shipCount: Type.Union([count('Number of ships of all types.'), Type.Null()], {
        description: 'Number of ships of all types; null if the player cannot see it.',
      }),
      ships: Type.Union([fleetShips, Type.Null()], { description: 'Null if the player cannot see them.' }),
      arrivesAt: timestamp('When the fleet reaches the planet.'),
    }),
  },
  incoming_fleet_gone: {
    summary: 'Such a fleet was recalled, or its player was retired.',
    data: Type.Object(incomingFleet),
  },
  combat_report: {
    summary: 'The player has fought a battle, as attacker or defender.',
    data: Type.Object({
      reportId,
      fleetId,
      planetId,
      attackerId,
      defenderId,
      outcome: CombatOutcome,
      attackerLost: Type.Array(ShipCount),
      defenderLost: Type.Array(ShipCount),
      loot: CargoAmounts,
    }),
  },
  espionage_report: {
    summary: 'Scouts of the player have spied on a planet.',
    data: Type.Object({
      reportId,
      fleetId,
      planetId,
      defenderId,
      stocks: ResourceAmounts,
      ships: shipsOrNull,
      buildings: Type.Union([Type.Array(Type.Object({ type: buildingType, level: count('Level.') })), Type.Null()], {
        description: 'Null if anti_spy hid them.',
      }),
    }),
  },
  espionage_detected: {
    summary: 'A planet of the player was spied on.',
    data: Type.Object({ reportId, fleetId, planetId, attackerId, scouts: count('Number of scouts seen.') }),
  },
  resources_received: {
    summary: 'A transport has unloaded cargo on a planet of the player.',
    data: Type.Object({
      planetId,
      fleetId,
      senderId: shownId('Player id of the owner of the fleet; it may be the receiver.'),
      resources: CargoAmounts,
    }),
  },
  planet_colonized: {
    summary: 'A player has gained a planet besides its first.',
    data: Type.Object({
      planetId,
      fleetId: Type.Union([Type.String(), Type.Null()], { description: 'Fleet id; null if no fleet was needed.' }),
    }),
  },
  colonization_failed: {
    summary: 'A fleet of the player could not take its target.',
    data: Type.Object({
      ...fleet,
      reason: Type.Enum(['planet_occupied', 'planet_limit'], {
        type: 'string',
        description: 'Somebody owns the planet, or the player has as many as it may have.',
      }),
      returnsAt,
    }),
  },
  attack_turned_away: {
    summary: 'A fleet of the player that was to attack has turned round: the owner of its target is protected.',
    data: Type.Object({
      ...fleet,
      defenderId: shownId('Player id of the owner of the target.'),
      protectedUntil: timestamp('When the protection ends.'),
      returnsAt,
    }),
  },
  resources_granted: {
    summary: 'The operator has granted resources.',
    data: Type.Object({ planetId, resources: ResourceAmounts }),
  },
  key_rotated: {
    summary: 'The player has a new API key.',
    data: Type.Object({
      expiresAt: timestampOrNull('World time from which the new key is not valid; null if it is valid for ever.'),
      oldKeyUntil: timestampOrNull('The same for the key before; null if it is invalid already, or there was none.'),
    }),
  },
  keys_revoked: { summary: 'The player has no API key any more.', data: Type.Object({}) },
  player_joined: { summary: 'A player has joined the world.', data: Type.Object(newPlayer) },
  battle: {
    summary: 'A fleet and a planet have fought. The event is about the attacker.',
    data: Type.Object({
      planetId,
      fleetId,
      attackerId,
      defenderId,
      outcome: CombatOutcome,
      rounds: count('Rounds fought.'),
      attackerLostCount: count('Ships that the attacker lost.'),
      defenderLostCount: count('Ships that the defender lost.'),
    }),
  },
  player_retired: {
    summary: 'The operator has retired a player, of whom nothing is left.',
    data: Type.Object({
      name: Type.String(),
      planetIds: Type.Array(Type.String(), { description: 'Planet ids of the planets that nobody owns any more.' }),
    }),
  },
  plan_step_started: {
    summary: 'The plan of a planet has started a step. The event of what has started precedes it.',
    data: Type.Object({ planetId, step: PlanStep, stepsLeft: count('Steps of the plan that have not started.') }),
  },
  plan_step_skipped: {
    summary: 'The plan of a planet has dropped a step that was blocked.',
    data: Type.Object({ ...blockedStep, stepsLeft: count('Steps of the plan that have not started.') }),
  },
  plan_step_blocked: {
    summary: 'A lane of the plan of a planet waits, because its first step is blocked. Told once for each step.',
    data: Type.Object(blockedStep),
  },
  plan_completed: {
    summary: 'The plan of a planet has no step left, and no longer exists.',
    data: Type.Object({ planetId }),
  },
} as const satisfies Readonly<Record<EventKind, Pick<EventType, 'summary' | 'data'>>>;

type Rows = typeof ROWS;

/** `data` of each type, as the view renders it. */
export type EventData = { readonly [Kind in EventKind]: Static<Rows[Kind]['data']> };

/** All types in the order of the engine's kinds. */
export const EVENT_TYPES: ReadonlyMap<EventKind, EventType> = new Map(
  (Object.keys(ROWS) as EventKind[]).map((type) => [type, eventType(type, ROWS[type])]),
);

/** By component name, such as BuildingStartedEvent: the schema of each event. */
export const EVENT_SCHEMAS: Readonly<Record<string, TSchema>> = Object.fromEntries(
  [...EVENT_TYPES].map(([type, { event }]) => [eventName(type), event]),
);

/** Any event. */
export const GameEvent = Type.Union(Object.values(EVENT_SCHEMAS), {
  description: 'Something that has happened; `type` determines `data`.',
});

export const EventPage = Type.Object({
  events: Type.Array(GameEvent, { description: 'Events after `since`, oldest first.' }),
  lastSeq: count('Seq of the last event; 0 before the first.'),
  oldestSeq: count('Seq of the oldest event that is kept; lastSeq + 1 if none is.'),
});

function eventType(type: EventKind, { summary, data }: Pick<EventType, 'summary' | 'data'>): EventType {
  const event = Type.Object(
    {
      seq: Type.Integer({ minimum: 1, description: 'Counts the events of the receiver, without gaps.' }),
      type: Type.Literal(type),
      at: timestamp('World time of the event.'),
      playerId: shownId('Player id of the receiver; in topic `world`, of the player whom the event is about.'),
      data,
    },
    { description: summary },
  );
  return { summary, audience: audienceOf(type), data, event };
}

function audienceOf(type: EventKind): EventAudience {
  const { player, world, openWorld } = EVENT_KINDS[type].audience;
  if (!player) return 'public';
  if (world) return 'both';
  return openWorld ? 'open' : 'player';
}

/** `building_started` becomes `BuildingStartedEvent`. */
function eventName(type: EventKind): string {
  return `${type.replace(/(^|_)([a-z])/g, (_, _separator, letter: string) => letter.toUpperCase())}Event`;
}
