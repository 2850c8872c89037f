// A server that is killed and started again while its dashboard is open: the page says so, resumes by itself, and leaves the key of
// the viewer in no log.
import type { Page } from 'playwright-core';
import t from 'tap';
import { Client } from '../support/process/client.js';
import { freePort } from '../support/process/free-port.js';
import { GalaxydProcess } from '../support/process/galaxyd-process.js';
import { launchBrowser, withoutBrowser } from './browser.js';
import { openPage } from './watched-page.js';

const ADMIN_KEY = 'the-operator-of-this-test';
const SPECTATOR_KEY = 'the-spectator-of-this-test';
/** Longer than the page waits before it says that it is offline. */
const OUTAGE_MS = 30_000;

/** What browsers themselves say about a server that is gone. */
const OF_OUTAGE =
  /net::ERR_CONNECTION_REFUSED|net::ERR_CONNECTION_RESET|net::ERR_EMPTY_RESPONSE|WebSocket connection to/;

t.test('a dashboard survives the death of its server', { skip: withoutBrowser }, async (t) => {
  const browser = await launchBrowser();
  t.teardown(() => browser.close());
  const keys = ['--admin-key', ADMIN_KEY, '--spectator-key', SPECTATOR_KEY];
  const place = ['--data', t.testdir(), '--port', String(await freePort()), '--min-free-mib', '0'];
  const start = () => GalaxydProcess.start(t, { args: ['serve', '--auth', 'key', ...keys, ...place] });
  const first = await start();
  await join(first.url, 'before');

  const watched = await openPage(t, browser, `${first.url}/dashboard#/feed`, { hasOwnClock: true });
  const { page } = watched;
  await page.evaluate('window.isSamePage = true');
  await page.keyboard.press('k');
  await page.getByRole('textbox', { name: 'Key' }).fill(SPECTATOR_KEY);
  await page.keyboard.press('Enter');
  await line(page, 'before');
  t.pass('it shows the world');

  const { stdout, stderr } = await first.kill();
  await page.clock.fastForward(OUTAGE_MS / 10);
  await page.locator('.connection.is-reconnecting').waitFor();
  await page.locator('.outage-note').waitFor();
  t.pass('it says that the server does not answer, and since when');
  for (let passedMs = 0; passedMs < OUTAGE_MS; passedMs += OUTAGE_MS / 10) await page.clock.fastForward(OUTAGE_MS / 10);
  await page.locator('.connection.is-offline').waitFor();
  await line(page, 'before');
  t.pass('after a while it says that it is offline, and still shows what it knows');

  const second = await start();
  // The page would wait a second or two for its next attempt.
  const resumes = setInterval(() => void page.clock.fastForward(1_000).catch(() => {}), 200);
  await page.locator('.connection.is-live').waitFor();
  t.pass('it is live again by itself');
  await join(second.url, 'after');
  await line(page, 'after');
  clearInterval(resumes);
  t.equal(await page.evaluate('window.isSamePage'), true, 'what happened since appears without a reload');
  t.equal(await page.locator('.outage-note').count(), 0, 'and nothing reminds of the outage');
  const others = watched.complaints.filter((complaint) => !OF_OUTAGE.test(complaint));
  t.same(others, [], 'the console has nothing but failed connections');

  const ending = await second.stop();
  for (const text of [stdout, stderr, ending.stdout, ending.stderr]) {
    t.notOk(
      [ADMIN_KEY, SPECTATOR_KEY].some((key) => text.includes(key)),
      'no key is in the log of the server',
    );
  }
});

/** A newcomer, who is public news. */
async function join(url: string, name: string): Promise<void> {
  const client = new Client(url, ADMIN_KEY);
  const { status } = await client.post('/api/game/player', { name, isBot: true });
  client.close();
  if (status !== 201) throw new Error(`${name} was not created: ${status}`);
}

async function line(page: Page, name: string): Promise<void> {
  await page.locator('.feed-line', { hasText: name }).first().waitFor();
}
