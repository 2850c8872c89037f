// Worlds under rules with all optional parts: the limit on planets, protection, loot, points and the effects of research, and that a
// world is recovered unchanged from its log and its rows.

import t from 'tap';
import type { CommandNamed } from '../../../engine/commands/table.js';
import type { Engine } from '../../../engine/engine.js';
import { battlePoints } from '../../../engine/planets/points.js';
import { hourlyThousandths } from '../../../engine/planets/stocks.js';
import { optionsOf } from '../../../engine/queries/options.js';
import { PLANETS_PER_PLAYER_MAX } from '../../../engine/rules/limits.js';
import { RESOURCES } from '../../../engine/rules/resources.js';
import { Rules } from '../../../engine/rules/rules.js';
import { STANDARD_1_RULES } from '../../../engine/rules/shipped.js';
import { ATTACK, COLONIZE, ESPIONAGE } from '../../../engine/terms/missions.js';
import type { Planet } from '../../../engine/world/planet-table.js';
import type { Player } from '../../../engine/world/player-table.js';
import { anyMoves, playAudited } from '../../support/audited-play.js';
import { colonize, type Keyed } from '../../support/command-words.js';
import { Ledger } from '../../support/ledger.js';
import { FIGHTING, PARTS_RULES, partsPosition, partsShips } from '../../support/parts-rules.js';
import { drawSeed } from '../../support/process/draws.js';
import fc from '../../support/properties.js';
import { settleBots } from '../../support/random-play.js';
import {
  DAY_MS,
  firstPlanet,
  HOUR_MS,
  loadRows,
  openScene,
  PLENTY,
  replay,
  type Scene,
  SECOND_MS,
  WorldStory,
  written,
} from '../../support/world-story.js';

/** A scene of `standard-1` that goes on under the rules with all parts: nobody in it is protected. */
function openParts(): Scene {
  const scene = openScene();
  const { story } = scene;
  story.does({ type: 'switch_rules', rules: PARTS_RULES.text });
  const [human, bot] = [scene.human, scene.bot].map(({ number }) => story.world.players.get(number) as Player);
  if (human === undefined || bot === undefined) throw new Error('the scene has two players');
  return { ...scene, human, bot, home: firstPlanet(human), foreign: bot.planets[1] as Planet };
}

const send = (
  by: Player,
  from: Keyed,
  to: Keyed,
  mission: number,
  counts: Readonly<Record<string, number>>,
): CommandNamed<'launch_fleet'> => ({
  type: 'launch_fleet',
  playerNumber: by.number,
  originKey: from.key,
  targetKey: to.key,
  ships: partsShips(counts),
  mission,
  cargo: [0, 0, 0, 0],
  drive: null,
});

/** Brings a research to a level. */
function learn(story: WorldStory, player: Player, type: string, level: number): void {
  const researchType = partsPosition('research', type);
  while (player.researchLevel(researchType) < level) {
    story.does({ type: 'start_research', playerNumber: player.number, researchType });
    story.advanceTo(player.research?.finishAtMs ?? story.nowMs);
  }
}

t.test('the limit on planets grows with its research, and a fleet beyond it turns round', async (t) => {
  const { story, human, home } = openParts();
  for (const owned of [2, 3]) {
    story.colony(human, home);
    t.equal(human.planets.length, owned);
  }
  t.equal(PARTS_RULES.planetsMaxOf(human), 3);
  const target = story.freeNeighbour(home);
  const fleet = story.does(send(human, home, target, COLONIZE, { colony_ship: 1 }));
  story.advanceTo(fleet.arrivesAtMs);
  t.match(story.events.at(-1), { kind: 'colonization_failed', reason: 'planet_limit' });
  story.advanceUntilIdle();
  learn(story, human, 'administration', 1);
  t.equal(PARTS_RULES.planetsMaxOf(human), 3, 'one level is not enough');
  learn(story, human, 'administration', 2);
  const second = story.does(send(human, home, target, COLONIZE, { colony_ship: 1 }));
  story.advanceTo(second.arrivesAtMs);
  t.equal(human.planets.length, 4);
});

t.test('the second starter and the development path are limited only by the world', async (t) => {
  const { story, human, home } = openParts();
  for (let owned = 2; owned <= 3; owned += 1) story.colony(human, home);
  t.equal(PARTS_RULES.planetsMaxOf(human), human.planets.length, 'fleets colonize no more');
  story.does({ type: 'create_second_starter', playerNumber: human.number });
  story.does(colonize(human, story.freeNeighbour(home)));
  t.equal(human.planets.length, 5);
  while (human.planets.length < PLANETS_PER_PLAYER_MAX) story.does(colonize(human, { key: freePlanetKey(story) }));
  const atLimit = { limit: { name: 'PLANETS_PER_PLAYER_MAX', maximum: PLANETS_PER_PLAYER_MAX } };
  t.match(story.refusal(colonize(human, { key: freePlanetKey(story) })), { code: 'limit_reached', facts: atLimit });
});

