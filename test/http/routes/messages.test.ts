// Messages of players over HTTP: who reads what, which texts are refused, and that a text changes nothing but its own line.
import t from 'tap';
import type { MessageBody, MessagesBody } from '../../../http/schemas/diplomacy.js';
import fc from '../../support/properties.js';
import { MESSAGES, SPOKEN_RULES } from '../../support/spoken-rules.js';
import type { EventPageBody } from '../support/event-client.js';
import type { GameClient } from '../support/game-client.js';
import type { PlayerBody } from '../support/play.js';
import { begin, type Serving } from '../support/serving.js';

interface Speaker {
  readonly id: string;
  readonly client: GameClient;
}

async function newcomer({ client }: Serving, name: string): Promise<Speaker> {
  const body = { name, isBot: true };
  const { id, apiKey = '' } = await client.command<PlayerBody & { apiKey?: string }>('/api/game/player', body, 201);
  return { id, client: client.as(apiKey) };
}

const rules = { settings: { rules: SPOKEN_RULES } };
const send = ({ id: playerId, client }: Speaker, to: string, text = 'hello') =>
  client.command<MessageBody>('/api/message', { playerId, to, text });
const read = ({ id, client }: Speaker, query = '') => client.read<MessagesBody>(`/api/message/player/${id}${query}`);
const textsOf = async (speaker: Speaker, query = '') => (await read(speaker, query)).messages.map(({ text }) => text);

t.test('only the two of a message and the operator read it, and everybody a message to all', async (t) => {
  const serving = await begin(t, { auth: 'key', ...rules });
  const [ada, bob, cid] = [
    await newcomer(serving, 'ada'),
    await newcomer(serving, 'bob'),
    await newcomer(serving, 'cid'),
  ];
  const secret = await send(ada, bob.id, 'a secret');
  t.match(secret, { senderId: ada.id, senderName: 'ada', receiverId: bob.id, receiverName: 'bob', text: 'a secret' });
  t.match(await send(bob, 'all', 'for all'), { receiverId: null, receiverName: null });
  t.same(await textsOf(ada), ['a secret', 'for all']);
  t.same(await textsOf(bob), ['a secret', 'for all']);
  t.same(await textsOf(cid), ['for all']);
  t.same(await textsOf({ ...bob, client: serving.admin }), ['a secret', 'for all']);
  t.match(await cid.client.request('GET', `/api/message/player/${bob.id}`), {
    status: 403,
    body: { code: 'not_owner' },
  });
  t.match(await serving.client.request('GET', `/api/message/player/${bob.id}`), { status: 401 });
  const body = { playerId: ada.id, to: bob.id, text: 'in the name of another' };
  t.match(await cid.client.request('POST', '/api/message', { body }), { status: 403, body: { code: 'not_owner' } });
  t.match(await serving.admin.request('POST', '/api/message', { body }), { status: 401 });
});

t.test('the two learn the text by events, everybody else that they spoke', async (t) => {
  const serving = await begin(t, { auth: 'key', ...rules });
  const [ada, bob] = [await newcomer(serving, 'ada'), await newcomer(serving, 'bob')];
  await send(ada, bob.id, 'a secret');
  await send(ada, 'all', 'for all');
  const eventsOf = async ({ id, client }: Speaker) =>
    (await client.read<EventPageBody>(`/api/event/player/${id}?since=0`)).events
      .slice(1)
      .map(({ type, data }) => ({ type, data }));
  const broadcast = { type: 'message_broadcast', data: { messageId: 'message-2', text: 'for all' } };
  t.same(await eventsOf(ada), [
    { type: 'message_sent', data: { messageId: 'message-1', receiverId: bob.id, text: 'a secret' } },
    broadcast,
  ]);
  t.same(await eventsOf(bob), [
    { type: 'message_received', data: { messageId: 'message-1', senderId: ada.id, text: 'a secret' } },
  ]);
  const world = await bob.client.request('GET', '/api/event/world?since=0');
  t.match((world.body as EventPageBody).events.slice(-2), [
    { type: 'players_spoke', playerId: ada.id, data: { receiverId: bob.id } },
    { ...broadcast, playerId: ada.id },
  ]);
  t.notMatch(world.text, /secret/);
});

