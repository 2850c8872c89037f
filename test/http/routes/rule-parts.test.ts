// What replies show of the optional parts of a rule set, and that they show nothing of parts that are not there.
import t from 'tap';
import { BUILDING_LEVEL_MAX, RESEARCH_LEVEL_MAX } from '../../../engine/rules/limits.js';
import { WARNINGS } from '../../../engine/terms/missions.js';
import type { PlanetOptionsBody } from '../../../http/schemas/planning.js';
import type { LaunchBody, SimulationBody } from '../../../http/schemas/player.js';
import type { CatalogBody } from '../../../http/schemas/world.js';
import { PARTS, PARTS_RULES } from '../../support/parts-rules.js';
import { begin } from '../support/serving.js';

const PARTS_OF_CATALOG = ['plans', 'colonies', 'war', 'points', 'deliveries', 'sight'] as const;
const PARTS_OF_PLAYER = ['planetsMax', 'protectedUntil', 'battlePoints'] as const;

t.test('the catalogue has the parts with their numbers', async (t) => {
  const { client } = await begin(t, { settings: { rules: PARTS_RULES } });
  const catalog = await client.read<CatalogBody>('/api/catalog');
  for (const part of PARTS_OF_CATALOG) t.same(catalog[part], PARTS[part], part);
  for (const [index, { strongAgainst }] of PARTS.ships.entries())
    t.same(catalog.ships[index]?.strongAgainst, strongAgainst);
  for (const [index, { defence }] of PARTS.buildings.entries()) {
    const shown = catalog.buildings[index]?.defence;
    t.equal(shown === undefined, defence === undefined);
    if (shown === undefined || defence === undefined) continue;
    t.same(
      [shown.attacks[0], shown.hitPoints[0], shown.strongAgainst],
      [defence.attack, defence.hitPoints, defence.strongAgainst],
    );
    t.same([shown.attacks.length, shown.hitPoints.length], [BUILDING_LEVEL_MAX, BUILDING_LEVEL_MAX]);
  }
  for (const [index, { effect }] of PARTS.research.entries()) t.same(catalog.research[index]?.effect, effect);
});

t.test(
  'a player sees up to how many planets its fleets colonize, its protection, and its points for battles',
  async (t) => {
    const { client, play } = await begin(t, { settings: { rules: PARTS_RULES } });
    const { playerId, planetId } = await play.rich('ada');
    const state = `/api/game/state/${playerId}`;
    t.match(await client.read(state), { planetsMax: 3, protectedUntil: '2000-01-02T00:00:00.000Z', battlePoints: 0 });
    const brief = async (): Promise<string> => await play.brief(playerId);
    t.match(
      await brief(),
      '1 planets; your fleets colonize up to 3, and one more with administration 2. Protected from attacks until 2000-01-02',
    );
    const bob = await play.newcomer('bob');
    t.match(
      await brief(),
      `${bob.planets[0]?.id} of ${bob.id} (${await play.points(bob.id)} points, distance 3840, protected until 2000-01-02T00:00:00.000Z)`,
      'others are protected, too',
    );
    await play.advance(86_400);
    t.notMatch(await brief(), /[Pp]rotected/);
    t.match(await brief(), 'Others can attack you.');
    const { options, protectedUntil } = await client.read<PlanetOptionsBody>(`/api/game/options/${planetId}`);
    t.equal(protectedUntil, '2000-01-02T00:00:00.000Z', 'options show it, too');
    const effects = options.flatMap((option) => (option.action === 'research' ? [option.gain.effect ?? ''] : []));
    for (const effect of ['one more planet each second level', 'iron and silver'])
      t.ok(effects.includes(effect), effect);
  },
);

t.test('a brief says what counts as points, what an attack brings and what research adds', async (t) => {
  const { play } = await begin(t, { settings: { rules: PARTS_RULES } });
  const { id } = await play.newcomer('ada');
  const { points, colonies, lootDivisor, research, sight } = PARTS;
  if (points === undefined) throw new Error('these rules have all parts');
  const { shipPercent, destroyedPercent } = points;
  const text = await play.brief(id);
  t.match(
    text,
    `buildings 100 %, ships ${shipPercent} %, ships of others that you destroy ${destroyedPercent} %, of at most what you lose`,
  );
  t.match(text, `A won attack takes at most 1/${lootDivisor} of`);
  const [line = ''] = text.split('\n').filter((each) => each.startsWith('A level adds: '));
  t.match(line, `${sight?.research} ${sight?.distancePerLevel} to how far planets see flights`);
  for (const { type, effect } of research) {
    if (type === colonies?.research) t.match(line, `${type} a planet each ${colonies.levelsPerPlanet} levels`);
    else if (effect?.kind === 'output')
      t.match(line, `${type} ${effect.percentPerLevel} % ${effect.resources.join(' ')}`);
    else if (effect?.kind === 'sight') t.match(line, `${type} ${effect.scoutsPerLevel} to what scouts see`);
    else if (effect !== undefined)
      t.match(line, `${type} ${effect.percentPerLevel} % ${effect.kind.replace('_', ' ')}`);
  }
  const plain = await begin(t);
  const { id: other } = await plain.play.newcomer('bob');
  t.match(await plain.play.brief(other), '\nPoints: the units that your buildings and ships cost. A won attack');
  t.notMatch(await plain.play.brief(other), 'A level adds');
});

