// Pacts in replies, briefs and the public feed, and what they let a player see.
import t from 'tap';
import type { PactBody } from '../../../http/schemas/pacts.js';
import { WITH_PACTS } from '../../support/pact-rules.js';
import { begin } from '../support/serving.js';
import { proposal, proposedPact } from '../support/write-requests.js';

t.test('both sides read a proposal and a pact in their briefs', async (t) => {
  const { client, ada, bob, pact } = await proposedPact(await begin(t));
  const brief = async (player: string) => (await client.request('GET', `/api/brief/player/${player}`)).text;
  t.match(
    await brief(ada),
    `- ${pact.id} non_aggression: you proposed it to ${bob}, for 86400 s, to be answered until ${pact.endsAt}`,
  );
  t.match(
    await brief(bob),
    `- ${pact.id} non_aggression: proposed to you by ${ada}, for 86400 s, to be answered until ${pact.endsAt}`,
  );
  const { endsAt } = await client.command<PactBody>(`/api/pact/${pact.id}/accept`, { playerId: bob });
  t.match(await brief(bob), `- ${pact.id} non_aggression: with ${ada}, in force until ${endsAt}`);
  const ending = await client.command<PactBody>(`/api/pact/${pact.id}/cancel`, { playerId: bob });
  t.match(await brief(ada), `with ${bob}, in force until ${ending.endsAt}, cancelled by ${bob}`);
});

t.test('a brief says for a day that a pact or a proposal has ended, and why', async (t) => {
  const serving = await begin(t);
  const { client, ada, bob, pact } = await proposedPact(serving);
  const path = (player: string): string => `/api/brief/player/${player}`;
  const ended = (text: string): string | undefined => /## Pacts that have ended\n((?:- .*\n)+)/.exec(text)?.[1];
  t.equal(ended((await client.request('GET', path(ada))).text), undefined);
  await client.command(`/api/pact/${pact.id}/decline`, { playerId: bob });
  const declined = await client.request('GET', path(ada));
  t.match(ended(declined.text), /^- pact-\d+ non_aggression with player-\d+: declined at 2000-\S+Z\n$/);
  t.match(declined.text, `${pact.id} non_aggression with ${bob}: declined`);
  t.match((await client.request('GET', path(bob))).text, `${pact.id} non_aggression with ${ada}: declined`);
  const second = await client.command<PactBody>('/api/pact', proposal(ada, bob));
  await client.command(`/api/pact/${second.id}/accept`, { playerId: bob });
  const { endsAt } = await client.command<PactBody>(`/api/pact/${second.id}/cancel`, { playerId: bob });
  await serving.play.advanceTo(endsAt);
  const over = await client.request('GET', path(ada));
  t.match(
    ended(over.text)?.split('\n'),
    [`- ${second.id} non_aggression with ${bob}: cancelled at ${endsAt}`, /declined/, ''],
    'the newest first',
  );
  await serving.play.advanceTo(new Date(Date.parse(endsAt) + 86_400_000).toISOString());
  const later = await client.readAgain(path(ada), over);
  t.equal(ended(later.text), undefined);
});

t.test('the public hears of pacts, and not of proposals', async (t) => {
  const { client, bob, ada, pact } = await proposedPact(await begin(t));
  const heard = async () => {
    const { events } = await client.read<{ events: { type: string; playerId: string; data: object }[] }>(
      '/api/event/world?since=0',
    );
    return events.filter(({ type }) => type.startsWith('pact'));
  };
  t.same(await heard(), []);
  await client.command(`/api/pact/${pact.id}/accept`, { playerId: bob });
  t.match(await heard(), [
    { type: 'pact', playerId: bob, data: { otherId: ada, change: 'began', kind: 'non_aggression' } },
  ]);
});

t.test('only the two players of a shared sight see what planets of the other see', async (t) => {
  const { client, admin, play } = await begin(t, { auth: 'key' });
  await admin.command('/api/admin/rules', WITH_PACTS);
  const create = async (name: string) => {
    const made = await client.command<{ id: string; apiKey: string; planets: { id: string }[] }>(
      '/api/game/player',
      { name, isBot: true },
      201,
    );
    return { ...made, client: client.as(made.apiKey), planetId: made.planets[0]?.id ?? '' };
  };
  const [ada, bob, eve] = [await create('ada'), await create('bob'), await create('eve')];
  const looks = async (who: typeof ada) => (await who.client.request('GET', `/api/fleet/seen/${bob.planetId}`)).status;
  t.equal(await looks(ada), 403);
  const { id } = await ada.client.command<PactBody>('/api/pact', { ...proposal(ada.id, bob.id), kind: 'shared_sight' });
  t.equal(await looks(ada), 403, 'a proposal shows nothing');
  const none = await eve.client.refusal('POST', '/api/pact/pact-999999/accept', { playerId: eve.id });
  t.equal(none.code, 'pact_not_found');
  for (const verb of ['accept', 'decline', 'cancel']) {
    for (const named of [eve.id, ada.id]) {
      const problem = await eve.client.refusal('POST', `/api/pact/${id}/${verb}`, { playerId: named });
      t.same({ ...problem, requestId: none.requestId }, none, `${verb}: a pact of others is none`);
    }
  }
  await bob.client.command(`/api/pact/${id}/accept`, { playerId: bob.id });
  t.equal(await looks(ada), 200);
  t.equal(await looks(eve), 403);
  const { endsAt } = await bob.client.command<PactBody>(`/api/pact/${id}/cancel`, { playerId: bob.id });
  await play.advanceTo(endsAt);
  t.equal(await looks(ada), 403);
});
