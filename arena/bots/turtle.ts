// Grows behind defences: shields and anti_spy keep up with its mines, and it spends the rest on fighters, which stay at home.
import type { BotKind, Planet, PlayerPort } from '../bot.js';
import {
  Builder,
  type BuildingOption,
  highestLevel,
  lowest,
  orderShips,
  soonestToReturn,
  strongestShip,
} from './support/building.js';
import { GROWTH, type Strategy, strategicBot } from './support/campaign.js';
import { SURPRISES } from './support/plan.js';

/** Levels of each building for each level of the highest mine. */
const SHIELD_SHARE = 1 / 2;
const ANTI_SPY_SHARE = 1 / 3;
const SHIPYARD_SHARE = 1 / 5;
/** Level of the highest mine at which defences begin to pay. */
const GUARDED_FROM_LEVEL = 6;
/** Fighters of one order. */
const FIGHTERS_AT_ONCE = 100;

const TURTLE: Strategy = {
  ...GROWTH,
  research: { ...GROWTH.research, attack: 0.1, hit_points: 0.18 },
  shares: { shipyard: 0.2, antiSpy: 0.1, planetaryShield: 0.25, defences: 0.3 },
  shipShare: 0.025,
  stands: true,
  settlesFar: true,
};

function makeTurtle() {
  const builder = new Builder();
  return strategicBot(TURTLE, async (plan) => {
    const { port } = plan;
    await builder.build(plan, (options, planet) => preferred(port, options, planet));
    const fighter = strongestShip(port.catalog)?.type ?? '';
    const isThreatened = port.events.some(({ type }) => type === 'incoming_fleet');
    for (const planet of plan.state.planets) {
      // A threatened planet spends its savings.
      if (isThreatened || !builder.isSaving(planet)) orderShips(plan, planet, fighter, FIGHTERS_AT_ONCE);
    }
    return plan.carryOut([...SURPRISES, 'incoming_fleet', 'combat_report']);
  });
}

/** The defence that lags behind most, else the building that returns its cost soonest. */
function preferred(port: PlayerPort, options: readonly BuildingOption[], planet: Planet): BuildingOption | undefined {
  const { planetaryShield, antiSpy, shipyard } = port.catalog.roles;
  const shares = new Map([
    [planetaryShield, SHIELD_SHARE],
    [antiSpy, ANTI_SPY_SHARE],
    [shipyard, SHIPYARD_SHARE],
  ]);
  const height = highestLevel(planet);
  const lagOf = ({ buildingType, level }: BuildingOption): number =>
    level / Math.max(1, height * (shares.get(buildingType) ?? 0));
  const lagging = options.filter((option) => shares.has(option.buildingType) && lagOf(option) <= 1);
  const walls = height < GUARDED_FROM_LEVEL ? [] : lagging.filter(({ affordableAt }) => affordableAt !== null);
  const wanted = lagging.map(({ cost }) => cost);
  return lowest(walls, lagOf) ?? soonestToReturn(options, planet, port.now, wanted);
}

export const turtle: BotKind = {
  name: 'turtle',
  summary: 'Grows behind shields and fighters, and attacks nobody.',
  make: makeTurtle,
};
