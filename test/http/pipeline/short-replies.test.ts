// With Prefer: return=minimal a command answers with what it created, when that ends, and the stocks after it. What it says is
// compared with a whole read at the same instant: the clock of these worlds stands still.
import t from 'tap';
import type { Static } from 'typebox';
import { parsePlayerId } from '../../../engine/terms/ids.js';
import { digestOf } from '../../../http/pipeline/idempotency.js';
import type { PlanetBody } from '../../../http/schemas/planet.js';
import type { BatchResults } from '../../../http/schemas/world.js';
import { PLANNED_RULES } from '../../support/planned-rules.js';
import type { GameClient, Reply } from '../support/game-client.js';
import { firstPlanet, type PlayerBody } from '../support/play.js';
import { begin } from '../support/serving.js';

const PREFER = { prefer: 'return=minimal' };

type CreatedPlayerBody = PlayerBody & { readonly apiKey: string };

function short(client: GameClient, path: string, body: object, method = 'POST'): Promise<Reply> {
  return client.request(method, path, { body, headers: PREFER });
}

function stocksOf({ iron, silver, ember, h2, energy }: PlanetBody): object {
  return { iron, silver, ember, h2, energy };
}

t.test('commands answer with what the next one needs', async (t) => {
  const { client, admin, play } = await begin(t, { settings: { rules: PLANNED_RULES } });
  const { playerId, planetId } = await play.fleetOwner('ada', { transport: 2 });
  const neighbourId = await play.neighbour(planetId);
  const resources = async () => stocksOf(await play.planet(planetId));
  const answers = async (reply: Reply, expected: object): Promise<void> => {
    t.equal(reply.headers['preference-applied'], 'return=minimal');
    t.same(reply.body, expected);
  };

  const upgraded = await short(client, '/api/building/upgrade', { planetId, buildingType: 'iron_mine' });
  const { buildings } = await play.planet(planetId);
  const [entry] = buildings.find(({ type }) => type === 'iron_mine')?.constructionQueue ?? [];
  t.ok(entry);
  await answers(upgraded, {
    queueId: entry?.queueId,
    finishAt: entry?.upgradeFinishAt,
    resources: await resources(),
  });
  const cancelled = await short(client, '/api/building/cancel', { planetId, queueId: entry?.queueId });
  await answers(cancelled, { resources: await resources() });
  t.same((await play.planet(planetId)).nextTimerAt, null);
  const constructed = await short(client, '/api/building/construct', { planetId, buildingType: 'planetary_shield' });
  t.match(constructed.body, { queueId: /^queue-\d+$/, resources: await resources() });

  const ordered = await short(client, '/api/shipyard/build', { planetId, shipType: 'scout', count: 2 });
  const [order] = (await play.planet(planetId)).shipyardQueue;
  t.equal(ordered.status, 201);
  await answers(ordered, { finishAt: order?.buildFinishAt });

  const researched = await short(client, '/api/research/start', { playerId, researchType: 'drive_ion' });
  const { research } = await play.state(playerId);
  await answers(researched, { finishAt: research[0]?.researchFinishAt });

  const flight = { playerId, originPlanetId: planetId, targetPlanetId: neighbourId };
  const ships = [{ type: 'transport', count: 1 }];
  const cargo = { iron: 100 };
  const launched = await short(client, '/api/fleet/launch', {
    ...flight,
    mission: 'transport',
    ships,
    resources: cargo,
  });
  const [fleet] = (await play.state(playerId)).fleets;
  await answers(launched, { fleetId: fleet?.id, finishAt: fleet?.arrivesAt, resources: await resources() });
  await play.advance(10);
  const recalled = await short(client, `/api/fleet/${fleet?.id}/recall`, { playerId });
  await answers(recalled, { finishAt: (await play.state(playerId)).fleets[0]?.returnsAt });

  const starter = await short(client, `/api/game/planet/starter/${playerId}`, {});
  const second = (await play.state(playerId)).planets[1] as PlanetBody;
  t.equal(starter.status, 201);
  await answers(starter, { planetId: second.id, resources: stocksOf(second) });
  const colonized = await short(client, `/api/game/planet/${neighbourId}/colonize`, { playerId });
  await answers(colonized, { planetId: neighbourId, resources: stocksOf(await play.planet(neighbourId)) });

  const steps = [{ action: 'upgrade', buildingType: 'silver_mine' }];
  const planned = await short(client, `/api/plan/planet/${second.id}`, { steps }, 'PUT');
  const afterPlan = await play.planet(second.id);
  t.ok(afterPlan.silver < second.silver, 'the step has started');
  await answers(planned, { resources: stocksOf(afterPlan) });
  const granted = await short(admin, `/api/admin/planet/${planetId}/grant`, { iron: 7 });
  await answers(granted, { resources: await resources() });
});

