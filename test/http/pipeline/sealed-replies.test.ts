// With --auth key: a client that creates a player and loses the reply gets the API key by repeating the request,
// although no API key is stored; and no client gets this or any other reply without the Idempotency-Key.
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { PUBLIC_SCOPE, REPLY_FORMS } from '../../../engine/world/kept-replies.js';
import { isWrite } from '../../../http/exchange/exchange.js';
import { openReply, sealReply } from '../../../http/pipeline/sealed-reply.js';
import { ROUTES } from '../../../http/routes/table.js';
import { storeAt } from '../../../persistence/store-url.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { type GameClient, type Reply, withKey } from '../support/game-client.js';
import { RawConnection, requestBytes } from '../support/raw-connection.js';
import { begin, beginHeld, type Serving } from '../support/serving.js';
import { turns, until } from '../support/waiting.js';

interface Created {
  readonly id: string;
  readonly apiKey?: string;
  readonly planets: readonly { readonly id: string }[];
}

const isReplay = ({ headers }: Reply): boolean => headers['idempotency-replayed'] === 'true';

function create(client: GameClient, idempotencyKey: string, name: string): Promise<Reply> {
  return client.request('POST', '/api/game/player', withKey(idempotencyKey, { name, isBot: true }));
}

/** Everything in the files of a folder. */
async function bytesOf(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name)));
  return Buffer.concat(await Promise.all(files));
}

/** Those of the texts that occur in the files of a folder. */
async function found(folder: string, texts: readonly string[]): Promise<string[]> {
  const bytes = await bytesOf(folder);
  return texts.filter((text) => bytes.includes(text));
}

t.test('a creation is replayed with its API key, after a restart too, and neither key is stored', async (t) => {
  const dataFolder = await temporaryFolder(t);
  const first = await begin(t, { auth: 'key', store: storeAt(dataFolder) });
  const [one, bulk, batch] = [randomUUID(), randomUUID(), randomUUID()];
  const operations = [{ method: 'POST', path: '/api/game/player', body: { name: 'batched', isBot: true } }];
  const requests: readonly ((serving: Serving) => Promise<Reply>)[] = [
    ({ client }) => create(client, one, 'ada'),
    ({ admin }) => admin.request('POST', '/api/admin/players', withKey(bulk, { count: 3, namePrefix: 'bot' })),
    ({ client }) => client.request('POST', '/api/batch', withKey(batch, { operations })),
  ];
  const answers: Reply[] = [];
  for (const send of requests) answers.push(await send(first));
  const apiKeys = answers.flatMap(({ text }) => text.match(/gxd_[\w-]{43}/g) ?? []);
  t.equal(new Set(apiKeys).size, 5);
  const repeat = async (serving: Serving): Promise<void> => {
    for (const [index, send] of requests.entries()) {
      const again = await send(serving);
      t.ok(isReplay(again));
      t.same([again.status, again.text], [answers[index]?.status, answers[index]?.text]);
    }
  };
  await repeat(first);
  await first.close();
  t.same(await found(dataFolder, ['ada']), ['ada'], 'the search reads the files');
  t.same(await found(dataFolder, [...apiKeys, ...apiKeys.map((key) => key.slice(4)), one, bulk, batch]), []);
  const second = await begin(t, { auth: 'key', store: storeAt(dataFolder) });
  await repeat(second);
  const [{ id, apiKey }] = answers.map(({ body }) => body as Created) as [Created];
  t.match(await second.client.as(apiKey ?? '').read(`/api/game/state/${id}`), { name: 'ada' }, 'the key is valid');
});

t.test('an existing player is not returned for another key, nor for another request with the key', async (t) => {
  const { client } = await begin(t, { auth: 'key' });
  const { apiKey } = (await create(client, 'one', 'ada')).body as Created;
  t.match((await create(client, 'two', 'ada')).body, { code: 'unauthenticated' });
  t.match((await client.request('POST', '/api/game/player', { body: { name: 'ada', isBot: true } })).status, 401);
  const respaced = (asker: GameClient) =>
    asker.request('POST', '/api/game/player', withKey('one', '{"isBot":true,"name":"ada"}'));
  t.match((await respaced(client)).body, { code: 'unauthenticated' });
  t.match(
    (await respaced(client.as(apiKey ?? ''))).body,
    { code: 'idempotency_key_reused' },
    'its owner gets the reason',
  );
});

