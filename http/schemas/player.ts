// Players, their fleets, research and reports, as replies show them (specification, sections 8, 11 and 13).
import type { Static } from 'typebox';
import { WARNINGS, type WarningCode as WarningName } from '../../engine/terms/missions.js';
import type { RefusalCode } from '../../engine/terms/rejections.js';
import { COURSES } from '../../engine/world/fleet-table.js';
import { Type } from '../../persistence/typebox.js';
import { Planet, Richness } from './planet.js';
import {
  buildingType,
  CargoAmounts,
  count,
  driveType,
  FleetShips,
  flag,
  flightType,
  listOf,
  mission,
  oneOf,
  orNull,
  ResourceAmounts,
  researchType,
  ShipCount,
  shownId,
  text,
  timestamp,
  timestampOrNull,
} from './primitives.js';

export const FleetState = oneOf(
  [...COURSES],
  'On the way to the target, back to the origin, or staying at the target.',
);

export const Fleet = Type.Object({
  id: shownId('Fleet id.'),
  mission,
  launchedAt: timestamp('When the fleet left its origin.'),
  arrivesAt: timestamp('When the fleet reaches, or would have reached, its target.'),
  returnsAt: timestampOrNull(
    'When the fleet is back at its origin; null if it does not return, or stays until somebody sends it home.',
  ),
  ships: Type.Array(FleetShips),
  playerId: shownId('Player id of the owner.'),
  originPlanetId: shownId('Planet id of the origin.'),
  targetPlanetId: shownId('Planet id of the target.'),
  state: FleetState,
  drive: driveType,
  distance: count('Distance units, one way.'),
  flightSeconds: count('Seconds, one way.'),
  h2Cost: count('H2 paid at launch for the flight there and back.'),
  resources: CargoAmounts,
  recalledAt: timestampOrNull('When the fleet was recalled; null if it was not.'),
});

/** What planets see of a fleet of another player: where it is when, but neither what it is for nor what it carries. */
export const SeenFleet = Type.Object({
  id: shownId('Fleet id.'),
  playerId: shownId('Player id of the owner.'),
  originPlanetId: shownId('Planet id of the origin.'),
  targetPlanetId: shownId('Planet id of the target.'),
  state: FleetState,
  arrivesAt: timestamp('When the fleet reaches, or would have reached, its target.'),
  returnsAt: timestampOrNull('When the fleet is back at its origin; null if it does not return.'),
  recalledAt: timestampOrNull('When the fleet was recalled; null if it was not.'),
});

export const SeenFleets = Type.Object({
  planetId: shownId('Planet id.'),
  reach: count('Distance, in the units of flights, up to which the planet sees; 0 if nobody owns it.'),
  fleets: listOf(SeenFleet, 'Fleets of others, in the order of their launch.'),
  nextCursor: orNull(Type.String(), 'The `cursor` of the next request; null if there are no further fleets.'),
});

export const ResearchEntry = Type.Object({
  id: shownId('Research id.'),
  type: researchType,
  level: count('Highest completed level; 0 if none is.'),
  isResearching: Type.Boolean(),
  researchFinishAt: timestampOrNull('When the next level is completed; null if none is in progress.'),
});

const playerFields = {
  id: shownId('Player id.'),
  name: Type.String(),
  isBot: Type.Boolean(),
  planets: Type.Array(Planet),
  fleets: Type.Array(Fleet),
  research: listOf(ResearchEntry, 'All research that was started at least once.'),
  nextTimerAt: timestampOrNull(
    'When the next upgrade, ship order, research or flight ends, or a plan can pay for a step; null if none of that is known.',
  ),
  planetsMax: Type.Optional(
    count(
      'Up to how many planets fleets colonize; only if the rules limit that by a research. A fleet that would take one more turns round. ' +
        'Starter planets count; neither they nor the colonize path of the development mode are limited.',
    ),
  ),
  protectedUntil: Type.Optional(
    timestampOrNull(
      'Until when attacks on its planets turn round; only if the rules protect new players. At or before x-world-time: no longer. ' +
        'Null: the player attacked, or never was protected.',
    ),
  ),
  battlePoints: Type.Optional(
    count('Points for what the player destroyed of others; only if the rules say what counts as points.'),
  ),
  suspendedAt: Type.Optional(
    timestamp(
      'Only while the operator has suspended the player: since when its commands are refused and its plans wait.',
    ),
  ),
  lastEventSeq: count(
    'Seq of the last event that the state includes: the events after it are news. 0 before the first.',
  ),
};

export const Player = Type.Object(playerFields);

export const CreatedPlayer = Type.Object({
  ...playerFields,
  apiKey: Type.Optional(text('With --auth key: returned once, when the player is created. Only its hash is stored.')),
});

export const PlayerKey = Type.Object({
  playerId: shownId('Player id.'),
  apiKey: text('The new API key; shown only here. Only its hash is stored.'),
  expiresAt: timestampOrNull('World time from which it is no longer valid; null if it is valid for ever.'),
});

