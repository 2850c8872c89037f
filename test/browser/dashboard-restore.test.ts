// A dashboard that stays open while its world is restored to an earlier instant: it forgets the past that is lost, without a reload.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import t from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { freePort } from '../support/process/free-port.js';
import { ADMIN_KEY, done, galaxyd, start, statusOf } from '../support/process/operator.js';
import { launchBrowser, withoutBrowser } from './browser.js';
import { openPage } from './watched-page.js';

t.test('a dashboard forgets a past that is lost', { skip: withoutBrowser }, async (t) => {
  const browser = await launchBrowser();
  t.teardown(() => browser.close());
  const place = await temporaryFolder(t);
  const port = String(await freePort());
  const serve = (folder: string) =>
    start(t, {
      args: ['serve', '--data', join(place, folder), '--port', port, '--min-free-mib', '0', '--admin-key', ADMIN_KEY],
    });
  const first = await serve('world');
  const names = { kept: ['kept'], lost: ['lost-1', 'lost-2'], own: ['own-1', 'own-2', 'own-3'] };
  const newcomer = async ({ client }: typeof first, name: string): Promise<void> => {
    t.equal((await client.post('/api/game/player', { name, isBot: true })).status, 201);
  };
  for (const name of names.kept) await newcomer(first, name);
  const { seq } = await statusOf(first.client);
  for (const name of names.lost) await newcomer(first, name);

  const { page } = await openPage(t, browser, `${first.galaxyd.url}/dashboard#/feed`);
  await page.evaluate('window.isSamePage = true');
  for (const name of [...names.kept, ...names.lost]) await line(page, name);
  await first.galaxyd.stop();
  const to = join(place, 'earlier');
  done(t, await galaxyd(t, 'restore', '--data', join(place, 'world'), '--to', to, '--until-seq', String(seq)));
  const second = await serve('earlier');
  for (const name of names.own) await newcomer(second, name);
  for (const name of [...names.kept, ...names.own]) await line(page, name);
  for (const name of names.lost) await page.locator('.feed-line', { hasText: name }).waitFor({ state: 'detached' });
  t.equal(await page.evaluate('window.isSamePage'), true, 'it is the same page');
});

async function line(page: Page, name: string): Promise<void> {
  await page.locator('.feed-line', { hasText: name }).first().waitFor();
}