/** An answer without the parts that differ between any two requests. */
function told({ status, text, headers }: Reply): unknown {
  const { 'x-request-id': _id, date: _date, ratelimit: _left, ...others } = headers;
  return { status, text: text.replace(/"requestId":"[^"]*"/, ''), others };
}

t.test('only its owner can see whether a key is in use', async (t) => {
  const open = ROUTES.filter(({ method, access }) => isWrite(method) && access === 'public');
  t.same(open.map(({ operationId }) => operationId).sort(), ['createPlayer', 'runBatch'], 'each is tried below');
  const { client } = await begin(t, { auth: 'key' });
  const ada = (await create(client, 'creation', 'ada')).body as Created;
  const asAda = client.as(ada.apiKey ?? '');
  const stranger = client.as(((await create(client, 'other', 'bob')).body as Created).apiKey ?? '');
  const body = { planetId: ada.planets[0]?.id, buildingType: 'iron_mine' };
  t.equal((await asAda.request('POST', '/api/building/upgrade', withKey('upgrade', body))).status, 200);
  const starter = { operations: [{ method: 'POST', path: `/api/game/planet/starter/${ada.id}` }] };
  t.match((await asAda.request('POST', '/api/batch', withKey('batch', starter))).body, { results: [{ status: 201 }] });
  const creations = { operations: [{ method: 'POST', path: '/api/game/player', body: { name: 'eve', isBot: true } }] };
  const sent = await client.request('POST', '/api/batch', withKey('of-nobody', creations));
  t.match(sent.body, { results: [{ status: 201 }] });

  const respaced = '{"isBot":true,"name":"ada"}';
  const read = { operations: [{ method: 'GET', path: '/api/research/player/player-99' }] };
  for (const asker of [client, stranger, client.as('no-such-key')]) {
    for (const [path, request] of [
      ['/api/game/player', respaced],
      ['/api/batch', read],
    ] as const) {
      const free = told(await asker.request('POST', path, withKey('never-used', request)));
      for (const key of ['creation', 'upgrade', 'batch', 'of-nobody']) {
        t.same(told(await asker.request('POST', path, withKey(key, request))), free, `${path} with ${key}`);
      }
    }
  }

  t.ok(isReplay(await create(client, 'creation', 'ada')), 'the honest retry needs no API key');
  const again = await client.request('POST', '/api/batch', withKey('of-nobody', creations));
  t.same([isReplay(again), again.text], [true, sent.text], 'nor does the retry of a batch');
  t.match((await asAda.request('POST', '/api/game/player', withKey('upgrade', respaced))).body, {
    code: 'idempotency_key_reused',
  });
  t.match((await asAda.request('POST', '/api/batch', withKey('batch', read))).body, { code: 'idempotency_key_reused' });
});

t.test('nor does it show before the first reply is durable', async (t) => {
  const { client, log, world, port } = await beginHeld(t, { auth: 'key' });
  log.hold();
  const creation = create(client, 'one', 'ada');
  await until(() => log.isWaiting && world.engine.world.playerCount === 1);
  const respaced = '{"isBot":true,"name":"ada"}';
  const bytes = (key: string) => requestBytes('POST', '/api/game/player', [`Idempotency-Key: ${key}`], respaced);
  const connections = [await RawConnection.open(port), await RawConnection.open(port)];
  connections[0]?.send(bytes('one'));
  connections[1]?.send(bytes('never-used'));
  t.match(
    (await create(client, 'one', 'ada')).body,
    { code: 'idempotency_key_in_flight' },
    'a client that knows the request',
  );
  await turns();
  t.same(
    connections.map(({ unread }) => unread.length),
    [0, 0],
    'both wait',
  );
  log.release();
  t.equal((await creation).status, 201);
  for (const connection of connections) {
    t.equal((await connection.reply()).status, 401);
    connection.close();
  }
});

t.test('two strangers can use one key for their batches, each its own', async (t) => {
  const dataFolder = await temporaryFolder(t);
  const first = await begin(t, { auth: 'key', store: storeAt(dataFolder) });
  const batch = ({ client }: Serving, name: string): Promise<Reply> => {
    const operations = [{ method: 'POST', path: '/api/game/player', body: { name, isBot: true } }];
    return client.request('POST', '/api/batch', withKey('one', { operations }));
  };
  const answers = [await batch(first, 'ada'), await batch(first, 'bob')];
  for (const { body } of answers) t.match(body, { results: [{ status: 201 }] });
  await first.close();
  const second = await begin(t, { auth: 'key', store: storeAt(dataFolder) });
  const again = [await batch(second, 'ada'), await batch(second, 'bob')];
  t.same(
    again.map((reply) => [isReplay(reply), reply.text]),
    answers.map(({ text }) => [true, text]),
  );
  await second.close();
  const open = await begin(t, { auth: 'none', store: storeAt(dataFolder) });
  t.ok(isReplay(await batch(open, 'ada')), 'also after keys are switched off');
});

t.test('a batch that an earlier version kept under the key alone is found', async (t) => {
  const { client, world } = await begin(t, { auth: 'key' });
  const body = JSON.stringify({ operations: [{ method: 'GET', path: '/api/catalog' }] });
  const digest = (text: string) => createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');
  const requestDigest = digest(`["POST","/api/batch"]\n${body}`);
  const reply = sealReply('{"results":[]}', 'one', requestDigest);
  const kept = { keyDigest: digest('one'), requestDigest, status: 200, form: REPLY_FORMS.sealed, reply };
  world.sequencer.submit({ type: 'keep_reply', scope: PUBLIC_SCOPE, ...kept });
  const found = await client.request('POST', '/api/batch', withKey('one', body));
  t.same([isReplay(found), found.text], [true, '{"results":[]}']);
  const other = JSON.stringify({ operations: [{ method: 'GET', path: '/api/no/such/path' }] });
  const unlike = await client.request('POST', '/api/batch', withKey('one', other));
  t.match(unlike.body, { results: [{ status: 404 }] });
});

t.test('a key belongs to its caller, whatever the request names', async (t) => {
  const { client, admin, play } = await begin(t, { auth: 'key' });
  const creator = (name: string) => create(client, `create-${name}`, name).then(({ body }) => body as Created);
  const [ada, bob] = [await creator('ada'), await creator('bob')];
  const [asAda, asBob] = [client.as(ada.apiKey ?? ''), client.as(bob.apiKey ?? '')];
  const upgrade = (asker: GameClient, { planets }: Created) =>
    asker.request(
      'POST',
      '/api/building/upgrade',
      withKey('one', { planetId: planets[0]?.id, buildingType: 'zentrale' }),
    );
  t.equal((await upgrade(asAda, ada)).status, 200);
  t.match((await upgrade(asBob, ada)).body, { code: 'not_owner' }, 'a foreign reply is not replayed');
  const own = await upgrade(asBob, bob);
  t.equal(own.status, 200);
  t.notOk(isReplay(own));
  t.ok(isReplay(await upgrade(asAda, ada)));
  t.match((await upgrade(client, ada)).body, { code: 'unauthenticated' });
  t.match((await upgrade(asAda, bob)).body, { code: 'idempotency_key_reused' });

  const body = { operations: [{ method: 'POST', path: `/api/game/planet/starter/${ada.id}` }] };
  const batch = (asker: GameClient) => asker.request('POST', '/api/batch', withKey('batch', body));
  const first = await batch(asAda);
  t.match(first.body, { results: [{ status: 201 }] });
  t.ok(isReplay(await batch(asAda)));
  t.match((await batch(asBob)).body, { results: [{ status: 403 }] });
  t.match((await batch(client)).body, { results: [{ status: 401 }] });

  const { players } = await play.bots(1, 'bot');
  const grant = () =>
    admin.request('POST', `/api/admin/planet/${players[0]?.planetId}/grant`, withKey('one', { iron: 1 }));
  t.equal((await grant()).status, 200);
  t.ok(isReplay(await grant()), "the operator's own");
});

t.test('a sealed reply opens with its key, for its request, and unchanged', async (t) => {
  const reply = '{"name":"Zoë","apiKey":"gxd_secret"}';
  const sealed = sealReply(reply, 'key', 'request');
  t.equal(openReply(sealed, 'key', 'request'), reply);
  t.not(sealReply(reply, 'key', 'request'), sealed, 'no two seals are alike');
  t.match(sealed, /^[\w-]+$/);
  t.throws(() => openReply(sealed, 'another key', 'request'));
  t.throws(() => openReply(sealed, 'key', 'another request'));
  for (const at of [3, 20, 45]) {
    const changed = Buffer.from(sealed, 'base64url');
    changed[at] = (changed[at] ?? 0) ^ 1;
    t.throws(() => openReply(changed.toString('base64url'), 'key', 'request'), `byte ${at}`);
  }
});
