// The optional parts of a rule set as GET /api/catalog shows them, with the names of the rule set. A part that the rules do not have
// is absent.
import { Type } from '../../persistence/typebox.js';
import { Richness } from './planet.js';
import { buildingType, CargoAmounts, count, listOf, researchType, resourceName, shipType } from './primitives.js';

const strongAgainst = listOf(Type.Union([shipType, buildingType]), 'Types that it does more damage to; see war.');

export const DefenceRule = Type.Object(
  {
    attacks: listOf(
      count('Damage of that level in a round.'),
      'Index 0 is level 1. It grows like the cost of all levels up to it.',
    ),
    hitPoints: listOf(count('Hit points of that level.'), 'Likewise.'),
    strongAgainst,
  },
  { description: 'If the building fights for its planet. It is whole again after each battle.' },
);

const ShockRule = Type.Object({
  type: Type.String({ description: 'Name in the API.' }),
  durationSeconds: count('How long it lasts, at speed 1. Pirates come at once.'),
  effect: Type.Union(
    [
      Type.Object({
        kind: Type.Literal('output'),
        resource: resourceName,
        percent: count('Output of the planets of the galaxy, in per cent of the usual.'),
      }),
      Type.Object({
        kind: Type.Literal('pirates'),
        idleSeconds: count('A planet keeps what all planets of its owner produce in this time, at speed 1.'),
        percent: count('What they take of the rest, in per cent.'),
      }),
      Type.Object({
        kind: Type.Literal('bounty'),
        percent: count(
          'What each attacker may take of the player who has looted most in the galaxy, in per cent of `war.lootPairPercent`.',
        ),
      }),
    ],
    { description: 'What it does.' },
  ),
});

const percentPerLevel = count('Per cent that each level adds; they add up.');

export const ResearchEffect = Type.Union(
  [
    Type.Object({ kind: Type.Literal('output'), resources: Type.Array(resourceName), percentPerLevel }),
    Type.Object({
      kind: Type.Enum(['attack', 'hit_points', 'cargo'], { type: 'string' }),
      percentPerLevel,
    }),
    Type.Object({
      kind: Type.Literal('sight'),
      scoutsPerLevel: count('Scouts see, and anti_spy hides, as if there were this many more.'),
    }),
  ],
  { description: 'What each level adds, for all planets and ships of the player.' },
);

/** Optional fields of ships and buildings. */
export const optionalStrengths = { strongAgainst: Type.Optional(strongAgainst) };

