// Planets, their buildings and shipyards, and systems, as replies show them (specification, sections 7, 9 and 10).
import type { Static } from 'typebox';
import { Type } from '../../persistence/typebox.js';
import {
  buildingType,
  count,
  FleetShips,
  flag,
  galaxyIndex,
  listOf,
  orNull,
  ShipCount,
  shipType,
  shownId,
  slot,
  timestamp,
  timestampOrNull,
} from './primitives.js';

export const Owner = Type.Object(
  { id: shownId('Player id.'), name: Type.String(), isBot: Type.Boolean() },
  { description: 'A summary of the owning player.' },
);

export const OwnerOrNull = orNull(Owner, 'Null if nobody owns the planet.');

export const SystemPosition = Type.Object({
  galaxyIndex,
  index: count('System index within the galaxy.'),
});

export const ConstructionEntry = Type.Object({
  queueId: shownId('Identifies the upgrade in POST /api/building/cancel.'),
  targetLevel: count('The level that is being built.'),
  startedAt: timestamp('When the upgrade was started.'),
  upgradeFinishAt: timestamp('When the level is reached.'),
});

export const Building = Type.Object({
  id: shownId('Building id.'),
  type: buildingType,
  level: count('Current level; 0 during the first construction.'),
  constructionQueue: listOf(ConstructionEntry, 'Empty if no upgrade is in progress.'),
});

export const ShipyardEntry = Type.Object({
  shipType,
  count: count('Number of ships in this order; they are delivered together.'),
  isBuilding: flag('False while the order waits for another one.'),
  buildFinishAt: timestamp('When the ships are delivered.'),
});

export const ShipyardStatus = Type.Object({
  queue: Type.Array(ShipyardEntry),
  stock: listOf(ShipCount, 'Ships on the planet.'),
});

const perHour = (resource: string) => Type.Number({ minimum: 0, description: `Units of ${resource} per hour.` });

export const Production = Type.Object(
  {
    iron: perHour('iron'),
    silver: perHour('silver'),
    ember: perHour('ember'),
    h2: perHour('h2'),
    energy: perHour('energy'),
  },
  {
    description:
      'What the planet produces in an hour, in units with up to three decimals, until a building changes, or a shock begins or ends. A stock at a ' +
      'later instant is the shown one plus the production since x-world-time; it can be one unit more, since stocks ' +
      'are shown rounded down.',
  },
);

const percentOf = (resource: string) => count(`Output of ${resource} in per cent of that of its buildings.`);

export const Richness = Type.Object(
  { iron: percentOf('iron'), silver: percentOf('silver'), ember: percentOf('ember'), h2: percentOf('h2') },
  { description: 'What the planet produces compared with others; see richness in the catalogue.' },
);

const head = { id: shownId('Planet id.'), name: Type.String(), slot };

export const Planet = Type.Object({
  ...head,
  iron: count('Whole units, rounded down.'),
  silver: count('Whole units, rounded down.'),
  ember: count('Whole units, rounded down.'),
  h2: count('Whole units, rounded down; fuel for flights.'),
  energy: count('Whole units, rounded down.'),
  system: SystemPosition,
  production: Production,
  richness: Type.Optional(Richness),
  nextTimerAt: timestampOrNull(
    'When the upgrade or the first ship order is complete, or the plan can pay for a step, whichever is first; null if none is known.',
  ),
  visibility: Type.Literal('full', { description: 'The planet is shown with everything on it.' }),
  buildings: Type.Array(Building),
  planetShips: listOf(ShipCount, 'Ships stationed on the planet.'),
  shipyardQueue: Type.Array(ShipyardEntry),
  planSteps: Type.Optional(
    count(
      'Steps that the plan of the planet has not started; absent without a plan. See GET /api/plan/planet/{planetId}.',
    ),
  ),
  supporters: Type.Optional(
    listOf(
      Type.Object({ fleetId: shownId('Fleet id.'), playerId: shownId('Its owner.'), ships: Type.Array(FleetShips) }),
      'Fleets of others that are stationed at the planet and defend it; absent if there are none.',
    ),
  ),
  owner: OwnerOrNull,
});

export const PlanetSummary = Type.Object(
  {
    ...head,
    system: SystemPosition,
    visibility: Type.Literal('public', { description: 'Only what every player may see is shown.' }),
    owner: OwnerOrNull,
  },
  { description: 'The public fields of a planet.' },
);

/** Whichever of the two the caller may see. */
export const PlanetView = Type.Union([Planet, PlanetSummary]);

export const Star = Type.Object({
  name: Type.String(),
  type: Type.String(),
  temperature: Type.Integer({ description: 'Kelvin.' }),
});

export const SystemOverview = Type.Object({
  id: shownId('System id.'),
  index: count('System index within the galaxy.'),
  planets: count('Number of planets.'),
  free: count('Number of planets that nobody owns.'),
  freeSlots: listOf(slot, 'Their slots.'),
  owners: Type.Array(
    Type.Object({
      playerId: shownId('Player id.'),
      slots: listOf(slot, 'Slots of its planets.'),
    }),
  ),
});

const GalaxyHead = Type.Object({ id: shownId('Galaxy id.'), index: galaxyIndex });

export const GalaxyOverview = Type.Object({
  galaxy: GalaxyHead,
  systems: listOf(SystemOverview, 'All systems of the galaxy, by index.'),
});

export const SystemView = Type.Object({
  galaxy: GalaxyHead,
  system: Type.Object({ id: shownId('System id.'), index: count('System index within the galaxy.'), star: Star }),
  planets: listOf(PlanetSummary, 'All planets of the system, ordered by slot.'),
});

export type PlanetBody = Static<typeof Planet>;
export type BuildingBody = Static<typeof Building>;
export type ShipyardEntryBody = Static<typeof ShipyardEntry>;
export type ShipyardStatusBody = Static<typeof ShipyardStatus>;
export type GalaxyOverviewBody = Static<typeof GalaxyOverview>;
export type SystemViewBody = Static<typeof SystemView>;