function freePlanetKey({ world: { universe, planets } }: WorldStory): number {
  for (let key = 0; ; key += 1) if (universe.holds(key) && !planets.has(key)) return key;
}

t.test('attacks on a newcomer turn round until its protection ends; scouts do not', async (t) => {
  const { story, human, home } = openParts();
  t.equal(human.protectedUntilMs, 0, 'players from before the switch are not protected');
  const newcomer = story.bot('newcomer');
  const target = story.colony(newcomer, home);
  t.equal(newcomer.protectedUntilMs, story.nowMs + DAY_MS);
  const attackIt = () => {
    const fleet = story.does(send(human, home, target, ATTACK, { fighter: 5, transport: 1 }));
    story.advanceTo(fleet.arrivesAtMs);
    return fleet;
  };
  const fleet = attackIt();
  t.match(story.events.at(-1), { kind: 'attack_turned_away', defenderNumber: newcomer.number });
  t.match(fleet, { isReturning: true, returnsAtMs: fleet.arrivesAtMs + fleet.flightMs });
  t.same(newcomer.reports, [], 'nothing was fought');
  const scouts = story.does(send(human, home, target, ESPIONAGE, { scout: 1 }));
  story.advanceTo(scouts.arrivesAtMs);
  t.equal(newcomer.reports.length, 1, 'it was spied on');
  story.advanceTo(newcomer.protectedUntilMs - SECOND_MS);
  story.advanceUntilIdle();
  story.advanceTo(Math.max(story.nowMs, newcomer.protectedUntilMs));
  attackIt();
  t.match(story.events.at(-1), { kind: 'battle', outcome: 'attacker_won' });
});

t.test('who attacks is no longer protected', async (t) => {
  const story = new WorldStory({ rules: PARTS_RULES.text });
  const [one, other] = [story.bot('one'), story.bot('other')];
  const home = firstPlanet(one);
  const shipyard = partsPosition('buildings', 'shipyard');
  for (let time = 0; time < 3; time += 1) story.grant(home, PLENTY);
  story.does({ type: 'construct_building', planetKey: home.key, buildingType: shipyard });
  story.advanceUntilIdle();
  story.does({ type: 'build_ships', planetKey: home.key, shipType: partsPosition('ships', 'bomber'), count: 1 });
  story.advanceUntilIdle();
  t.ok(one.protectedUntilMs > story.nowMs);
  const target = story.colony(other, home);
  story.does(send(one, home, target, ATTACK, { bomber: 1 }));
  t.same([one.protectedUntilMs, other.protectedUntilMs > story.nowMs], [0, true]);
});

t.test('unarmed ships win nothing', async (t) => {
  const { story, human, home, foreign } = openParts();
  const fleet = story.does(send(human, home, foreign, ATTACK, { transport: 5 }));
  story.advanceTo(fleet.arrivesAtMs);
  t.match(human.reports.at(-1), { type: 'combat', outcome: 'draw', loot: [0, 0, 0, 0] });
});

t.test('research raises the output of all planets from its completion on', async (t) => {
  const { story, human, home } = openParts();
  const colony = story.colony(human, home);
  const hourly = (planet: Planet) => RESOURCES.map((_, resource) => hourlyThousandths(story.world, planet, resource));
  const before = [home, colony].map(hourly);
  const researchType = partsPosition('research', 'extraction');
  story.does({ type: 'start_research', playerNumber: human.number, researchType });
  const finishAtMs = human.research?.finishAtMs ?? 0;
  story.advanceTo(finishAtMs - 1);
  const stocks = [home, colony].map((planet) => story.stocks(planet));
  story.advanceTo(finishAtMs + HOUR_MS);
  for (const [index, planet] of [home, colony].entries()) {
    const [iron = 0, silver = 0, ...others] = before[index] ?? [];
    t.same(hourly(planet), [Math.floor(iron * 1.07), Math.floor(silver * 1.07), ...others]);
    const gained = story.stocks(planet).map((units, resource) => units - (stocks[index]?.[resource] ?? 0));
    for (const [resource, units] of gained.entries()) {
      t.ok(Math.abs(units - (hourly(planet)[resource] ?? 0) / 1000) < 2, `${RESOURCES[resource]}: ${units} in an hour`);
    }
  }
  learn(story, human, 'extraction', 3);
  t.equal(hourly(home)[0], (before[0]?.[0] ?? 0) * 1.21, 'percentages add up');
});

