// The dashboard and the processes that it speaks with. Keys: what a page shows without one, with a wrong one, and with those of a
// player, a spectator and the operator, and that a key is left only in the memory of the page. Roles: a leader and a standby.
// An outage: a server that is killed and started again. A restored world: a past that is lost.
import path from 'node:path';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { STATUS_PERIOD_MS } from '../../dashboard/limits.js';
import { beginCluster } from '../http/support/cluster.js';
import { type Actor, playEveryEvent } from '../http/support/every-event.js';
import { begin, type Serving } from '../http/support/serving.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { freePort } from '../support/process/free-port.js';
import { ADMIN_KEY, done, galaxyd, start, statusOf } from '../support/process/operator.js';
import { withoutBrowser } from './browser.js';
import {
  behaved,
  fits,
  leftBehind,
  openPage,
  type PageOptions,
  PHONE,
  violations,
  type WatchedPage,
} from './watched-page.js';

const SPECTATOR_KEY = 'the-spectator-of-this-test';
const WRONG_KEY = 'a-key-that-nobody-has';
/** Longer than a busy machine keeps the server beside a browser from running. */
const LEASE_MS = 10_000;
/** Longer than the page waits before it says that it is offline. */
const OUTAGE_MS = 30_000;

t.test('the dashboard of a world with keys', { skip: withoutBrowser }, async (t) => {
  const serving = await begin(t, { auth: 'key', adminKey: ADMIN_KEY, server: { spectatorKey: SPECTATOR_KEY } });
  const [ada, bob] = await playEveryEvent(serving, true);
  await launchTransport(ada, bob);
  const { url } = serving.server;
  const watched = await openPage(t, `${url}/dashboard#/leaderboard`);
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
  t.pass('a player sees owners on the map, and a note says whose key shows fleets');

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
  await show(`#/player/${ada.playerId}`);
  await main.getByRole('heading', { name: '1 fleet in flight' }).waitFor();
  t.pass('the operator sees what a player sees');
  await show('#/operator');
  await main.locator('h1').filter({ hasText: 'Server' }).waitFor();
  await actsAsOperator(t, page, serving, bob.playerId);
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

t.test('the operator sees roles, epoch, lease and processes', { skip: withoutBrowser }, async (t) => {
  const cluster = await beginCluster(t, {}, 2, LEASE_MS);
  const { leader, standby } = { leader: cluster.leader(), standby: cluster.standby() };
  for (const { url, role, readyFor, options } of [
    { url: leader.url, role: 'leader', readyFor: 'commands', options: { colorScheme: 'light' } as const },
    { url: standby.url, role: 'standby', readyFor: 'reads', options: PHONE },
  ]) {
    const watched = await openPage(t, `${url}/dashboard#/operator`, options);
    const { page } = watched;
    await page.getByText(`ready for ${readyFor}`).waitFor();
    const facts = await page.locator('.operator-replicas .fact-list > div').allTextContents();
    t.ok(facts.includes(`Role${role}`));
    t.ok(facts.includes(`Leader${leader.url}`));
    t.ok(facts.includes(`Epoch${leader.world.replica.epoch}`));
    t.match(facts.join(), /Age of the lease\d/);
    await page.locator('.operator-replicas tbody tr').nth(1).waitFor();
    const rows = await page.locator('.operator-replicas tbody th').allTextContents();
    const shown = (one: string): string => (one === url ? `${one} this one` : one);
    t.same(rows, [shown(leader.url), shown(standby.url)]);
    await fits(t, watched, role);
    t.same(await violations(watched, 'everything'), []);
    behaved(t, watched, url);
    await page.close();
  }
});

t.test('a paused world is shown as one, in both themes and on a phone', { skip: withoutBrowser }, async (t) => {
  const { server, client, admin } = await begin(t, { clock: 'real' });
  await client.command('/api/game/player', { name: 'ada', isBot: true }, 201);
  await admin.command('/api/admin/clock/speed', { speed: 60 });
  await admin.command('/api/admin/clock/pause', {});
  for (const [name, options] of [
    ['dark', { colorScheme: 'dark' }],
    ['light', { colorScheme: 'light' }],
    ['phone', PHONE],
  ] as const) {
    const watched = await openPage(t, `${server.url}/dashboard#/feed`, options);
    const { page } = watched;
    await page.locator('.connection.is-paused').waitFor();
    await page.getByText(/^The operator has paused the world at .* nothing happens in it\.$/).waitFor();
    await page.getByText('The operator paused the world.').waitFor();
    await page.getByText('The operator changed the speed of the world to 60.').waitFor();
    const stands = await page.locator('.clock-world').textContent();
    await fits(t, watched, `a paused world, ${name}`);
    t.same(await violations(watched, 'everything'), []);
    t.equal(await page.locator('.clock-world').textContent(), stands, 'world time stands');
    behaved(t, watched, server.url);
    await page.close();
  }
  const { page } = await openPage(t, `${server.url}/dashboard#/feed`, { hasOwnClock: true });
  await page.locator('.page-note').waitFor();
  await admin.command('/api/admin/clock/resume', {});
  await page.clock.fastForward(STATUS_PERIOD_MS);
  await page.locator('.connection.is-live').waitFor();
  await page.locator('.page-note').waitFor({ state: 'detached' });
  await page.getByText('World time goes on.').waitFor();
  t.pass('and it goes on by itself');
});

/** What browsers themselves say about a server that is gone, and about one that answers `recovering`. */
const OF_OUTAGE =
  /net::ERR_CONNECTION_REFUSED|net::ERR_CONNECTION_RESET|net::ERR_EMPTY_RESPONSE|WebSocket connection to|status of 503/;

t.test('a dashboard survives the death of its server', { skip: withoutBrowser }, async (t) => {
  const place = await temporaryFolder(t);
  const port = await freePort();
  const serve = () => serveWorld(t, place, port, '--auth', 'key', '--spectator-key', SPECTATOR_KEY);
  const first = await serve();
  await join(t, first, 'before');

  const watched = await openFeed(t, first.galaxyd.url, { hasOwnClock: true });
  const { page } = watched;
  // The button waits until the page knows that the world has keys; the shortcut does nothing before.
  await page.getByRole('button', { name: 'Enter a key' }).first().click();
  await tryKey(page, SPECTATOR_KEY);
  await line(page, 'before');
  t.pass('it shows the world');

  const { stdout, stderr } = await first.galaxyd.kill();
  await page.clock.fastForward(OUTAGE_MS / 10);
  await page.locator('.connection.is-reconnecting').waitFor();
  await page.locator('.page-note').waitFor();
  t.pass('it says that the server does not answer, and since when');
  for (let passedMs = 0; passedMs < OUTAGE_MS; passedMs += OUTAGE_MS / 10) await page.clock.fastForward(OUTAGE_MS / 10);
  await page.locator('.connection.is-offline').waitFor();
  await line(page, 'before');
  t.pass('after a while it says that it is offline, and still shows what it knows');

  const second = await serve();
  // The page would wait a second or two for its next attempt.
  const resumes = setInterval(() => void page.clock.fastForward(1_000).catch(() => {}), 200);
  await page.locator('.connection.is-live').waitFor();
  t.pass('it is live again by itself');
  await join(t, second, 'after');
  await line(page, 'after');
  clearInterval(resumes);
  t.equal(await page.evaluate('window.isSamePage'), true, 'what happened since appears without a reload');
  t.equal(await page.locator('.page-note').count(), 0, 'and nothing reminds of the outage');
  const others = watched.complaints.filter((complaint) => !OF_OUTAGE.test(complaint));
  t.same(others, [], 'the console has nothing but the outage');

  const ending = await second.galaxyd.stop();
  for (const text of [stdout, stderr, ending.stdout, ending.stderr]) {
    t.notOk(
      [ADMIN_KEY, SPECTATOR_KEY].some((key) => text.includes(key)),
      'no key is in the log of the server',
    );
  }
});

t.test('a dashboard forgets a past that is lost', { skip: withoutBrowser }, async (t) => {
  const place = await temporaryFolder(t);
  const port = await freePort();
  const folders = { world: path.join(place, 'world'), earlier: path.join(place, 'earlier') };
  const first = await serveWorld(t, folders.world, port);
  const names = { kept: ['kept'], lost: ['lost-1', 'lost-2'], own: ['own-1', 'own-2', 'own-3'] };
  for (const name of names.kept) await join(t, first, name);
  const { seq } = await statusOf(first.client);
  for (const name of names.lost) await join(t, first, name);

  const { page } = await openFeed(t, first.galaxyd.url);
  for (const name of [...names.kept, ...names.lost]) await line(page, name);
  await first.galaxyd.stop();
  const instant = ['--until-seq', String(seq)];
  done(t, await galaxyd(t, 'restore', '--data', folders.world, '--to', folders.earlier, ...instant));
  const second = await serveWorld(t, folders.earlier, port);
  for (const name of names.own) await join(t, second, name);
  for (const name of [...names.kept, ...names.own]) await line(page, name);
  for (const name of names.lost) await page.locator('.feed-line', { hasText: name }).waitFor({ state: 'detached' });
  t.equal(await page.evaluate('window.isSamePage'), true, 'it is the same page');
});

/** Suspends a player and announces something; the trail shows both, and the banner what was announced. */
async function actsAsOperator(t: Test, page: Page, { admin }: Serving, playerId: string): Promise<void> {
  await page.getByRole('button', { name: 'Act as the operator' }).click();
  await page.getByRole('textbox', { name: 'Player id' }).fill(playerId);
  await page.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill('<b>Back at noon</b>');
  await page.getByRole('button', { name: 'Announce' }).click();
  await page.getByText('<b>Back at noon</b>').first().waitFor();
  const { players } = await admin.read<{ players: { id: string; suspendedAt: string | null }[] }>('/api/admin/players');
  t.same(
    players.filter(({ suspendedAt }) => suspendedAt !== null).map(({ id }) => id),
    [playerId],
    'the operator acts from the page',
  );
}

/** A dashboard whose document must never be loaded again. */
async function openFeed(t: Test, url: string, options: PageOptions = {}): Promise<WatchedPage> {
  const watched = await openPage(t, `${url}/dashboard#/feed`, options);
  await watched.page.evaluate('window.isSamePage = true');
  return watched;
}

function serveWorld(t: Test, folder: string, port: number, ...flags: readonly string[]) {
  const place = ['--data', folder, '--port', String(port), '--min-free-mib', '0'];
  return start(t, { args: ['serve', ...place, '--admin-key', ADMIN_KEY, ...flags] });
}

/** A newcomer is public news. */
async function join(t: Test, { client }: Awaited<ReturnType<typeof start>>, name: string): Promise<void> {
  t.equal((await client.post('/api/game/player', { name, isBot: true })).status, 201);
}

async function line(page: Page, name: string): Promise<void> {
  await page.locator('.feed-line', { hasText: name }).first().waitFor();
}

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
