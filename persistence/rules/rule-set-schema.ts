// The schema of a rule set in a file, a request, a log or a snapshot. What the schema cannot express is checked in
// engine/rules/soundness.ts.
import { FLIGHT_TYPES } from '../../engine/map/universe.js';
import {
  BLOCKED_PLAYERS_MAX,
  BUILDING_LEVEL_MAX,
  COMBAT_ROUNDS_MAX,
  MESSAGE_LENGTH_MAX,
  MESSAGES_KEPT_MAX,
  MESSAGES_SENT_MAX,
  OFFERS_PER_PLAYER_MAX,
  PACTS_OPEN_MAX,
  PLAN_STEPS_MAX,
  PLANETS_PER_PLAYER_MAX,
  RESEARCH_LEVEL_MAX,
  SHOCK_TYPES_MAX,
  STARTER_LEANS_MAX,
  SUPPORT_FLEETS_MAX,
  TYPE_NAME_LENGTH_MAX,
  TYPES_PER_LIST_MAX,
} from '../../engine/rules/limits.js';
import {
  RULE_FACTOR_MAX,
  RULE_PERCENT_MAX,
  RULE_SECONDS_MAX,
  RULE_SET_VERSION_MAX,
  RULE_TEXT_LENGTH_MAX,
  RULE_UNITS_MAX,
  SHIP_STRENGTH_MAX,
  WRECK_PERCENT_MAX,
} from '../../engine/rules/record-limits.js';
import { CARGO_RESOURCE_COUNT, RESOURCES } from '../../engine/rules/resources.js';
import type { RuleSet as RuleSetType } from '../../engine/rules/rule-set.js';
import { Type } from '../typebox.js';

const boundedInteger = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description });
const CLOSED = { additionalProperties: false } as const;
const units = (description: string) => boundedInteger(0, RULE_UNITS_MAX, description);

const name = (description: string) =>
  Type.String({ minLength: 1, maxLength: TYPE_NAME_LENGTH_MAX, pattern: '^[a-z][a-z0-9_]*$', description });
const text = (description: string) => Type.String({ maxLength: RULE_TEXT_LENGTH_MAX, description });

/** A list of numbers of fixed length. */
const numbers = (item: ReturnType<typeof units>, count: number, description: string) =>
  Type.Array(item, { minItems: count, maxItems: count, description });

/** Amounts in the order iron, silver, ember, h2, energy. */
const amounts = (description: string) => numbers(units('Whole units.'), RESOURCES.length, description);

const typeList = <Row extends ReturnType<typeof Type.Object>>(row: Row, description: string) =>
  Type.Array(row, { minItems: 1, maxItems: TYPES_PER_LIST_MAX, description });

const fraction = (description: string) =>
  Type.Object(
    {
      numerator: boundedInteger(1, RULE_FACTOR_MAX, 'Numerator.'),
      denominator: boundedInteger(1, RULE_FACTOR_MAX, 'Denominator.'),
    },
    { ...CLOSED, description },
  );

const typeNames = (description: string) =>
  Type.Array(name('Building type.'), { maxItems: TYPES_PER_LIST_MAX, description });

const percent = (lowest: number, description: string) => boundedInteger(lowest, RULE_PERCENT_MAX, description);
const percentPerLevel = boundedInteger(1, 100, 'Percent per level; the percentages of levels add up.');

const strongAgainst = (description: string) =>
  Type.Array(name('Type.'), { maxItems: 2 * TYPES_PER_LIST_MAX, description });

const defence = Type.Object(
  {
    attack: boundedInteger(
      0,
      SHIP_STRENGTH_MAX,
      'Hit points of damage per round at level 1. Each level adds costGrowth times what the one before added.',
    ),
    hitPoints: boundedInteger(1, SHIP_STRENGTH_MAX, 'Hit points at level 1; they grow likewise.'),
    strongAgainst: strongAgainst('Ship types that it does more damage to.'),
  },
  {
    ...CLOSED,
    description: 'The building takes part in battles on its planet and is whole again afterwards. Needs `war`.',
  },
);