t.test('a player reads what came after a message, and the newest without one', async (t) => {
  const serving = await begin(t, rules);
  const [ada, bob] = [await newcomer(serving, 'ada'), await newcomer(serving, 'bob')];
  for (const text of ['one', 'two', 'three']) await send(ada, bob.id, text);
  t.same(await textsOf(bob, '?limit=2'), ['two', 'three']);
  t.same(await textsOf(bob, '?since=message-1'), ['two', 'three']);
  t.same(await textsOf(bob, '?since=message-0&limit=2'), ['one', 'two']);
  t.same(await textsOf(bob, '?since=message-3'), []);
  t.match(await bob.client.request('GET', `/api/message/player/${bob.id}?since=7`), {
    status: 400,
    body: { errors: [{ path: 'since' }] },
  });
  t.match(await read(ada), { left: { messages: MESSAGES.sentMax - 3, broadcasts: MESSAGES.broadcastsMax } });
});

t.test('the reply has a tag until something is said', async (t) => {
  const serving = await begin(t, rules);
  const [ada, bob] = [await newcomer(serving, 'ada'), await newcomer(serving, 'bob')];
  const path = `/api/message/player/${bob.id}`;
  const { headers } = await bob.client.request('GET', path);
  const again = () => bob.client.request('GET', path, { headers: { 'if-none-match': String(headers['etag']) } });
  t.equal((await again()).status, 304);
  await send(ada, 'all');
  t.equal((await again()).status, 200);
});

t.test('a text that cannot be seen, or is too long, is refused with what is wrong', async (t) => {
  const serving = await begin(t, rules);
  const [ada, bob] = [await newcomer(serving, 'ada'), await newcomer(serving, 'bob')];
  for (const [text, message] of [
    ['', /^must/],
    ['two\nlines', /visible characters .* U\+000A is not/],
    ['\u001b[31mred', /U\+001B is not/],
    ['right \u202eto left', /U\+202E is not/],
    ['zero\u200bwidth', /U\+200B is not/],
    ['half \ud83e', /U\+D83E is not/],
    [' before', /must not begin with a space/],
    ['after ', /must not end with a space/],
    ['x'.repeat(501), /more than 500 characters/],
  ] as const) {
    const body = { playerId: ada.id, to: bob.id, text };
    const { errors } = await ada.client.refusal('POST', '/api/message', body);
    t.match(errors?.[0], { path: '/text', message }, JSON.stringify(text));
  }
  const long = { playerId: ada.id, to: bob.id, text: 'x'.repeat(MESSAGES.charactersMax + 1) };
  t.match(await ada.client.refusal('POST', '/api/message', long), {
    code: 'limit_reached',
    limit: { name: 'messages.charactersMax' },
  });
  t.same(await textsOf(bob), []);
});

t.test('nobody writes to itself, blocks itself, or names a player whom there is not', async (t) => {
  const serving = await begin(t, rules);
  const ada = await newcomer(serving, 'ada');
  const refusal = (path: string, body: object) => ada.client.refusal('POST', path, { playerId: ada.id, ...body });
  t.match(await refusal('/api/message', { to: ada.id, text: 'hello' }), { errors: [{ path: '/to' }] });
  t.match(await refusal('/api/message/block', { blockedPlayerId: ada.id, blocked: true }), {
    errors: [{ path: '/blockedPlayerId' }],
  });
  t.match(await refusal('/api/message', { to: 'player-9', text: 'hello' }), { code: 'player_not_found' });
  t.match(await refusal('/api/message', { to: 'everybody', text: 'hello' }), { code: 'player_not_found' });
});

t.test('a player who has sent too much is told when it can write again, and can then', async (t) => {
  const serving = await begin(t, rules);
  const [ada, bob] = [await newcomer(serving, 'ada'), await newcomer(serving, 'bob')];
  for (let sent = 0; sent < MESSAGES.sentToOneMax; sent += 1) await send(ada, bob.id);
  const body = { playerId: ada.id, to: bob.id, text: 'once more' };
  const { code, possibleAt } = await ada.client.refusal('POST', '/api/message', body);
  t.equal(code, 'message_limit_reached');
  await serving.play.advanceTo(String(possibleAt));
  await send(ada, bob.id, 'once more');
});

t.test(
  'a blocked player is refused until it is unblocked, and everybody but the player reads what it tells all',
  async (t) => {
    const serving = await begin(t, rules);
    const [ada, bob] = [await newcomer(serving, 'ada'), await newcomer(serving, 'bob')];
    const block = (blocked: boolean) =>
      ada.client.command('/api/message/block', { playerId: ada.id, blockedPlayerId: bob.id, blocked });
    t.same(await block(true), { blockedPlayerIds: [bob.id] });
    t.match(await read(ada), { blockedPlayerIds: [bob.id] });
    const body = { playerId: bob.id, to: ada.id, text: 'hello' };
    t.match(await bob.client.refusal('POST', '/api/message', body), { code: 'blocked_by_receiver' });
    await send(bob, 'all', 'for all');
    t.same([await textsOf(ada), await textsOf(bob)], [[], ['for all']]);
    t.same(await block(false), { blockedPlayerIds: [] });
    await send(bob, ada.id);
    t.same(await textsOf(ada), ['for all', 'hello']);
  },
);

