// The shape of a rule set, as files and requests bring it. What must hold beyond it stands in engine/rules/soundness.ts.
import { FLIGHT_TYPES } from '../../engine/flight-types.js';
import { RESOURCES } from '../../engine/resources.js';
import {
  BUILDING_LEVEL_MAX,
  COMBAT_ROUNDS_MAX,
  PLANETS_PER_PLAYER_MAX,
  TYPE_NAME_LENGTH_MAX,
  TYPES_PER_LIST_MAX,
} from '../../engine/rules/limits.js';
import type { RuleSet as RuleSetType } from '../../engine/rules/rule-set.js';
import { Type } from '../../persistence/typebox.js';
import {
  RULE_FACTOR_MAX,
  RULE_SECONDS_MAX,
  RULE_SET_VERSION_MAX,
  RULE_TEXT_LENGTH_MAX,
  RULE_UNITS_MAX,
  SHIP_STRENGTH_MAX,
} from '../limits.js';
import { boundedInteger } from './primitives.js';

const CLOSED = { additionalProperties: false } as const;
const units = (description: string) => boundedInteger(0, RULE_UNITS_MAX, description);

const name = (description: string) =>
  Type.String({ minLength: 1, maxLength: TYPE_NAME_LENGTH_MAX, pattern: '^[a-z][a-z0-9_]*$', description });
const text = (description: string) => Type.String({ maxLength: RULE_TEXT_LENGTH_MAX, description });

/** One number for each of a fixed list. */
const numbers = (item: ReturnType<typeof units>, count: number, description: string) =>
  Type.Array(item, { minItems: count, maxItems: count, description });

/** In the order iron, silver, ember, h2, energy. */
const amounts = (description: string) => numbers(units('Whole units.'), RESOURCES.length, description);

const typeList = <Row extends ReturnType<typeof Type.Object>>(row: Row, description: string) =>
  Type.Array(row, { minItems: 1, maxItems: TYPES_PER_LIST_MAX, description });

const fraction = (description: string) =>
  Type.Object(
    {
      numerator: boundedInteger(1, RULE_FACTOR_MAX, 'Above the line.'),
      denominator: boundedInteger(1, RULE_FACTOR_MAX, 'Below the line.'),
    },
    { ...CLOSED, description },
  );

const typeNames = (description: string) =>
  Type.Array(name('Type of a building.'), { maxItems: TYPES_PER_LIST_MAX, description });

export const RuleSet = Type.Unsafe<RuleSetType>(
  Type.Object(
    {
      name: Type.String({
        minLength: 1,
        maxLength: TYPE_NAME_LENGTH_MAX,
        pattern: '^[a-z][a-z0-9-]*$',
        description: 'Letters, digits and hyphens.',
      }),
      version: boundedInteger(1, RULE_SET_VERSION_MAX, 'Of the rule set of this name.'),
      buildings: typeList(
        Type.Object(
          {
            type: name('Name in the API.'),
            description: text('For people.'),
            baseCost: amounts('Units of level 1; level L costs them x costGrowth^(L-1).'),
            baseOutput: amounts('Units an hour; level L gives them x L x outputGrowth^L.'),
          },
          CLOSED,
        ),
        'Buildings. Places in the list are stored, so a later rule set only appends.',
      ),
      ships: typeList(
        Type.Object(
          {
            type: name('Name in the API.'),
            cost: amounts('Units of one ship.'),
            baseSeconds: boundedInteger(1, RULE_SECONDS_MAX, 'Seconds a ship takes in a shipyard of level 1.'),
            attack: boundedInteger(0, SHIP_STRENGTH_MAX, 'Hit points it takes from the enemy in a round.'),
            defence: boundedInteger(1, SHIP_STRENGTH_MAX, 'Its hit points.'),
            speedTenths: boundedInteger(1, RULE_FACTOR_MAX, 'Tenths of a distance unit a second.'),
            cargo: units('Units it can carry.'),
            h2RateTenths: boundedInteger(0, RULE_FACTOR_MAX, 'Tenths of the h2 rate.'),
            hangarSize: boundedInteger(0, RULE_FACTOR_MAX, 'Room it needs in a hangar; 0 flies by itself.'),
            hangarCapacity: boundedInteger(0, RULE_FACTOR_MAX, 'Room it offers.'),
          },
          CLOSED,
        ),
        'Ships; places are stored.',
      ),
      drives: typeList(
        Type.Object(
          {
            type: name('Name in the API.'),
            research: Type.Union([name('What unlocks it.'), Type.Null()], { description: 'Null: everybody has it.' }),
            multiplierTenths: numbers(
              boundedInteger(0, RULE_FACTOR_MAX, 'Tenths.'),
              FLIGHT_TYPES.length,
              'Of the speed, within a system, between systems and between galaxies; 0: cannot fly there.',
            ),
            h2FactorTenths: boundedInteger(0, RULE_FACTOR_MAX, 'Tenths of the h2 factor.'),
          },
          CLOSED,
        ),
        'Drives; places are stored.',
      ),
      research: typeList(
        Type.Object({ type: name('Name in the API.'), unlocks: text('For people.') }, CLOSED),
        'Research; places are stored.',
      ),
      roles: Type.Object(
        {
          shipyard: name('Building that builds ships.'),
          antiSpy: name('Building that limits what scouts report.'),
          planetaryShield: name('Building that adds hit points to the defence of its planet.'),
          scout: name('Ship that reports a planet.'),
          colonyShip: name('Ship that is used up when a planet is colonized.'),
        },
        { ...CLOSED, description: 'Which types the engine means.' },
      ),
      starter: Type.Object(
        {
          stock: amounts('What a starter planet begins with.'),
          buildings: typeNames('At level 1.'),
          perPlayerMax: boundedInteger(1, PLANETS_PER_PLAYER_MAX, 'Starter planets of a player.'),
        },
        CLOSED,
      ),
      colony: Type.Object({ buildings: typeNames('At level 1.') }, CLOSED),
      costGrowth: fraction('Of each level of a building.'),
      outputGrowth: fraction('Of each level of a building.'),
      energyCostFromLevel: boundedInteger(1, BUILDING_LEVEL_MAX, 'Lower levels of a building cost no energy.'),
      shieldHitPointsPerLevel: units('Of the planetary shield.'),
      h2SavingPercentPerLevel: boundedInteger(
        0,
        100,
        'By which each level above the first lowers the h2 use of its drive.',
      ),
      h2UsePercentMin: boundedInteger(0, 100, 'What is left of the h2 use at least.'),
      h2DistanceDivisor: boundedInteger(1, RULE_FACTOR_MAX, 'h2 = distance x rate x factor / this.'),
      combatRoundsMax: boundedInteger(1, COMBAT_ROUNDS_MAX, 'Rounds of a battle.'),
      lootDivisor: boundedInteger(1, RULE_FACTOR_MAX, 'The winner takes stock / this of every stock but energy.'),
    },
    CLOSED,
  ),
);
