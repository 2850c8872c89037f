// What a player knows of the richness of planets, and nobody else.
import t from 'tap';
import { distanceBetween } from '../../../engine/map/universe.js';
import { bestFreePlanets, knownPlanets } from '../../../engine/queries/known-planets.js';
import { ruleSetText } from '../../../engine/rules/rule-set.js';
import { MISSIONS } from '../../../engine/terms/missions.js';
import type { PlanetBody } from '../../../http/schemas/planet.js';
import type { KnownPlanetsBody, PlanetOptionsBody } from '../../../http/schemas/planning.js';
import type { ReportBody } from '../../../http/schemas/player.js';
import { PARTS_RULES, partsShips } from '../../support/parts-rules.js';
import { SIGHTED } from '../../support/sighted-rules.js';
import { openScene } from '../../support/world-story.js';
import { begin } from '../support/serving.js';

t.test('a player knows the planets of its systems, and those that its scouts have seen', async (t) => {
  const { story, human, home, foreign, bot } = openScene({ rules: PARTS_RULES.text });
  const { universe } = story.world;
  const systemOf = (key: number) => Math.floor(key / 30);
  const known = () => knownPlanets(story.world, human).map(({ key }) => key);
  const mine = universe.planetKeys(systemOf(home.key));
  t.same(known(), mine);
  const far = bot.planets.find(({ key }) => systemOf(key) !== systemOf(home.key));
  t.ok(far !== undefined && foreign !== undefined);
  const fleet = story.does({
    type: 'launch_fleet',
    playerNumber: human.number,
    originKey: home.key,
    targetKey: far?.key ?? -1,
    ships: partsShips({ scout: 3 }),
    mission: MISSIONS.indexOf('espionage'),
    drive: null,
    cargo: [0, 0, 0, 0],
  });
  story.advanceTo(fleet.arrivesAtMs);
  t.same(
    known(),
    [...mine, far?.key ?? -1].sort((one, other) => one - other),
  );
  const best = bestFreePlanets(story.world, human, home.key, 100);
  t.same(best.length, mine.filter((key) => !story.world.planets.has(key)).length, 'only those that nobody owns');
  const units = [0, 1, 2, 3].map((resource) =>
    PARTS_RULES.buildings.reduce((sum, { baseOutput }) => sum + (baseOutput[resource] ?? 0), 0),
  );
  const outputs = best.map(({ richness }) =>
    richness.reduce((sum, percent, resource) => sum + percent * (units[resource] ?? 0), 0),
  );
  t.same(
    outputs,
    [...outputs].sort((one, other) => other - one),
    'those that produce the most come first',
  );
});

t.test('a player knows the planets that its planets see, whether or not somebody owns them', async (t) => {
  const rules = { ...SIGHTED, richness: { percentMin: 50, percentMax: 200, starters: [[100, 100, 100, 100]] } };
  const { story, human, home } = openScene({ rules: ruleSetText(rules) });
  const { universe } = story.world;
  const known = () => knownPlanets(story.world, human).map(({ key }) => key);
  const mine = known();
  story.learn(human, 'drive_ion');
  const { galaxy, system } = universe.positionOf(home.key);
  const inReach = [-3, -2, -1, 0, 1, 2, 3]
    .map((step) => system + step)
    .filter((one) => universe.hasSystem(galaxy, one))
    .flatMap((one) => universe.planetKeys(universe.systemKey(galaxy, one)))
    .filter(
      (key) => distanceBetween(universe.positionOf(home.key), universe.positionOf(key)) <= rules.sight.distancePerLevel,
    );
  t.ok(inReach.length > mine.length);
  t.same(
    known(),
    [...new Set([...mine, ...inReach])].sort((one, other) => one - other),
  );
});

t.test('replies show to its owner how rich a planet is, and to nobody else', async (t) => {
  const { client, play } = await begin(t, { settings: { rules: PARTS_RULES } });
  const { playerId, planetId } = await play.rich('ada');
  const planet = await client.read<PlanetBody>(`/api/game/planet/${planetId}`);
  t.same(planet.richness, { iron: 100, silver: 100, ember: 100, h2: 100 }, 'a starter planet');
  const { planets } = await client.read<KnownPlanetsBody>(`/api/game/richness/${playerId}`);
  t.ok(planets.some((other) => other.planetId === planetId && other.ownerId === playerId));
  const free = planets.filter(({ ownerId }) => ownerId === null);
  t.ok(new Set(free.map(({ richness }) => JSON.stringify(richness))).size > 1);
  const { freePlanets = [] } = await client.read<PlanetOptionsBody>(`/api/game/options/${planetId}`);
  t.equal(freePlanets.length, 5);
  for (const { planetId, richness } of freePlanets) {
    t.same(free.find((other) => other.planetId === planetId)?.richness, richness);
  }
  const [best] = freePlanets;
  const text = await play.brief(playerId);
  t.match(text, `Richest free planets that you know: ${best?.planetId} (iron ${best?.richness.iron} %`);
  const taken = await client.command<PlanetBody>(`/api/game/planet/${best?.planetId}/colonize`, { playerId }, 201);
  t.same(taken.richness, best?.richness);
  t.notMatch(await play.brief(playerId), `Richest free planets that you know: ${best?.planetId}`);
  const [, galaxy, system] = planetId.split('-');
  const shown = await client.read<object>(`/api/game/galaxy/${galaxy}/system/${system}`);
  t.notMatch(JSON.stringify(shown), /richness/, 'everybody sees the system');
});

t.test('a report of scouts shows how rich the planet is', async (t) => {
  const { client, play } = await begin(t, { settings: { rules: PARTS_RULES } });
  const { playerId, planetId } = await play.fleetOwner('ada', { scout: 2 });
  const { planets } = await play.newcomer('bob');
  const targetPlanetId = planets[0]?.id ?? '';
  const ships = [{ type: 'scout', count: 2 }];
  const flight = { playerId, originPlanetId: planetId, targetPlanetId, mission: 'espionage', ships };
  const { fleet } = await play.launch(flight);
  await play.advanceTo(fleet.arrivesAt);
  const [report] = await client.read<ReportBody[]>(`/api/report/player/${playerId}`);
  t.match(report, { type: 'espionage', planetId: targetPlanetId, richness: { iron: 100 } });
  const known = await client.read<KnownPlanetsBody>(`/api/game/richness/${playerId}`);
  t.ok(known.planets.some((other) => other.planetId === targetPlanetId));
});

t.test('rules without richness show none', async (t) => {
  const { client, play } = await begin(t);
  const { playerId, planetId } = await play.rich('ada');
  t.same(await client.read(`/api/game/richness/${playerId}`), { planets: [] });
  for (const path of [`/api/game/planet/${planetId}`, `/api/game/options/${planetId}`, '/api/catalog'])
    t.notMatch(JSON.stringify(await client.read<object>(path)), /"richness"|"freePlanets"/);
  t.notMatch(await play.brief(playerId), /Richest/);
});
