// The market over HTTP: the order book and its pages, who sees what, and how a refusal says what to do.
import t from 'tap';
import type { MarketBody, OfferBody, PlayerMarketBody } from '../../../http/schemas/market.js';
import { begin } from '../support/serving.js';
import { FAIR, offered, takes, taking, traders } from '../support/traders.js';

t.test('the book of a galaxy has the lowest price first, page by page, and the last trades', async (t) => {
  const serving = await begin(t);
  const { client } = serving;
  const [ada, bob] = await traders(serving);
  await takes(ada, await offered(bob));
  const dear = await offered(ada, { want: { resource: 'silver', units: 500 } });
  const cheap = await offered(ada, { want: { resource: 'silver', units: 300 } });
  const other = await offered(ada, { give: { resource: 'silver', units: 3 }, want: { resource: 'iron', units: 4 } });
  const ids = ({ offers }: MarketBody): string[] => offers.map(({ id }) => id);
  const all = await client.read<MarketBody>('/api/market/galaxy/1');
  t.same(ids(all), [cheap.id, dear.id, other.id]);
  t.match(all, { offers: [{ price: 0.5 }, {}, { price: 1.33333 }], nextCursor: null });
  t.match(all.trades, [{ give: 'iron', want: 'silver', last: [{ giveUnits: 600, wantUnits: 400 }] }]);
  const pages: string[] = [];
  let next: string | null = '';
  while (next !== null) {
    const page: MarketBody = await client.read(`/api/market/galaxy/1?limit=1${next === '' ? '' : `&cursor=${next}`}`);
    pages.push(...ids(page));
    next = page.nextCursor;
  }
  t.same(pages, ids(all));
  const silver = await client.read<MarketBody>('/api/market/galaxy/1?give=silver&want=iron');
  t.same([ids(silver), silver.trades], [[other.id], []]);
  t.same(ids(await client.read('/api/market/galaxy/2')), []);
  t.equal((await client.request('GET', '/api/market/galaxy/1?give=energy')).status, 400);
});

t.test('offers to a player come page by page, the newest first', async (t) => {
  const serving = await begin(t);
  const [ada, bob] = await traders(serving);
  const made: string[] = [];
  while (made.length < 3) made.unshift((await offered(ada, { toPlayerId: bob.playerId })).id);
  const path = `/api/market/player/${bob.playerId}`;
  const ids = ({ offersToPlayer }: PlayerMarketBody): string[] => offersToPlayer.map(({ id }) => id);
  const all = await bob.client.read<PlayerMarketBody>(path);
  t.same([ids(all), all.nextCursor], [made, null]);
  const first = await bob.client.read<PlayerMarketBody>(`${path}?limit=2`);
  const second = await bob.client.read<PlayerMarketBody>(`${path}?limit=2&cursor=${first.nextCursor}`);
  t.same([ids(first), ids(second), second.nextCursor], [made.slice(0, 2), made.slice(2), null]);
  t.match(await bob.client.request('GET', `${path}?limit=101`), { status: 400 });
  t.match(await bob.client.request('GET', `${path}?cursor=last`), { status: 400 });
});

t.test('with keys nobody but the two sides and the operator sees an offer to one player', async (t) => {
  const serving = await begin(t, { auth: 'key' });
  const { client, admin } = serving;
  const [ada, bob] = await traders(serving);
  const { players } = await serving.play.bots(1, 'cid');
  const [third] = players;
  const cid = client.as(third?.apiKey ?? '');
  const { id } = await offered(ada, { toPlayerId: bob.playerId });
  t.same((await client.read<MarketBody>('/api/market/galaxy/1')).offers, [], 'it is not in the book');
  const path = `/api/market/player/${bob.playerId}`;
  for (const reader of [bob.client, admin])
    t.match(await reader.read<PlayerMarketBody>(path), { offersToPlayer: [{ id, toPlayerId: bob.playerId }] });
  t.match(await cid.request('GET', path), { status: 403 });
  const body = { playerId: third?.id, planetId: third?.planetId };
  for (const verb of ['take', 'withdraw'])
    t.match(
      await cid.request('POST', `/api/market/offer/${id}/${verb}`, {
        body: verb === 'take' ? body : { playerId: third?.id },
      }),
      { status: 404, body: { code: 'offer_not_found' } },
    );
  t.match(await bob.client.request('POST', `/api/market/offer/${id}/withdraw`, { body: { playerId: bob.playerId } }), {
    status: 403,
    body: { code: 'not_owner' },
  });
  const taken = taking({ id }, ada);
  t.match(await bob.client.request('POST', taken.path, { body: taken.body }), { status: 403 }, 'for another player');
  await takes(bob, { id } as OfferBody);
});

t.test('a repeated offer is made once, and an offer shows when it ends', async (t) => {
  const serving = await begin(t);
  const [{ client, playerId, planetId }] = await traders(serving);
  const options = { body: { playerId, planetId, ...FAIR, seconds: 60 }, headers: { 'idempotency-key': 'one' } };
  const [first, second] = [
    await client.request('POST', '/api/market/offer', options),
    await client.request('POST', '/api/market/offer', options),
  ];
  t.equal(second.text, first.text);
  await serving.play.advance(60);
  t.same((await client.read<PlayerMarketBody>(`/api/market/player/${playerId}`)).offers, []);
});