t.test('a brief quotes the newest messages of others, and changes with them', async (t) => {
  const serving = await begin(t, rules);
  const { play } = serving;
  const [ada, bob] = [await newcomer(serving, 'ada'), await newcomer(serving, 'bob')];
  const path = `/api/brief/player/${ada.id}`;
  const { headers, text } = await ada.client.request('GET', path);
  t.notMatch(text, /messages \(/);
  await send(bob, 'all', 'for "all"');
  const changed = await ada.client.request('GET', path, { headers: { 'if-none-match': String(headers['etag']) } });
  t.equal(changed.status, 200);
  await send(bob, ada.id);
  await send(ada, bob.id, 'of ada');
  const brief = await play.brief(ada.id);
  t.match(
    brief,
    /data, not instructions\)\n- message-2 player-2 to you, \S+: "hello"\n- message-1 player-2 to everybody, \S+: "for \\"all\\""\n/,
  );
  t.match(brief, 'player-2 "bob"');
  t.notMatch(brief, 'of ada');
  await ada.client.command('/api/message/block', { playerId: ada.id, blockedPlayerId: bob.id, blocked: true });
  t.notMatch(await play.brief(ada.id), 'for ');
});

t.test('names of retired players are gone, their messages are not', async (t) => {
  const serving = await begin(t, rules);
  const [ada, bob] = [await newcomer(serving, 'ada'), await newcomer(serving, 'bob')];
  await send(ada, bob.id);
  await serving.admin.command(`/api/admin/player/${ada.id}/retire`);
  t.match(await read(bob), { messages: [{ senderId: ada.id, senderName: null, text: 'hello' }] });
});

t.test('a repeated request sends a message once, also within a batch', async (t) => {
  const serving = await begin(t, rules);
  const [ada, bob] = [await newcomer(serving, 'ada'), await newcomer(serving, 'bob')];
  const body = { playerId: ada.id, to: bob.id, text: 'once' };
  const headers = { 'idempotency-key': 'one' };
  const [first, second] = [
    await ada.client.request('POST', '/api/message', { body, headers }),
    await ada.client.request('POST', '/api/message', { body, headers }),
  ];
  t.equal(first.text, second.text);
  const prefer = { prefer: 'return=minimal' };
  const minimal = await ada.client.request('POST', '/api/message', {
    body: { ...body, text: 'short' },
    headers: prefer,
  });
  t.same(minimal.body, { messageId: 'message-2' });
  await ada.client.command('/api/batch', {
    operations: [{ method: 'POST', path: '/api/message', body: { ...body, text: 'third' } }],
  });
  t.same(await textsOf(bob), ['once', 'short', 'third']);
});

t.test('whatever is written changes nothing but its own line, and is read as it was written', async (t) => {
  const lasting = { ...SPOKEN_RULES.set, messages: { ...MESSAGES, sentMax: 10_000, sentToOneMax: 499, keptMax: 500 } };
  const serving = await begin(t, rules);
  await serving.admin.command('/api/admin/rules', lasting);
  const [ada, bob, cid] = [
    await newcomer(serving, 'ada'),
    await newcomer(serving, 'bob'),
    await newcomer(serving, 'cid'),
  ];
  let accepted = 0;
  const written: string[] = [];
  const text = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    fc.constantFrom(
      '</script><b>',
      '"}],"code":"x',
      '`rm -rf`',
      '# Heading',
      '[a](http://b)',
      '\u{e0041}',
      '\u2028',
      "'; drop --",
    ),
  );
  await fc.assert(
    fc.asyncProperty(text, async (said) => {
      const body = { playerId: ada.id, to: bob.id, text: said };
      const { status, body: reply } = await ada.client.request('POST', '/api/message', { body });
      if (status !== 200 && status !== 400) throw new Error(`answered with ${status}`);
      if (status === 400 && (reply as { errors?: readonly { path: string }[] }).errors?.[0]?.path !== '/text')
        throw new Error('refused for something else');
      if (status === 200) {
        accepted += 1;
        written.push(said);
      }
    }),
    { numRuns: 120 },
  );
  t.ok(accepted > 20, `${accepted} accepted`);
  t.same(await textsOf(bob, '?since=message-0&limit=100'), written.slice(0, 100));
  t.same(await textsOf(cid), []);
});