const effect = Type.Union(
  [
    Type.Object(
      {
        kind: Type.Literal('output'),
        resources: Type.Array(name('Resource.'), {
          minItems: 1,
          maxItems: RESOURCES.length,
          description: 'Resources whose output rises, on all planets of the player.',
        }),
        percentPerLevel,
      },
      CLOSED,
    ),
    Type.Object(
      {
        kind: Type.Union([Type.Literal('attack'), Type.Literal('hit_points'), Type.Literal('cargo')], {
          description: 'What rises: attack or hit points of ships and defences (both need `war`), or cargo capacity.',
        }),
        percentPerLevel,
      },
      CLOSED,
    ),
    Type.Object(
      {
        kind: Type.Literal('sight'),
        scoutsPerLevel: boundedInteger(1, SHIP_STRENGTH_MAX, 'Scouts, and levels of anti_spy, added per level.'),
      },
      CLOSED,
    ),
  ],
  { description: 'Effect of each level, for all planets and ships of the player.' },
);

const shockEffect = Type.Union(
  [
    Type.Object(
      {
        kind: Type.Literal('output'),
        resource: name('Resource.'),
        percent: boundedInteger(1, RULE_PERCENT_MAX, 'Output of all planets of the galaxy, in percent of the usual.'),
      },
      CLOSED,
    ),
    Type.Object(
      {
        kind: Type.Literal('pirates'),
        idleSeconds: boundedInteger(
          1,
          RULE_SECONDS_MAX,
          'A planet keeps what all planets of its owner usually produce in this time.',
        ),
        percent: boundedInteger(1, 100, 'Percentage that they take of what a planet holds beyond that.'),
      },
      CLOSED,
    ),
    Type.Object(
      {
        kind: Type.Literal('bounty'),
        percent: boundedInteger(
          100,
          RULE_PERCENT_MAX,
          'What each attacker may take of the player who has looted most, in percent of `war.lootPairPercent`.',
        ),
      },
      CLOSED,
    ),
  ],
  { description: 'What the shock does.' },
);

const displayName = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: TYPE_NAME_LENGTH_MAX,
    description: 'Name for human readers, if it is another one.',
  }),
);