export const WarningCode = oneOf(
  Object.keys(WARNINGS) as WarningName[],
  'Stable identifier of a warning, for programs.',
);

export const FlightWarning = Type.Object(
  {
    code: WarningCode,
    detail: text('The warning in a sentence.'),
    until: Type.Optional(timestamp('Until when that is in the way.')),
    limit: Type.Optional(Type.Object({ name: Type.String(), maximum: count('Its value.') })),
    raisedBy: Type.Optional(
      Type.Object(
        { researchType, level: count('The level that it must reach.') },
        { description: 'The research that raises the limit next.' },
      ),
    ),
  },
  { description: 'As things are now, the fleet comes back without what it flies for.' },
);

const warnings = listOf(
  FlightWarning,
  'Why the fleet would come back without what it flies for, as things are now; empty if it would not.',
);

const lootUnitsMax = Type.Optional(
  count(
    'Of an attack on another player, if the rules limit it (`lootPairPercent`): units of all resources that the player may still take from that one.',
  ),
);

export const Launch = Type.Object({
  fleet: Fleet,
  distance: count('Distance units, one way.'),
  drive: driveType,
  flightSeconds: count('Seconds, one way.'),
  h2Cost: count('H2 paid for the flight there and back.'),
  lootUnitsMax,
  warnings,
});

/** Refusals of a launch that do not concern ownership, in order of precedence. */
export const FLIGHT_REFUSALS = [
  'limit_reached',
  'insufficient_ships',
  'no_drive_available',
  'hangar_capacity_exceeded',
  'insufficient_h2',
  'cargo_capacity_exceeded',
  'insufficient_resources',
  'mission_not_possible',
] as const satisfies readonly RefusalCode[];

export const FlightRefusal = oneOf(
  [...FLIGHT_REFUSALS],
  'The code of a refusal of a launch that does not concern ownership.',
);

export const SimulatedFlight = Type.Object({
  drive: driveType,
  flightSeconds: count('Seconds, one way; 0 if the drive cannot fly this type.'),
  h2Cost: count('H2 for the flight there and back; 0 if the drive cannot fly this type.'),
  distance: count('Distance units, one way.'),
  flightType,
  possible: flag('Whether a launch with this drive would be accepted now.'),
  reason: Type.Optional(
    Type.Object(
      {
        code: FlightRefusal,
        detail: text('The reason in a sentence, and what to do.'),
        missing: Type.Optional(
          Type.Record(Type.String(), Type.Number(), { description: 'Missing whole units or ships, by name.' }),
        ),
      },
      { description: 'Why the launch is not possible.' },
    ),
  ),
  lootUnitsMax,
  warnings,
});

export const Simulation = Type.Object({
  results: listOf(SimulatedFlight, 'One entry for each drive.'),
  distance: count('Distance units, one way.'),
  flightType,
});

const reportHead = {
  id: shownId('Report id.'),
  at: timestamp('When the event happened.'),
  planetId: shownId('Planet where it happened.'),
  attackerId: shownId('The player who sent the fleet.'),
  defenderId: shownId('The player who owned the planet.'),
};

export const CombatSide = Type.Object({
  sent: listOf(ShipCount, 'Before the battle.'),
  lost: Type.Array(ShipCount),
  left: listOf(ShipCount, 'After the battle.'),
});

export const CombatOutcome = oneOf(['attacker_won', 'defender_won', 'draw'], 'How a battle ended.');

export const CombatReport = Type.Object({
  ...reportHead,
  type: Type.Literal('combat'),
  outcome: CombatOutcome,
  rounds: count('Rounds fought.'),
  shieldHitPoints: count('Hit points that the planetary shield added to the defence.'),
  attacker: CombatSide,
  defender: CombatSide,
  loot: CargoAmounts,
  cargoLost: CargoAmounts,
});

export const EspionageReport = Type.Object({
  ...reportHead,
  type: Type.Literal('espionage'),
  richness: Type.Optional(Richness),
  stocks: ResourceAmounts,
  ships: orNull(Type.Array(ShipCount), 'Null if anti_spy hid them.'),
  buildings: orNull(
    Type.Array(Type.Object({ type: buildingType, level: count('Level.') })),
    'Null if anti_spy hid them.',
  ),
});

export const EspionageDetection = Type.Object({
  ...reportHead,
  type: Type.Literal('espionage_detected'),
  scouts: count('Number of scouts seen.'),
});

export const Report = Type.Union([CombatReport, EspionageReport, EspionageDetection]);

export type FleetBody = Static<typeof Fleet>;
export type SeenFleetsBody = Static<typeof SeenFleets>;
export type ResearchEntryBody = Static<typeof ResearchEntry>;
export type LaunchBody = Static<typeof Launch>;
export type FlightWarningBody = Static<typeof FlightWarning>;
export type SimulationBody = Static<typeof Simulation>;
export type ReportBody = Static<typeof Report>;
export type PlayerKeyBody = Static<typeof PlayerKey>;