t.test('a new player is told its ids, and its key once', async (t) => {
  const { client } = await begin(t, { auth: 'key' });
  const created = await short(client, '/api/game/player', { name: 'ada', isBot: true });
  const { apiKey, playerId, planetIds } = created.body as { apiKey: string; playerId: string; planetIds: string[] };
  t.equal(created.status, 201);
  const own = client.as(apiKey);
  const { planets } = await own.read<{ planets: PlanetBody[] }>(`/api/game/state/${playerId}`);
  t.same(
    planets.map(({ id }) => id),
    planetIds,
  );
  await own.request('POST', `/api/game/planet/starter/${playerId}`, { body: {} });
  const again = await short(own, '/api/game/player', { name: 'ada', isBot: true });
  t.equal(again.status, 200);
  t.match(again.body, { playerId, planetIds: [planetIds[0], /^planet-/], apiKey: undefined });
});

t.test('what has no short reply ignores the preference, and so does an error', async (t) => {
  const { client, play } = await begin(t);
  const { planetId } = await play.fleetOwner('ada', { transport: 1 });
  await play.order(planetId, 'transport', 1);
  const cancelled = await short(client, '/api/shipyard/cancel', { planetId, shipType: 'transport' });
  t.same(cancelled.body, { success: true });
  t.notOk('preference-applied' in cancelled.headers);
  const read = await client.request('GET', `/api/game/planet/${planetId}`, { headers: PREFER });
  t.match(read.body, { id: planetId, buildings: Array });
  const refused = await short(client, '/api/shipyard/cancel', { planetId, shipType: 'transport' });
  t.match(refused.body, { code: 'nothing_in_production', detail: String });
  const refusedUpgrade = await short(client, '/api/building/upgrade', { planetId, buildingType: 'planetary_shield' });
  t.match(refusedUpgrade.body, { code: 'building_not_found', detail: String });
  t.notOk('preference-applied' in refusedUpgrade.headers);
});

t.test('a repeated request gets the form of the first reply', async (t) => {
  const { client, play } = await begin(t);
  const { planetId } = await play.rich('ada');
  const body = { planetId, buildingType: 'iron_mine' };
  const send = (path: string, key: string, sent: object, headers: object = {}) =>
    client.request('POST', path, { body: sent, headers: { 'idempotency-key': key, ...headers } });
  const first = await send('/api/building/upgrade', 'one', body, PREFER);
  const again = await send('/api/building/upgrade', 'one', body);
  t.equal(again.text, first.text);
  t.equal(again.headers['preference-applied'], 'return=minimal');
  t.equal(again.headers['idempotency-replayed'], 'true');
  const { queueId } = first.body as { queueId: string };
  const whole = await send('/api/building/cancel', 'two', { planetId, queueId });
  const wholeAgain = await send('/api/building/cancel', 'two', { planetId, queueId }, PREFER);
  t.equal(wholeAgain.text, whole.text);
  t.notOk('preference-applied' in wholeAgain.headers);
});

t.test('in a batch each result is short, a new key is in it, and its reply is sealed', async (t) => {
  const { client, world } = await begin(t, { auth: 'key' });
  const ada = await client.command<CreatedPlayerBody>('/api/game/player', { name: 'ada', isBot: true }, 201);
  const { id: planetId } = firstPlanet(ada);
  const operations = [
    { method: 'POST', path: '/api/building/upgrade', body: { planetId, buildingType: 'iron_mine' } },
    { method: 'GET', path: `/api/game/planet/${planetId}` },
    { method: 'POST', path: '/api/game/player', body: { name: 'eve', isBot: true } },
    { method: 'POST', path: `/api/game/player/${ada.id}/key` },
  ];
  const headers = { ...PREFER, 'idempotency-key': 'one' };
  const own = client.as(ada.apiKey);
  const first = await own.request('POST', '/api/batch', { body: { operations }, headers });
  const { results } = first.body as Static<typeof BatchResults>;
  t.match(results, [
    { status: 200, body: { queueId: /^queue-/, finishAt: String, resources: Object } },
    { status: 200, body: undefined },
    { status: 201, body: { playerId: String, apiKey: /^gxd_/ } },
    { status: 201, body: { playerId: ada.id, apiKey: /^gxd_/ } },
  ]);
  const again = await own.request('POST', '/api/batch', { body: { operations }, headers });
  t.equal(again.text, first.text);
  const { apiKey } = (results[2] as { body: { apiKey: string } }).body;
  const scope = parsePlayerId(world.engine.world, ada.id);
  const kept = world.engine.world.keptReplies.find(scope, digestOf('one'));
  t.ok(kept);
  t.notOk(kept?.reply.includes(apiKey));
});