/** The parts of the rules that a set can do without. */
const parts = {
  plans: Type.Optional(
    Type.Object(
      { stepsMax: boundedInteger(1, PLAN_STEPS_MAX, 'Maximum steps of a plan, all lanes together.') },
      { ...CLOSED, description: 'Players can give plans to their planets.' },
    ),
  ),
  colonies: Type.Optional(
    Type.Object(
      {
        research: name('Research that raises the limit.'),
        planetsAtFirst: boundedInteger(
          1,
          PLANETS_PER_PLAYER_MAX,
          'Up to how many planets fleets colonize without the research.',
        ),
        levelsPerPlanet: boundedInteger(1, RESEARCH_LEVEL_MAX, 'Levels of the research for each further planet.'),
      },
      { ...CLOSED, description: 'Limit on the planets that the fleets of a player colonize.' },
    ),
  ),
  war: Type.Optional(
    Type.Object(
      {
        protectionSeconds: boundedInteger(
          0,
          RULE_SECONDS_MAX,
          'Seconds after a player is created in which attacks on its planets turn round, unless it attacks first.',
        ),
        lootPeriodSeconds: boundedInteger(
          0,
          RULE_SECONDS_MAX,
          'Seconds in which all attackers together take no more than the loot share of a planet; 0 if each battle counts alone.',
        ),
        lootPairPercent: percent(
          0,
          'Most that a player takes from one other player in such a period, in percent of what its own planets produce in one; 0 without limit.',
        ),
        strongAgainstPercent: percent(100, 'Damage to a type that the own type is strong against, in percent.'),
      },
      { ...CLOSED, description: 'Only armed ships win battles, defences fight, and new players are protected.' },
    ),
  ),
  deliveries: Type.Optional(
    Type.Object(
      {
        periodSeconds: boundedInteger(1, RULE_SECONDS_MAX, 'Seconds of a period, which the first delivery begins.'),
        outputPercent: percent(0, 'Share of the output of the planet in a period that others may bring.'),
      },
      { ...CLOSED, description: 'Limit on what other players together bring to a planet.' },
    ),
  ),
  richness: Type.Optional(
    Type.Object(
      {
        percentMin: percent(1, 'Output of the poorest planets; at most 100.'),
        percentMax: percent(100, 'Output of the richest planets.'),
        starters: Type.Array(
          Type.Array(percent(1, 'Output of a resource.'), {
            minItems: CARGO_RESOURCE_COUNT,
            maxItems: CARGO_RESOURCE_COUNT,
            description: 'Output of each resource but energy: iron, silver, ember, h2.',
          }),
          {
            minItems: 1,
            maxItems: STARTER_LEANS_MAX,
            description:
              'What starter planets produce: all of a system have one of these lists. Each is as likely as any other.',
          },
        ),
      },
      {
        ...CLOSED,
        description:
          'Planets differ in their output of each resource but energy, in percent of that of their buildings.',
      },
    ),
  ),
  sight: Type.Optional(
    Type.Object(
      {
        research: name('Research that lets planets see farther.'),
        distancePerLevel: boundedInteger(1, RULE_FACTOR_MAX, 'Distance that each level of the research adds.'),
      },
      { ...CLOSED, description: 'Planets see flights to and from planets that are near enough.' },
    ),
  ),
  fields: Type.Optional(
    Type.Object(
      {
        asteroids: amounts('Units in space beside one planet of each system when the world begins; no energy.'),
        wreckPercent: boundedInteger(
          0,
          WRECK_PERCENT_MAX,
          'What destroyed ships leave, in percent of their cost, in each battle of each side at most of as many units as the other side lost.',
        ),
      },
      { ...CLOSED, description: 'Stocks lie in space, and fleets harvest them.' },
    ),
  ),
  support: Type.Optional(
    Type.Object(
      { fleetsPerPlanetMax: boundedInteger(1, SUPPORT_FLEETS_MAX, 'Fleets of others that a planet takes.') },
      { ...CLOSED, description: 'Fleets can be stationed at planets of other players, and defend them.' },
    ),
  ),
  messages: Type.Optional(
    Type.Object(
      {
        charactersMax: boundedInteger(1, MESSAGE_LENGTH_MAX, 'Unicode code points of a message.'),
        periodSeconds: boundedInteger(
          1,
          RULE_SECONDS_MAX,
          'Seconds of a period, which the first message of a player begins.',
        ),
        sentMax: boundedInteger(1, MESSAGES_SENT_MAX, 'Messages of a player to single players in a period.'),
        sentToOneMax: boundedInteger(
          1,
          MESSAGES_SENT_MAX,
          'Messages of a player to one other player in a period; at most sentMax, and below keptMax.',
        ),
        keptMax: boundedInteger(
          1,
          MESSAGES_KEPT_MAX,
          'Messages to a player that are kept, and as many of those that it sent. The oldest are dropped.',
        ),
        broadcastsMax: boundedInteger(
          0,
          MESSAGES_SENT_MAX,
          'Messages of a player to everybody in a period; below broadcastsKeptMax.',
        ),
        broadcastsKeptMax: boundedInteger(1, MESSAGES_KEPT_MAX, 'Messages to everybody that are kept.'),
        blockedMax: boundedInteger(0, BLOCKED_PLAYERS_MAX, 'Players whose messages a player refuses.'),
      },
      { ...CLOSED, description: 'Players can write to each other, and to everybody.' },
    ),
  ),
  market: Type.Optional(
    Type.Object(
      {
        carrier: name('Ship type that goods travel with: its speed, its cargo and its h2. It flies by itself.'),
        offersPerPlayer: boundedInteger(
          1,
          OFFERS_PER_PLAYER_MAX,
          'Offers of one player that are open at the same time.',
        ),
        offerSecondsMax: boundedInteger(1, RULE_SECONDS_MAX, 'World seconds at speed 1 after which an offer ends.'),
        unsoldPercent: boundedInteger(0, 100, 'What is lost of what an offer holds and does not sell, in percent.'),
        values: amounts(
          'What a unit of each resource is worth, at least 1, and 0 for energy. What a side of a trade receives beyond the value of what it gives counts as a delivery.',
        ),
      },
      { ...CLOSED, description: 'Players trade resources.' },
    ),
  ),
  pacts: Type.Optional(
    Type.Object(
      {
        proposalSeconds: boundedInteger(
          1,
          RULE_SECONDS_MAX,
          'Time after which a proposal that nobody has answered expires.',
        ),
        durationSecondsMax: boundedInteger(1, RULE_SECONDS_MAX, 'Longest time for which a pact is in force.'),
        noticeSeconds: boundedInteger(1, RULE_SECONDS_MAX, 'Time from the cancellation of a pact to its end.'),
        openMax: boundedInteger(1, PACTS_OPEN_MAX, 'Pacts in force and own proposals of a player.'),
      },
      {
        ...CLOSED,
        description: 'Players make pacts with each other, which the world keeps. Times are in seconds at speed 1.',
      },
    ),
  ),
  shocks: Type.Optional(
    Type.Object(
      {
        intervalSeconds: boundedInteger(1, RULE_SECONDS_MAX, 'Time from one announcement to the next.'),
        noticeSecondsMin: boundedInteger(
          1,
          RULE_SECONDS_MAX,
          'Shortest time from the announcement of a shock to its beginning.',
        ),
        noticeSecondsMax: boundedInteger(1, RULE_SECONDS_MAX, 'Longest such time.'),
        types: Type.Array(
          Type.Object(
            {
              type: name('Name in the API.'),
              durationSeconds: boundedInteger(1, RULE_SECONDS_MAX, 'How long it lasts. Pirates come at once.'),
              effect: shockEffect,
            },
            CLOSED,
          ),
          { minItems: 1, maxItems: SHOCK_TYPES_MAX, description: 'Types of shocks. Each is as likely as any other.' },
        ),
      },
      {
        ...CLOSED,
        description:
          'For each galaxy with owned planets a shock is drawn and announced at regular times. Times are in seconds at speed 1.',
      },
    ),
  ),
  points: Type.Optional(
    Type.Object(
      {
        shipPercent: percent(0, 'Share of the cost of ships that counts.'),
        destroyedPercent: percent(
          0,
          'Share of the cost of destroyed ships of others that counts, in each battle of at most as many units as the player lost there. At most shipPercent; needs `war`.',
        ),
      },
      { ...CLOSED, description: 'What counts as points, in percent of the units spent.' },
    ),
  ),
};

