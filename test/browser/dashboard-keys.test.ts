// The dashboard of a world with keys: what a page shows without a key, with a wrong one, and with those of a player, a spectator and
// the operator; and that no key is left anywhere but in the memory of the page.
import type { Page } from 'playwright-core';
import t from 'tap';
import { type Actor, playEveryEvent } from '../http/support/every-event.js';
import { ADMIN_KEY, begin } from '../http/support/serving.js';
import { launchBrowser, withoutBrowser } from './browser.js';
import { behaved, leftBehind, openPage } from './watched-page.js';

const SPECTATOR_KEY = 'the-spectator-of-this-test';
const WRONG_KEY = 'a-key-that-nobody-has';

t.test('the dashboard of a world with keys', { skip: withoutBrowser }, async (t) => {
  const browser = await launchBrowser();
  t.teardown(() => browser.close());
  const serving = await begin(t, { auth: 'key', server: { spectatorKey: SPECTATOR_KEY } });
  const [ada, bob] = await playEveryEvent(serving, true);
  await launchTransport(ada, bob);
  const { url } = serving.server;
  const watched = await openPage(t, browser, `${url}/dashboard#/leaderboard`);
  const { page, complaints } = watched;
  const show = (hash: string) => page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  const main = page.locator('main');

  await main.getByText('ada').first().waitFor();
  t.pass('the leaderboard is public');
  await show('#/');
  await main.getByText(/key/i).first().waitFor();
  await show(`#/player/${ada.playerId}`);
  await main.getByText('This is all that everybody may see').waitFor();
  t.same(complaints, [], 'without a key the page does not ask for what it may not see');

  await page.keyboard.press('k');
  await tryKey(page, WRONG_KEY);
  await page.getByRole('alert').filter({ hasText: 'does not know this key' }).waitFor();
  t.match(complaints.splice(0), [/401/], 'a wrong key is refused, and said to be');

  await tryKey(page, ada.key);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await main.getByRole('heading', { name: '1 fleet in flight' }).waitFor();
  t.pass('a player sees its own fleets');
  await show(`#/player/${bob.playerId}`);
  await main.getByText('This is all that everybody may see').waitFor();
  t.match(complaints.splice(0), [/40[13]/], 'and not those of others: the API refuses them once');
  await show('#/');
  await main
    .getByText(/spectator/i)
    .first()
    .waitFor();
  t.pass('a player sees owners on the map, and is told whose key shows fleets');

  for (const [whose, key] of [
    ['a spectator', SPECTATOR_KEY],
    ['the operator', ADMIN_KEY],
  ] as const) {
    await page.keyboard.press('k');
    await tryKey(page, key);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await main.locator('dl div', { hasText: 'Fleets in flight' }).getByText('1', { exact: true }).waitFor();
    t.pass(`${whose} sees all fleets`);
  }
  await show('#/operator');
  await main.locator('h1').filter({ hasText: 'Server' }).waitFor();
  behaved(t, watched, url);

  const keys = [WRONG_KEY, ada.key, SPECTATOR_KEY, ADMIN_KEY];
  const traces = [await leftBehind(watched), ...watched.addresses, ...watched.said].join('\n');
  for (const key of keys)
    t.notOk(traces.includes(key), 'no key is in an address, the history, a cookie, a storage or the console');
  const senders = watched.requests.filter((request) => JSON.stringify(request.headers()).includes(ADMIN_KEY));
  t.ok(senders.length > 0, 'it was sent');
  for (const request of senders) t.equal(request.headers()['authorization'], `Bearer ${ADMIN_KEY}`, 'in one header');

  await page.reload();
  await show('#/');
  await main.getByText(/key/i).first().waitFor();
  t.same(watched.complaints, [], 'a reload forgets the key');
});

async function tryKey(page: Page, key: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Key' }).fill(key);
  await page.keyboard.press('Enter');
}

/** A fleet that flies as long as the clock stands still. */
async function launchTransport(from: Actor, to: Actor): Promise<void> {
  await from.client.command('/api/fleet/launch', {
    playerId: from.playerId,
    mission: 'transport',
    originPlanetId: from.planetId,
    targetPlanetId: to.planetId,
    ships: [{ type: 'transport', count: 1 }],
  });
}
