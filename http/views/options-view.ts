// The options of a planet as plain objects, each with the request that starts it.
import { planetId, playerId } from '../../engine/ids.js';
import { nextTimerOf } from '../../engine/queries/next-timer.js';
import { optionsOf, type PlanetOption } from '../../engine/queries/options.js';
import { REFUSALS, type Refusal } from '../../engine/rejections.js';
import type { ReadonlyPlanet, ReadonlyWorld } from '../../engine/state.js';
import type { OptionBody, PlanetOptionsBody } from '../schemas/planning.js';
import { isoText, isoTextOrNull, shownInstantOrNull } from './iso-time.js';
import { resourceAmounts } from './ships.js';

export function optionsBody(world: ReadonlyWorld, planet: ReadonlyPlanet): PlanetOptionsBody {
  const options = optionsOf(world, planet).map((option) => optionBody(world, planet, option));
  return {
    planetId: planetId(world.universe, planet.key),
    nextTimerAt: isoTextOrNull(nextTimerOf(world, planet.owner)),
    options,
  };
}

function optionBody(world: ReadonlyWorld, planet: ReadonlyPlanet, option: PlanetOption): OptionBody {
  const { rules, universe } = world;
  const { action, type, level, points } = option;
  const planetName = planetId(universe, planet.key);
  const common = commonFields(option);
  switch (action) {
    case 'upgrade':
    case 'construct': {
      const buildingType = named(rules.buildings[type]);
      const fields = { buildingType, level, ...common, gain: { points, ...productionGain(option) } };
      const body = { planetId: planetName, buildingType };
      return action === 'upgrade'
        ? { action, ...fields, request: { method: 'POST', path: '/api/building/upgrade', body } }
        : { action, ...fields, request: { method: 'POST', path: '/api/building/construct', body } };
    }
    case 'build_ships': {
      const shipType = named(rules.ships[type]);
      const body = { planetId: planetName, shipType, count: 1 };
      const request = { method: 'POST', path: '/api/shipyard/build', body } as const;
      return { action, shipType, count: 1, ...common, gain: { points }, request };
    }
    case 'research': {
      const researchType = named(rules.research[type]);
      const body = { playerId: playerId(planet.ownerNumber), researchType };
      const request = { method: 'POST', path: '/api/research/start', body } as const;
      const unlocked = level === 1 ? rules.drives.find(({ research }) => research === type) : undefined;
      const gain = { points, ...(unlocked === undefined ? {} : { unlocks: unlocked.type }) };
      return { action, researchType, level, ...common, gain, request };
    }
  }
}

function commonFields({ cost, durationMs, affordableFromMs, refusal }: PlanetOption) {
  return {
    cost: resourceAmounts(cost),
    seconds: durationMs / 1000,
    affordableAt: shownInstantOrNull(affordableFromMs),
    ...(refusal === null ? {} : { reason: reasonBody(refusal) }),
  };
}

function reasonBody({ code, facts }: Refusal) {
  const { reason = REFUSALS[code].title, inProgress } = facts;
  return { code, detail: reason, ...(inProgress === undefined ? {} : { until: isoText(inProgress.finishAtMs) }) };
}

function productionGain({ hourlyGain }: PlanetOption) {
  const isProducer = hourlyGain.some((thousandths) => thousandths !== 0);
  return isProducer ? { production: resourceAmounts(hourlyGain.map((thousandths) => thousandths / 1000)) } : {};
}

function named(rule: { readonly type: string } | undefined): string {
  if (rule === undefined) throw new Error('an option of a type without a name');
  return rule.type;
}