export const RuleSet = Type.Unsafe<RuleSetType>(
  Type.Object(
    {
      name: Type.String({
        minLength: 1,
        maxLength: TYPE_NAME_LENGTH_MAX,
        pattern: '^[a-z][a-z0-9-]*$',
        description: 'Lower-case letters, digits and hyphens.',
      }),
      version: boundedInteger(1, RULE_SET_VERSION_MAX, 'Version of the rule set of this name.'),
      buildings: typeList(
        Type.Object(
          {
            type: name('Name in the API.'),
            displayName,
            description: text('Description for human readers.'),
            baseCost: amounts('Cost of level 1 in units; level L costs baseCost x costGrowth^(L-1).'),
            baseOutput: amounts('Units per hour; level L produces baseOutput x L x outputGrowth^L.'),
            defence: Type.Optional(defence),
          },
          CLOSED,
        ),
        'Buildings. Positions in the list are stored, so a later rule set may only append.',
      ),
      ships: typeList(
        Type.Object(
          {
            type: name('Name in the API.'),
            displayName,
            cost: amounts('Cost of one ship in units.'),
            baseSeconds: boundedInteger(1, RULE_SECONDS_MAX, 'Seconds a ship takes in a shipyard of level 1.'),
            attack: boundedInteger(0, SHIP_STRENGTH_MAX, 'Hit points of damage per round.'),
            defence: boundedInteger(1, SHIP_STRENGTH_MAX, 'Hit points of the ship.'),
            speedTenths: boundedInteger(1, RULE_FACTOR_MAX, 'Tenths of a distance unit per second.'),
            cargo: units('Cargo capacity in units.'),
            h2RateTenths: boundedInteger(0, RULE_FACTOR_MAX, 'H2 rate in tenths.'),
            hangarSize: boundedInteger(0, RULE_FACTOR_MAX, 'Hangar space it needs; 0 if it flies by itself.'),
            hangarCapacity: boundedInteger(0, RULE_FACTOR_MAX, 'Hangar space it offers.'),
            strongAgainst: Type.Optional(
              strongAgainst(
                'Types of ships, and of buildings that take part in battles, that it does more damage to. Needs `war`.',
              ),
            ),
          },
          CLOSED,
        ),
        'Ships; their positions are stored.',
      ),
      drives: typeList(
        Type.Object(
          {
            type: name('Name in the API.'),
            displayName,
            research: Type.Union([name('Research that unlocks the drive.'), Type.Null()], {
              description: 'Null if every player has it.',
            }),
            multiplierTenths: numbers(
              boundedInteger(0, RULE_FACTOR_MAX, 'Multiplier in tenths.'),
              FLIGHT_TYPES.length,
              'Speed multipliers within a system, between systems and between galaxies; 0 if it cannot fly there.',
            ),
            h2FactorTenths: boundedInteger(0, RULE_FACTOR_MAX, 'H2 factor in tenths.'),
          },
          CLOSED,
        ),
        'Drives; their positions are stored.',
      ),
      research: typeList(
        Type.Object(
          {
            type: name('Name in the API.'),
            displayName,
            unlocks: text('What it unlocks, for human readers.'),
            effect: Type.Optional(effect),
          },
          CLOSED,
        ),
        'Research; its positions are stored.',
      ),
      roles: Type.Object(
        {
          shipyard: name('Building that builds ships.'),
          antiSpy: name('Building that limits what scouts report.'),
          planetaryShield: name('Building that adds hit points to the defence of its planet.'),
          scout: name('Ship that reports a planet.'),
          colonyShip: name('Ship that is used up when a planet is colonized.'),
        },
        { ...CLOSED, description: 'Types that have a special role in the engine.' },
      ),
      starter: Type.Object(
        {
          stock: amounts('Initial stock of a starter planet.'),
          buildings: typeNames('Initial buildings, at level 1.'),
          perPlayerMax: boundedInteger(1, PLANETS_PER_PLAYER_MAX, 'Starter planets per player.'),
        },
        CLOSED,
      ),
      colony: Type.Object({ buildings: typeNames('Initial buildings, at level 1.') }, CLOSED),
      costGrowth: fraction('Growth of the cost per building level.'),
      outputGrowth: fraction('Growth of the output per building level.'),
      energyCostFromLevel: boundedInteger(1, BUILDING_LEVEL_MAX, 'Lower levels of a building cost no energy.'),
      shieldHitPointsPerLevel: units('Hit points per level of the planetary shield.'),
      h2SavingPercentPerLevel: boundedInteger(
        0,
        100,
        'Percentage by which each research level above the first lowers the h2 use of its drive.',
      ),
      h2UsePercentMin: boundedInteger(0, 100, 'Minimum h2 use after savings, in percent.'),
      h2DistanceDivisor: boundedInteger(1, RULE_FACTOR_MAX, 'h2 = distance x rate x factor / h2DistanceDivisor.'),
      combatRoundsMax: boundedInteger(1, COMBAT_ROUNDS_MAX, 'Maximum rounds of a battle.'),
      lootDivisor: boundedInteger(
        1,
        RULE_FACTOR_MAX,
        'The winner takes stock / lootDivisor of every resource except energy.',
      ),
      ...parts,
    },
    CLOSED,
  ),
);