/** Optional fields of the catalogue. */
export const ruleParts = {
  plans: Type.Optional(
    Type.Object(
      { stepsMax: count('Steps of one plan.') },
      { description: 'If planets can have plans; see PUT /api/plan/planet/{planetId}.' },
    ),
  ),
  colonies: Type.Optional(
    Type.Object(
      {
        research: researchType,
        planetsAtFirst: count('Number of planets up to which the fleets of every player colonize.'),
        levelsPerPlanet: count('Number of levels of the research that allow one planet more.'),
      },
      { description: 'If a research limits the number of planets up to which fleets colonize.' },
    ),
  ),
  war: Type.Optional(
    Type.Object(
      {
        protectionSeconds: count(
          'World seconds at speed 1 from the creation of a player in which attacks on its planets turn round, unless it attacks first.',
        ),
        lootPeriodSeconds: count(
          'World seconds at speed 1, from the first loot of a planet on, in which all attackers together take no more than stock / lootDivisor of it; 0 if each battle counts alone.',
        ),
        lootPairPercent: count(
          'Most that a player takes from one other player in such a period, from its first loot on, in per cent of the units that its own planets produce in one, all but energy; 0 if there is no limit.',
        ),
        strongAgainstPercent: count('Damage to a type that the ship is strong against, in per cent.'),
      },
      {
        description:
          'If only armed ships win battles, types are strong against each other, and new players are protected.',
      },
    ),
  ),
  deliveries: Type.Optional(
    Type.Object(
      {
        periodSeconds: count('World seconds at speed 1 of a period, which the first delivery to a planet begins.'),
        outputPercent: count(
          'Share of the units that the planet produces in a period, all but energy, that other players together may bring. The rest flies home.',
        ),
      },
      { description: 'If the planets take only so much from other players.' },
    ),
  ),
  richness: Type.Optional(
    Type.Object(
      {
        percentMin: count('Output of the poorest planets, in per cent of that of their buildings.'),
        percentMax: count('Output of the richest planets. Half is as frequent as double.'),
        starters: Type.Array(Richness, {
          description:
            'What those produce that newcomers get: all of a system have one of these. Each is as likely as any other.',
        }),
      },
      { description: 'If planets differ in their output of each resource but energy.' },
    ),
  ),
  sight: Type.Optional(
    Type.Object(
      {
        research: researchType,
        distancePerLevel: count('Distance, in the units of flights, that each level adds.'),
      },
      { description: 'If the planets see the flights of others, by a research; see GET /api/fleet/seen/{planetId}.' },
    ),
  ),
  fields: Type.Optional(
    Type.Object(
      {
        asteroids: CargoAmounts,
        wreckPercent: count(
          'What destroyed ships leave, in per cent of their cost, in each battle of each side at most of as many units as the other side lost.',
        ),
      },
      {
        description:
          'If stocks lie in space that fleets can harvest: `asteroids` beside one planet of each system, and wrecks of battles.',
      },
    ),
  ),
  support: Type.Optional(
    Type.Object(
      { fleetsPerPlanetMax: count('Fleets of others that a planet takes.') },
      { description: 'If fleets can be stationed at planets of other players (mission `support`), and defend them.' },
    ),
  ),
  messages: Type.Optional(
    Type.Object(
      {
        charactersMax: count('Unicode code points of a message.'),
        periodSeconds: count('World seconds at speed 1 of a period, which the first message of a player begins.'),
        sentMax: count('Messages of a player to single players in a period.'),
        sentToOneMax: count('Messages of a player to one other player in a period.'),
        keptMax: count(
          'Messages to a player that are kept, and as many of those that it sent. The oldest are dropped.',
        ),
        broadcastsMax: count('Messages of a player to everybody in a period.'),
        broadcastsKeptMax: count('Messages to everybody that are kept.'),
        blockedMax: count('Players whose messages a player refuses.'),
      },
      { description: 'If players can write to each other and to everybody; see POST /api/message.' },
    ),
  ),
  market: Type.Optional(
    Type.Object(
      {
        carrier: Type.String({ description: 'Ship type that goods travel with: its speed, its cargo and its h2.' }),
        offersPerPlayer: count('Offers of one player that are open at the same time.'),
        offerSecondsMax: count('World seconds at speed 1 after which an offer ends at the latest.'),
        unsoldPercent: count(
          'What a planet loses of what it has offered and not sold, h2 for the way included, in per cent.',
        ),
        values: CargoAmounts,
      },
      {
        description:
          'If players trade resources (POST /api/market/offer). What a side receives beyond the value of what it gives, by `values` of a unit, counts as a delivery.',
      },
    ),
  ),
  pacts: Type.Optional(
    Type.Object(
      {
        proposalSeconds: count('Time after which a proposal that nobody has answered expires, at speed 1.'),
        durationSecondsMax: count('Longest time for which a pact is in force, at speed 1.'),
        noticeSeconds: count('Time from the cancellation of a pact to its end, at speed 1.'),
        openMax: count('Pacts in force and own proposals of a player.'),
      },
      { description: 'If players make pacts with each other (`POST /api/pact`), which the world keeps.' },
    ),
  ),
  shocks: Type.Optional(
    Type.Object(
      {
        intervalSeconds: count('Time from one announcement to the next, at speed 1.'),
        noticeSecondsMin: count('Shortest time from the announcement of a shock to its beginning, at speed 1.'),
        noticeSecondsMax: count('Longest such time.'),
        types: listOf(ShockRule, 'Each is as likely as any other.'),
      },
      {
        description:
          'If a shock is drawn and announced at regular times for each galaxy with owned planets; see GET /api/game/shocks.',
      },
    ),
  ),
  points: Type.Optional(
    Type.Object(
      {
        shipPercent: count('What ships count.'),
        destroyedPercent: count(
          'What ships of others that the player has destroyed count, in each battle at most as many units as it lost there.',
        ),
      },
      {
        description:
          'If ships count in part, in per cent of the units that they cost, and destroyed ones too; otherwise ships count whole. Buildings always do.',
      },
    ),
  ),
};
