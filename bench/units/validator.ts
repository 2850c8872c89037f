// The check of a request's shape, alone and with the parsing before it.
import { STANDARD_1_RULES } from '../../engine/rules/shipped.js';
import { compileRequestCheck } from '../../http/checks/schema-check.js';
import { withTypeNames } from '../../http/checks/type-names.js';
import { BuildingRequest, LaunchRequest } from '../../http/schemas/requests.js';
import type { SteadyCase, UnitGroup } from './unit-case.js';

const UPGRADE = { planetId: 'planet-1-204-17', buildingType: 'iron_mine' };
const LAUNCH = {
  playerId: 'player-1234',
  originPlanetId: 'planet-1-204-17',
  targetPlanetId: 'planet-1-205-3',
  ships: [
    { type: 'fighter', count: 20 },
    { type: 'transport', count: 2 },
  ],
  mission: 'attack',
  resources: { iron: 100, silver: 50 },
};
const MISTAKEN = { planetId: 'planet-1-204-17', buildingType: 'castle', level: 3 };

export const validatorUnits: UnitGroup = function* () {
  const upgrades = compileRequestCheck(withTypeNames(BuildingRequest, STANDARD_1_RULES), 'bench');
  const launches = compileRequestCheck(withTypeNames(LaunchRequest, STANDARD_1_RULES), 'bench');
  for (const [name, body, check] of [
    ['upgrade', UPGRADE, upgrades],
    ['launch', LAUNCH, launches],
  ] as const) {
    const bytes = Buffer.from(JSON.stringify(body));
    yield bodyCase(`${name}, accepted`, () => accepted(check.accepts(body)));
    yield bodyCase(`${name}, from bytes`, () => accepted(check.accepts(JSON.parse(bytes.toString('utf8')))));
  }
  yield bodyCase('upgrade, refused with reasons', () => {
    if (upgrades.accepts(MISTAKEN)) throw new Error('the mistaken body was accepted');
    return upgrades.errors(MISTAKEN);
  });
};

function accepted(isAccepted: boolean): boolean {
  if (!isAccepted) throw new Error('the body was refused');
  return isAccepted;
}

function bodyCase(name: string, run: () => unknown): SteadyCase {
  return { kind: 'steady', name, unit: 'body', countPerRun: 1, prepare: () => run };
}
