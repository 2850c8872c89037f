// The OpenAPI document is a contract: every operation of it is sent to a real server, and every reply, of preparations too, is
// checked against the document that the server serves. Everything that is documented must come, except what
// support/contract/table.ts lists with a reason.
import { readFileSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { RESPONSE_HEADERS } from '../../../http/documents/headers.js';
import { errorsOf, isStream } from '../../../http/pipeline/route.js';
import { ROUTES } from '../../../http/routes/table.js';
import {
  type Answered,
  beforeTheWorld,
  beyondTheLimit,
  fromBlockedAddress,
  inKeyWorld,
  inOpenWorld,
  inReplay,
  inRoles,
  inTrouble,
  outOfTurn,
  withoutOperator,
  withReadKey,
} from '../support/contract/breakages.js';
import { type Document, DocumentCheck } from '../support/contract/document-check.js';
import { examplesOf, fileText } from '../support/contract/examples.js';
import { FURTHER, UNREACHED } from '../support/contract/table.js';
import type { Reply } from '../support/game-client.js';
import { PROVOCATIONS } from '../support/provocations.js';
import { observers } from '../support/reply-check.js';
import { begin } from '../support/serving.js';
import { NEED_KEYS } from '../support/write-requests.js';

const { client } = await begin(t);
const check = new DocumentCheck(await client.read<Document>('/openapi.json'));
const reached = new Set<string>();
const faults = new Set<string>();
const headersSeen = new Set<string>();

observers.push((method, route, reply) => {
  if (route === undefined || method === 'HEAD') return;
  const { operationId } = route;
  const outcome = reply.status < 400 ? String(reply.status) : (JSON.parse(reply.text) as { code: string }).code;
  reached.add(`${operationId} ${outcome}`);
  for (const name of Object.keys(reply.headers)) headersSeen.add(name);
  for (const fault of check.faultsOf(operationId, reply)) faults.add(`${operationId} ${outcome}: ${fault}`);
});

t.test('a reply that differs from the document is found', async (t) => {
  const { status, headers, text } = await client.request('GET', '/healthz');
  t.same(check.faultsOf('getHealth', { status, headers, text }), []);
  const { 'x-request-id': _id, ...others } = headers;
  t.same(check.faultsOf('getHealth', { status: 202, headers, text }), ['the status 202 is not documented']);
  t.same(check.faultsOf('getHealth', { status, headers: others, text }), ['the header x-request-id is missing']);
  t.same(check.faultsOf('getHealth', { status, headers: { ...headers, surprise: '1' }, text }), [
    'the header surprise is not declared',
  ]);
  t.same(check.faultsOf('getHealth', { status, headers, text: '{"status":"ok","surprise":1}' }), [
    ' must NOT have additional properties',
  ]);
});

const answered: Answered[] = [];
const problems = new Map<string, Reply>();
for (const route of ROUTES) {
  t.test(`${route.operationId} is answered in an open world and in one with keys`, async (t) => {
    const result = await inOpenWorld(t, route);
    answered.push(result);
    t.ok(result.replies.every(({ status }) => status < 300));
    await inKeyWorld(t, route);
  });
}

t.test('a server in trouble refuses as documented', async (t) => {
  await beforeTheWorld(t, answered);
  await withoutOperator(t, answered);
  await withReadKey(t, answered);
  await inReplay(t, answered);
  await outOfTurn(t, answered);
  await beyondTheLimit(t, answered);
  await fromBlockedAddress(t, answered);
  await inRoles(t, answered);
  // The world of most has a player with a planet and a fleet.
  const models = new Map(answered.map(({ route: { operationId } }) => [operationId, 'recallFleet']));
  for (const operationId of NEED_KEYS) models.set(operationId, 'rotateKey');
  models.set('retireInactivePlayers', 'retireInactivePlayers');
  for (const operationId of ['sendMessage', 'blockPlayer']) models.set(operationId, 'sendMessage');
  for (const operationId of ['proposePact', 'acceptPact', 'declinePact', 'cancelPact'])
    models.set(operationId, 'acceptPact');
  for (const model of new Set(models.values())) {
    const templates = answered.filter(({ route: { operationId } }) => models.get(operationId) === model);
    await inTrouble(t, templates, { auth: NEED_KEYS.has(model) ? 'key' : 'none', model });
  }
});

t.test('every error of the table can be provoked', async (t) => {
  for (const [code, provoke] of Object.entries(PROVOCATIONS)) problems.set(code, await provoke(await begin(t), t));
});

for (const [name, provoke] of Object.entries(FURTHER)) {
  t.test(name, async (t) => {
    reached.delete(name);
    await provoke(await begin(t), t);
    t.ok(reached.has(name));
  });
}

t.test('every reply was as documented', async (t) => {
  t.same([...faults], []);
});

t.test('every header that is declared was sent', async (t) => {
  t.same(
    RESPONSE_HEADERS.filter(({ name }) => !headersSeen.has(name.toLowerCase())),
    [],
  );
});

// A row that is missing, or one too many in UNREACHED, fails here.
t.test('everything that is documented was answered, except what is known to be out of reach', async (t) => {
  const documented = check.documented();
  t.same(
    documented.filter((name) => !reached.has(name)).sort(),
    Object.keys(UNREACHED).sort(),
    'rows of support/contract/table.ts are missing, or no longer needed',
  );
  t.same(documented.length, ROUTES.flatMap((route) => [...errorsOf(route), ...statusesOf(route)]).length);
});

function statusesOf(route: (typeof ROUTES)[number]): string[] {
  const isTagged = route.method === 'GET' && !isStream(route);
  return [...route.replies.map(({ status }) => String(status)), ...(isTagged ? ['304'] : [])];
}

// RECORD_EXAMPLES=1 writes the file; npm run documents does.
t.test('the examples of the documents are what was sent and answered here', async (t) => {
  const recorded = fileText(examplesOf(answered, problems));
  // Seen from dist/test/http/documents.
  const file = new URL('../../../../http/documents/recorded-examples.ts', import.meta.url);
  if (process.env['RECORD_EXAMPLES'] === '1') writeFileSync(file, recorded);
  t.equal(readFileSync(file, 'utf8'), recorded, 'npm run documents renews it');
});
