// What replies show of the optional parts of a rule set, and that they show nothing of parts that are not there.
import t from 'tap';
import { RESEARCH_LEVEL_MAX } from '../../engine/rules/limits.js';
import type { PlanetOptionsBody } from '../../http/schemas/planning.js';
import type { CatalogBody } from '../../http/schemas/world.js';
import { PARTS, PARTS_RULES } from '../support/parts-rules.js';
import { begin } from './support/serving.js';

const PARTS_OF_CATALOG = ['plans', 'colonies', 'war', 'points'] as const;
const PARTS_OF_PLAYER = ['planetsMax', 'protectedUntil', 'battlePoints'] as const;

t.test('the catalogue has the parts with their numbers', async (t) => {
  const { client } = await begin(t, { settings: { rules: PARTS_RULES } });
  const catalog = await client.read<CatalogBody>('/api/catalog');
  for (const part of PARTS_OF_CATALOG) t.same(catalog[part], PARTS[part], part);
  for (const [index, { strongAgainst }] of PARTS.ships.entries())
    t.same(catalog.ships[index]?.strongAgainst, strongAgainst);
  for (const [index, { defence }] of PARTS.buildings.entries()) t.same(catalog.buildings[index]?.defence, defence);
  for (const [index, { effect }] of PARTS.research.entries()) t.same(catalog.research[index]?.effect, effect);
});

t.test('a player sees how many planets it may own, its protection, and its points for battles', async (t) => {
  const { client, play } = await begin(t, { settings: { rules: PARTS_RULES } });
  const { playerId, planetId } = await play.rich('ada');
  const state = `/api/game/state/${playerId}`;
  t.match(await client.read(state), { planetsMax: 3, protectedUntil: '2000-01-02T00:00:00.000Z', battlePoints: 0 });
  const brief = async (): Promise<string> => (await client.request('GET', `/api/brief/player/${playerId}`)).text;
  t.match(await brief(), '1 of 3 planets; administration 2 allows one more. Protected from attacks until 2000-01-02');
  await play.advance(86_400);
  t.notMatch(await brief(), 'Protected');
  const { options } = await client.read<PlanetOptionsBody>(`/api/game/options/${planetId}`);
  const effects = options.flatMap((option) => (option.action === 'research' ? [option.gain.effect ?? ''] : []));
  for (const effect of ['one more planet each second level', 'iron and silver']) t.ok(effects.includes(effect), effect);
});

t.test('a brief promises no more planets than the highest level of research allows', async (t) => {
  const { client, play } = await begin(t, { settings: { rules: PARTS_RULES } });
  const { playerId } = await play.rich('ada');
  const brief = async (): Promise<string> => (await client.request('GET', `/api/brief/player/${playerId}`)).text;
  for (let level = 1; level <= RESEARCH_LEVEL_MAX; level += 1) {
    if (level === RESEARCH_LEVEL_MAX) t.match(await brief(), `administration ${RESEARCH_LEVEL_MAX} allows one more.`);
    await client.command('/api/research/start', { playerId, researchType: 'administration' });
    await play.toNextTimer();
  }
  t.match(await brief(), '1 of 28 planets, and no research allows more.');
});

t.test('a simulated flight says if it would turn round on arrival', async (t) => {
  const { client, play } = await begin(t, { settings: { rules: PARTS_RULES } });
  const ada = await play.fleetOwner('ada', { cruiser: 1, colony_ship: 1 });
  const bob = await play.rich('bob');
  const simulated = (targetPlanetId: string, mission: string, type: string) =>
    client.command('/api/fleet/simulate', {
      originPlanetId: ada.planetId,
      targetPlanetId,
      mission,
      ships: [{ type, count: 1 }],
    });
  t.match(await simulated(bob.planetId, 'attack', 'cruiser'), {
    results: [{ drive: 'combustion', onArrival: { turnsRound: true, reason: 'protected', until: String } }],
  });
  const free = await play.neighbour(ada.planetId);
  t.notMatch(JSON.stringify(await simulated(free, 'colonize', 'colony_ship')), 'onArrival');
  await client.command(`/api/game/planet/starter/${ada.playerId}`, undefined, 201);
  await client.command(`/api/game/planet/${free}/colonize`, { playerId: ada.playerId }, 201);
  const next = await play.neighbour(ada.planetId);
  t.match(await simulated(next, 'colonize', 'colony_ship'), {
    results: [{ onArrival: { turnsRound: true, reason: 'planet_limit' } }],
  });
  await play.advance(2 * 86_400);
  t.notMatch(JSON.stringify(await simulated(bob.planetId, 'attack', 'cruiser')), 'onArrival', 'protection ends');
});

t.test('rules without parts show none', async (t) => {
  const { client, play } = await begin(t);
  const { playerId } = await play.rich('ada');
  const catalog = await client.read<object>('/api/catalog');
  for (const part of PARTS_OF_CATALOG) t.notOk(part in catalog, part);
  const player = await client.read<object>(`/api/game/state/${playerId}`);
  for (const part of PARTS_OF_PLAYER) t.notOk(part in player, part);
});