t.test('options say the share of the points, and what research adds to the output of the planet', async (t) => {
  const { story, human, home } = openParts();
  const colony = story.colony(human, home);
  const option = (planet: Planet, action: string, type: number) =>
    optionsOf(story.world, planet).find((option) => option.action === action && option.type === type);
  const ironMine = partsPosition('buildings', 'iron_mine');
  t.equal(option(colony, 'construct', ironMine)?.points, PARTS_RULES.buildingPoints(ironMine, 1), 'the second planet');
  t.equal(option(home, 'build_ships', partsPosition('ships', 'fighter'))?.points, Math.floor((305 * 27) / 100));
  const extraction = partsPosition('research', 'extraction');
  for (const level of [1, 2]) {
    const { hourlyGain = [] } = option(home, 'research', extraction) ?? {};
    const before = RESOURCES.map((_, resource) => hourlyThousandths(story.world, home, resource));
    learn(story, human, 'extraction', level);
    t.same(
      RESOURCES.map((_, resource) => hourlyThousandths(story.world, home, resource) - (before[resource] ?? 0)),
      hourlyGain,
    );
  }
});

t.test('what an option adds to the output is what its level adds, with and without effects of research', (t) => {
  for (const { story, human, home } of [openScene(), openParts()]) {
    const hourly = () => RESOURCES.map((_, resource) => hourlyThousandths(story.world, home, resource));
    const { rules } = story.world;
    if (rules.hasOutputEffects) learn(story, human, 'extraction', 1);
    for (const [buildingType, building] of rules.buildings.entries()) {
      story.grant(home, PLENTY);
      const options = optionsOf(story.world, home);
      const option = options.find(({ action, type }) => type === buildingType && /upgrade|construct/.test(action));
      const before = hourly();
      const type = option?.action === 'upgrade' ? 'upgrade_building' : 'construct_building';
      story.does({ type, planetKey: home.key, buildingType });
      story.advanceTo(home.upgrade?.finishAtMs ?? story.nowMs);
      const after = hourly();
      t.same(
        after.map((units, resource) => units - (before[resource] ?? 0)),
        option?.hourlyGain,
        building.type,
      );
    }
  }
  t.end();
});

t.test('research raises cargo and sight', async (t) => {
  const { story, human, bot, home, foreign } = openParts();
  const load = (iron: number): CommandNamed<'launch_fleet'> => ({
    ...send(human, home, foreign, 1, { transport: 1 }),
    cargo: [iron, 0, 0, 0],
  });
  t.equal(story.refusal(load(751)).code, 'cargo_capacity_exceeded');
  learn(story, human, 'holds', 1);
  t.equal(story.refusal(load(826)).code, 'cargo_capacity_exceeded');
  story.does(load(825));
  story.raise(foreign, 'anti_spy', 3);
  const look = () => {
    const fleet = story.does(send(human, home, foreign, ESPIONAGE, { scout: 4 }));
    story.advanceTo(fleet.arrivesAtMs);
    const report = human.reports.at(-1);
    return report?.type === 'espionage' ? [report.ships !== null, report.buildings !== null] : [];
  };
  t.same(look(), [true, false], '4 scouts against level 3');
  learn(story, human, 'sensors', 2);
  t.same(look(), [true, true], '8 against 3');
  learn(story, bot, 'sensors', 2);
  t.same(look(), [true, false], '8 against 7');
});

const moves = anyMoves({ minLength: 20, maxLength: 150 });

/** What is derived of each player. */
function derived({ world }: Pick<Engine, 'world'>): string {
  return JSON.stringify(
    [...world.players.values()].map((player) => [
      player.number,
      player.points,
      player.protectedUntilMs,
      player.destroyedUnits,
      world.rules.hasOutputEffects ? RESOURCES.map((_, resource) => player.outputBonus(resource)) : [],
    ]),
  );
}

const FIGHTING_RULES = new Rules(FIGHTING);

t.test('whatever is played, the books are right, and the world is the same from its log and its rows', async (t) => {
  let destroyed = 0;
  fc.assert(
    fc.property(fc.nat(1000), fc.boolean(), moves, moves, (seed, hasParts, before, after) => {
      const rules = hasParts ? FIGHTING_RULES.text : STANDARD_1_RULES.text;
      const story = new WorldStory({ seed, rules, systemsPerGalaxy: 2 });
      const ledger = new Ledger(story);
      settleBots(story, 6);
      playAudited(ledger, before);
      if (!hasParts) ledger.attempt({ type: 'switch_rules', rules: FIGHTING_RULES.text });
      playAudited(ledger, after);
      for (const engine of [loadRows(written([...story.engine.rows()])), replay(written(story.entries))]) {
        if (engine.stateHash() !== story.engine.stateHash()) throw new Error('the worlds differ');
        if (engine.world.settings.rulesVersion !== 2) throw new Error('the version of the rules differs');
        if (derived(engine) !== derived(story.engine)) throw new Error('what is derived differs');
      }
      for (const player of story.world.players.values()) destroyed += battlePoints(story.world.rules, player);
    }),
    { numRuns: 12, seed: drawSeed(t), endOnFailure: true },
  );
  t.ok(destroyed > 0, `${destroyed} points for destroyed ships`);
});
