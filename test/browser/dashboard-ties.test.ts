// The map in a real Chromium says in words which pacts its lines stand for, and no longer once they have ended.
import t from 'tap';
import type { PactBody } from '../../http/schemas/pacts.js';
import { begin } from '../http/support/serving.js';
import { proposedPact } from '../http/support/write-requests.js';
import { withoutBrowser } from './browser.js';
import { behaved, openPage } from './watched-page.js';

t.test('a pact is on the map from its beginning to its end', { skip: withoutBrowser }, async (t) => {
  const serving = await begin(t);
  const { client, ada, bob, pact } = await proposedPact(serving);
  const { url } = serving.server;
  const watched = await openPage(t, `${url}/dashboard#/galaxy/1`);
  const { page } = watched;
  const map = page.getByRole('img', { name: /planets with an owner/ });
  await map.and(page.getByLabel(/: 2 planets/)).waitFor();
  t.notMatch(await map.getAttribute('aria-label'), /pact/, 'a proposal is not there');
  await client.command(`/api/pact/${pact.id}/accept`, { playerId: bob });
  await map.and(page.getByLabel(/, 1 pact in force/)).waitFor();
  await page.getByRole('heading', { name: 'Pacts in force' }).waitFor();
  t.match(await page.locator('.map-panel .map-versus').textContent(), /bob|ada/);
  const { endsAt } = await client.command<PactBody>(`/api/pact/${pact.id}/cancel`, { playerId: ada });
  await serving.play.advanceTo(endsAt);
  await page.getByRole('heading', { name: 'Pacts in force' }).waitFor({ state: 'detached' });
  behaved(t, watched, url);
});
