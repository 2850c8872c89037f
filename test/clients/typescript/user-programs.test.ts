// Programs of users, compiled under every strict flag and played: the example in the README of the client, and a bot
// that has only openapi-fetch and types that openapi-typescript generates from the served document.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import t from 'tap';
import { begin } from '../../http/support/serving.js';
import { root } from '../../tidy/repository.js';
import { run } from '../programs.js';

const BOT = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

const api = createClient<paths>({ baseUrl: process.argv[2] ?? '' });

function accepted<Data>({ data, error }: { data?: Data; error?: components['schemas']['Problem'] }): Data {
  if (data === undefined) throw new Error(error?.detail);
  return data;
}

const player = accepted(await api.POST('/api/game/player', { body: { name: 'Ada', isBot: true } }));
const planetId = player.planets[0]?.id ?? '';
const { options } = accepted(await api.GET('/api/game/options/{planetId}', { params: { path: { planetId } } }));
for (const option of options) {
  if (option.action !== 'upgrade' || option.reason !== undefined) continue;
  const planet = accepted(await api.POST(option.request.path, { body: option.request.body }));
  console.log(option.buildingType, planet.buildings.flatMap(({ constructionQueue }) => constructionQueue).length);
  break;
}
const { error, response } = await api.POST('/api/building/upgrade', {
  body: { planetId, buildingType: 'iron_mine' },
  params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
});
switch (error?.code) {
  case 'upgrade_in_progress':
    console.log('refused', response.status, error.status);
    break;
  case 'insufficient_resources':
    console.log(error.missing?.['iron'], error.affordableAt);
    break;
}
const view = accepted(await api.GET('/api/game/planet/{planetId}', { params: { path: { planetId } } }));
if (view.visibility === 'full') console.log('production', view.production.iron);
const reports = accepted(
  await api.GET('/api/report/player/{playerId}', { params: { path: { playerId: player.id }, query: { limit: 3 } } }),
);
for (const report of reports) if (report.type === 'combat') console.log(report.outcome);
const mission: components['schemas']['Mission'] = 'transport';
const launch = await api.POST('/api/fleet/launch', {
  body: {
    playerId: player.id,
    originPlanetId: planetId,
    targetPlanetId: 'planet-0-0-0',
    ships: [{ type: 'scout', count: 1 }],
    mission,
    resources: { iron: 0, silver: 0 },
  },
});
console.log(launch.error?.code);
const { results } = accepted(
  await api.POST('/api/batch', { body: { operations: [{ method: 'GET', path: '/api/leaderboard' }] } }),
);
console.log(results.map(({ status }) => status).join());
`;

const OPTIONS = {
  compilerOptions: {
    target: 'ES2023',
    module: 'NodeNext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    noImplicitReturns: true,
    noUnusedLocals: true,
    skipLibCheck: true,
  },
};

const README = readFileSync(join(root, 'clients/typescript/README.md'), 'utf8');
const EXAMPLE = [...README.matchAll(/```ts\n([^`]+)```/g)].map(([, block]) => block).join('\n');
const CAST = /\bas\b|\bany\b|!\.|!;|@ts-|<unknown>/;

const { client, server } = await begin(t);
const folder = t.testdir({
  'package.json': '{"type": "module"}',
  'tsconfig.json': JSON.stringify(OPTIONS),
  'api.ts': astToString(await openapiTS((await client.request('GET', '/openapi.json')).text)),
  'bot.ts': BOT,
  'readme.ts': EXAMPLE,
});
await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]);

t.test('generated types and openapi-fetch are enough to play, without a cast', async (t) => {
  t.notMatch(BOT, CAST);
  const output = await run(process.execPath, [join(folder, 'bot.js'), server.url]);
  t.match(output, /^zentrale 1\nrefused 409 409\nproduction \d+\nplanet_not_found\n200\n$/);
});

t.test('the example of the README plays, without a cast', async (t) => {
  t.notMatch(EXAMPLE, CAST);
  const output = await run(process.execPath, [join(folder, 'readme.js'), server.url]);
  t.match(
    output,
    /^busy until {[^}]*}\nrefused upgrade_in_progress\nbuildings 4\ndone at 2000-01-01T[\d:.]+Z\nupgrade_in_progress\nupgrade_in_progress\ntrue\niron at noon \d+\npayable 2000-01-01T[\d:.]+Z\n$/,
  );
});