t.test('a brief promises no more planets than the highest level of research allows', async (t) => {
  const { play } = await begin(t, { settings: { rules: PARTS_RULES } });
  const { playerId } = await play.rich('ada');
  const brief = async (): Promise<string> => await play.brief(playerId);
  for (let level = 1; level <= RESEARCH_LEVEL_MAX; level += 1) {
    if (level === RESEARCH_LEVEL_MAX)
      t.match(await brief(), `, and one more with administration ${RESEARCH_LEVEL_MAX}.`);
    const { researchFinishAt } = await play.research(playerId, 'administration');
    await play.advanceTo(researchFinishAt ?? '');
  }
  t.match(await brief(), '1 planets; your fleets colonize up to 28, and no research allows more.');
});

t.test('a dry run and a launch are warned that the fleet would turn round on arrival', async (t) => {
  const { client, play } = await begin(t, { settings: { rules: PARTS_RULES } });
  const ada = await play.fleetOwner('ada', { cruiser: 2, colony_ship: 2 });
  const bob = await play.fleetOwner('bob', { cruiser: 1 });
  const flight = (targetPlanetId: string, mission: string, type: string) => {
    return { originPlanetId: ada.planetId, targetPlanetId, mission, ships: [{ type, count: 1 }] };
  };
  const simulated = async (body: object) => {
    const { results } = await client.command<SimulationBody>('/api/fleet/simulate', body);
    return results[0]?.warnings;
  };
  const launched = async (body: object): Promise<LaunchBody> => play.launch({ playerId: ada.playerId, ...body });
  const attack = flight(bob.planetId, 'attack', 'cruiser');
  const isProtected = { code: 'target_protected', detail: WARNINGS.target_protected.title, until: String };
  t.match(await simulated(attack), [isProtected]);
  const { warnings, fleet } = await launched(attack);
  t.match(warnings, [isProtected]);
  t.same(await simulated({ ...attack, mission: 'espionage' }), []);

  const free = await play.neighbour(ada.planetId);
  t.same(await simulated(flight(free, 'colonize', 'colony_ship')), []);
  await play.secondStarter(ada.playerId);
  await client.command(`/api/game/planet/${free}/colonize`, { playerId: ada.playerId }, 201);
  const settling = flight(await play.neighbour(ada.planetId), 'colonize', 'colony_ship');
  const atLimit = [
    {
      code: 'planet_limit',
      detail: WARNINGS.planet_limit.title,
      limit: { name: 'planetsMax', maximum: 3 },
      raisedBy: { researchType: 'administration', level: 2 },
    },
  ];
  t.same(await simulated(settling), atLimit);
  t.same((await launched(settling)).warnings, atLimit, 'a launch names the research that raises planetsMax, too');
  t.match(await simulated(flight(settling.targetPlanetId, 'attack', 'cruiser')), [{ code: 'target_unowned' }]);
  const brief = await client.request('GET', `/api/brief/player/${ada.playerId}`);
  t.match(brief.text, new RegExp(`- ${fleet.id} attack: reaches .*; turns round there: target_protected until 2000-`));
  // An attack ends the protection of its sender.
  const elsewhere = { ...flight(settling.targetPlanetId, 'attack', 'cruiser'), originPlanetId: bob.planetId };
  await play.launch({ ...elsewhere, playerId: bob.playerId });
  const headers = { 'if-none-match': brief.headers['etag'] ?? '' };
  const after = await client.request('GET', `/api/brief/player/${ada.playerId}`, { headers });
  t.equal(after.status, 200, 'it has changed, although nothing of Ada has');
  t.notMatch(after.text, 'target_protected');
  t.same(await simulated(attack), [], 'protection has ended');
});

t.test('rules without parts show none', async (t) => {
  const { client, play } = await begin(t);
  const { playerId } = await play.rich('ada');
  const catalog = await client.read<object>('/api/catalog');
  for (const part of PARTS_OF_CATALOG) t.notOk(part in catalog, part);
  const player = await client.read<object>(`/api/game/state/${playerId}`);
  for (const part of PARTS_OF_PLAYER) t.notOk(part in player, part);
});
