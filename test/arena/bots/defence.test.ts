// Defence in a real world: which approaching fleets count as attacks, and how a player reacts to one that would win.
import t, { type Test } from 'tap';
import { covers } from '../../../arena/bots/support/amounts.js';
import { defend, Threats } from '../../../arena/bots/support/defence.js';
import type { Plan } from '../../../arena/bots/support/plan.js';
import { BotWorld, type Counts, type Owner } from '../support/bot-world.js';

const FUEL = { h2: 100_000 };
const DAY = 86_400;

/** A world after the protection of new players, with an attacker and a defender. */
async function neighbours(t: Test, ships: Counts, attacking: Counts) {
  const world = await BotWorld.begin(t);
  const bea = await world.owner('bea', ships, FUEL);
  const eve = await world.owner('eve', attacking, FUEL);
  await world.play.advance(2 * DAY);
  const launch = async (mission: string, fleet: Counts, by: Owner = eve, targetPlanetId = bea.planetId) => {
    const list = Object.entries(fleet).map(([type, count]) => ({ type, count }));
    const { playerId, planetId: originPlanetId } = by;
    return (await world.play.launch({ playerId, originPlanetId, targetPlanetId, mission, ships: list })).fleet;
  };
  return { world, bea, eve, launch };
}

/** The fleets that seem to attack a player, after it has read its events. */
function lookout(threats: Threats) {
  return (plan: Plan) => {
    threats.learn(plan.port.playerId, plan.port.events);
    return { isPrey: threats.areRecent(plan), missions: threats.incoming(plan).map(({ mission }) => mission) };
  };
}

t.test('who was attacked is prey for some days, and takes what its attackers send for attacks', async (t) => {
  const { world, bea, eve, launch } = await neighbours(t, {}, { cruiser: 9, transport: 9 });
  const { play } = world;
  const [hers, theirs] = [new Threats(), new Threats()];
  await launch('attack', { cruiser: 1 });
  t.same(await world.wake(bea, lookout(hers)), { isPrey: false, missions: [] }, 'nothing is seen of what it is for');
  await play.advance(DAY);
  t.same(await world.wake(bea, lookout(hers)), { isPrey: true, missions: [] });
  t.same(await world.wake(eve, lookout(theirs)), { isPrey: false, missions: [] }, 'an attacker is not prey');
  await launch('transport', { transport: 1 });
  t.same(await world.wake(bea, lookout(hers)), { isPrey: true, missions: [null] });
  await launch('transport', { transport: 1 });
  await play.advance(DAY);
  t.same(await world.wake(bea, lookout(hers)), { isPrey: true, missions: [] }, 'it has arrived');
  await play.advance(30 * DAY);
  t.same(await world.wake(bea, lookout(hers)), { isPrey: false, missions: [] });
});

t.test('who sees what fleets are for takes only attacks for attacks', async (t) => {
  const { world, bea, launch } = await neighbours(t, {}, { cruiser: 1, transport: 1 });
  await world.raise(bea.planetId, 'anti_spy', 1);
  await launch('transport', { transport: 1 });
  await launch('attack', { cruiser: 1 });
  t.same(await world.wake(bea, lookout(new Threats())), { isPrey: false, missions: ['attack'] });
});

t.test('ships and stocks leave for the nearest own planet before an attack that would win, and no other', async (t) => {
  const { world, bea, launch } = await neighbours(
    t,
    { scout: 3, transport: 2, fighter: 100, cruiser: 5 },
    { cruiser: 100 },
  );
  const { play, catalog } = world;
  await world.starter(bea);
  const refuge = await world.colony(bea, bea.planetId);
  await world.raise(bea.planetId, 'anti_spy', 1);
  const meetAll = () =>
    world.wake(bea, async (plan) => {
      await defend(plan, new Threats().incoming(plan), false);
      return plan.commands.length;
    });
  await launch('attack', { cruiser: 2 });
  t.equal(await meetAll(), 0, 'it holds against these');
  const before = await play.planet(bea.planetId);
  const attack = await launch('attack', { cruiser: 90 });
  t.equal(await meetAll(), 1);
  const [fleet] = (await world.state(bea)).fleets;
  t.match(fleet, { mission: 'deploy', targetPlanetId: refuge, originPlanetId: bea.planetId });
  // Each transport holds twenty fighters, each cruiser five.
  t.same(
    new Map(fleet?.ships.map(({ type, count }) => [type, count])),
    new Map(Object.entries({ transport: 2, fighter: 65, cruiser: 5 })),
  );
  const room = fleet?.ships.reduce((sum, { type, count }) => {
    return sum + count * (catalog.ships.find((ship) => ship.type === type)?.cargo ?? 0);
  }, 0);
  const { iron = 0, silver = 0, ember = 0, h2 = 0 } = fleet?.resources ?? {};
  t.ok(iron + silver + ember + h2 > (room ?? 0) - 5, 'the holds are full');
  t.ok(iron > 0 && iron < before.iron && h2 > 0, 'of all that is there');
  t.ok((fleet?.arrivesAt ?? '') < attack.arrivesAt);
});

t.test('who has room for all its stocks keeps the h2 that the flight needs', async (t) => {
  const { world, bea, launch } = await neighbours(t, { transport: 300 }, { cruiser: 60 });
  const refuge = await world.colony(bea, bea.planetId);
  await world.raise(bea.planetId, 'anti_spy', 1);
  await launch('attack', { cruiser: 60 });
  await world.wake(bea, (plan) => defend(plan, new Threats().incoming(plan), false));
  const { fleets } = await world.state(bea);
  t.match(fleets, { length: 1, 0: { mission: 'deploy', targetPlanetId: refuge } });
  const { iron, silver } = await world.play.planet(bea.planetId);
  t.same({ iron, silver }, { iron: 0, silver: 0 }, 'nothing is left to take');
});

t.test('who stands builds what is strong against what comes, with all that is there', async (t) => {
  const { world, bea, launch } = await neighbours(t, {}, { bomber: 300, cruiser: 200, fighter: 400, transport: 20 });
  const { planetId } = bea;
  await world.raise(planetId, 'shipyard', 1);
  await world.raise(planetId, 'anti_spy', 1);
  for (const [coming, expected] of [
    [{ bomber: 300 }, 'fighter'],
    [{ cruiser: 200 }, 'bomber'],
    [{ fighter: 400, transport: 20 }, 'cruiser'],
  ] as const) {
    await world.play.grant(planetId, { iron: 50_000, silver: 50_000, ember: 50_000, h2: 50_000, energy: 50_000 });
    await launch('attack', coming);
    await world.wake(bea, (plan) => defend(plan, new Threats().incoming(plan), true));
    const { shipyardQueue, ...planet } = await world.play.planet(planetId);
    t.match(shipyardQueue, { length: 1, 0: { shipType: expected } });
    const cost = world.catalog.ships.find(({ type }) => type === expected)?.cost;
    t.ok(cost !== undefined && !covers(planet, cost), 'it can pay for no more of them');
    t.same((await world.state(bea)).fleets, [], 'its ships stay');
    await world.play.client.command('/api/shipyard/cancel', { planetId, shipType: expected });
  }
});
