// With --auth key: whoever creates a player and loses the reply gets its API key by asking again, though no API key is
// stored; and nobody gets it, or any other reply, without the Idempotency-Key.
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { BulkPlayersBody } from '../../http/schemas/world.js';
import { openReply, sealReply } from '../../http/sealed-reply.js';
import { temporaryFolder } from '../persistence/temporary-folder.js';
import { type GameClient, type Reply, withKey } from './support/game-client.js';
import { begin, type Serving } from './support/serving.js';

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

/** What of these texts stands in the files of a folder. */
async function found(folder: string, texts: readonly string[]): Promise<string[]> {
  const bytes = await bytesOf(folder);
  return texts.filter((text) => bytes.includes(text));
}

t.test('a creation is replayed with its API key, after a restart too, and neither key is stored', async (t) => {
  const dataFolder = await temporaryFolder(t);
  const first = await begin(t, { auth: 'key', dataFolder });
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
  t.same(await found(dataFolder, ['ada']), ['ada'], 'the files are looked through');
  t.same(await found(dataFolder, [...apiKeys, ...apiKeys.map((key) => key.slice(4)), one, bulk, batch]), []);
  const second = await begin(t, { auth: 'key', dataFolder });
  await repeat(second);
  const [{ id, apiKey }] = answers.map(({ body }) => body as Created) as [Created];
  t.match(await second.client.as(apiKey ?? '').read(`/api/game/state/${id}`), { name: 'ada' }, 'the key opens it');
});

t.test('an existing player is not given to another key, nor to another request with the key', async (t) => {
  const { client } = await begin(t, { auth: 'key' });
  t.equal((await create(client, 'one', 'ada')).status, 201);
  t.match((await create(client, 'two', 'ada')).body, { code: 'unauthenticated' });
  t.match((await client.request('POST', '/api/game/player', { body: { name: 'ada', isBot: true } })).status, 401);
  const respaced = await client.request('POST', '/api/game/player', withKey('one', '{"isBot":true,"name":"ada"}'));
  t.match(respaced.body, { code: 'idempotency_key_reused' });
});

t.test('a key is the caller’s own, whatever the request names', async (t) => {
  const { client, admin } = await begin(t, { auth: 'key' });
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

  const { players } = await admin.command<BulkPlayersBody>('/api/admin/players', { count: 1, namePrefix: 'bot' }, 201);
  const grant = () =>
    admin.request('POST', `/api/admin/planet/${players[0]?.planetId}/grant`, withKey('one', { iron: 1 }));
  t.equal((await grant()).status, 200);
  t.ok(isReplay(await grant()), "the operator's own");
});

t.test('a sealed reply opens with its key, for its request, and unchanged', async (t) => {
  const reply = '{"name":"Zoë","apiKey":"gxd_secret"}';
  const sealed = sealReply(reply, 'key', 'request');
  t.equal(openReply(sealed, 'key', 'request'), reply);
  t.not(sealReply(reply, 'key', 'request'), sealed, 'no two are alike');
  t.match(sealed, /^[\w-]+$/);
  t.throws(() => openReply(sealed, 'another key', 'request'));
  t.throws(() => openReply(sealed, 'key', 'another request'));
  for (const at of [3, 20, 45]) {
    const changed = Buffer.from(sealed, 'base64url');
    changed[at] = (changed[at] ?? 0) ^ 1;
    t.throws(() => openReply(changed.toString('base64url'), 'key', 'request'), `byte ${at}`);
  }
});
