// The steps of a program that plays (specification, section 1), request by request, over a real server and a real log, and the same again after
// a restart from that log.
import t from 'tap';
import * as specification from '../../specification/fields.js';
import { firstPlanet, type PlayerBody } from '../support/play.js';
import { begin, storeOnDisk } from '../support/serving.js';

const { BUILDING, CONSTRUCTION_ENTRY, PLANET, PLANET_SYSTEM, PLAYER, faultsOf } = specification;

t.test('an agent creates its player, upgrades a mine and acts again when the upgrade is finished', async (t) => {
  const store = await storeOnDisk(t);
  const first = await begin(t, { store });
  const { client, play } = first;

  const created = await client.command<PlayerBody>('/api/game/player', { name: 'ada' }, 201);
  t.same(faultsOf(created, PLAYER), []);
  const starter = firstPlanet(created);
  t.same(faultsOf(starter, PLANET), []);
  t.same(faultsOf(starter.system, PLANET_SYSTEM), []);
  t.equal(starter.system.galaxyIndex, 1, 'the first player lands in the first galaxy');
  t.equal(created.isBot, false);
  t.same(
    starter.buildings.map(({ type, level }) => [type, level]),
    [
      ['zentrale', 1],
      ['iron_mine', 1],
      ['silver_mine', 1],
      ['fusion_plant', 1],
    ],
  );
  for (const building of starter.buildings) {
    t.same(faultsOf(building, BUILDING), []);
    t.same(building.constructionQueue, [], 'idle');
  }
  t.match(starter, { iron: 500, silver: 250, ember: 0, h2: 100, energy: 100, owner: { id: created.id, name: 'ada' } });

  const read = await client.request('GET', `/api/game/state/${created.id}`);
  t.same(read.body, created, 'the state equals the reply to the creation');

  const upgraded = await play.upgrade(starter.id);
  const [entry] = upgraded.buildings.find(({ type }) => type === 'iron_mine')?.constructionQueue ?? [];
  t.same(faultsOf(entry, CONSTRUCTION_ENTRY), []);
  const startedMs = Date.parse(read.headers['x-world-time'] ?? '');
  t.equal(entry?.targetLevel, 2);
  t.equal(Date.parse(entry?.upgradeFinishAt ?? '') - startedMs, (1 + 1) ** 2 * 60 * 1000, '(level + 1)^2 x 60 s');
  t.equal(upgraded.iron, 500 - 75, 'level 2 costs 1.25 x 60 iron');
  t.equal(upgraded.silver, 250 - 18, 'and 1.25 x 15 silver, rounded down');

  const position = await first.play.toNextTimer();
  t.equal(position.worldTime, entry?.upgradeFinishAt);
  const grown = firstPlanet(await first.play.state(created.id));
  t.match(
    grown.buildings.find(({ type }) => type === 'iron_mine'),
    { level: 2, constructionQueue: [] },
  );
  t.ok(grown.iron > upgraded.iron, 'iron was dug meanwhile');

  const before = { hash: await first.play.hash(), state: await first.play.state(created.id) };
  await first.close();
  const second = await begin(t, { store });
  t.same(await second.play.hash(), before.hash);
  t.same(await second.play.state(created.id), before.state, 'a restart changes nothing');
});
