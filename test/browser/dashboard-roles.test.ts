// The operator's view of a world that several processes serve, at the leader and at a standby.
import t from 'tap';
import { beginCluster } from '../http/support/cluster.js';
import { launchBrowser, withoutBrowser } from './browser.js';
import { behaved, fits, HANG_MS, openPage, PHONE, violations } from './watched-page.js';

t.setTimeout(HANG_MS * 2);

/** Longer than a busy machine keeps the server beside a browser from running. */
const LEASE_MS = 10_000;

t.test('the operator sees roles, epoch, lease and processes', { skip: withoutBrowser }, async (t) => {
  const cluster = await beginCluster(t, {}, 2, LEASE_MS);
  const browser = await launchBrowser();
  t.teardown(() => browser.close());
  const { leader, standby } = { leader: cluster.leader(), standby: cluster.standby() };
  for (const { url, role, readyFor, options } of [
    { url: leader.url, role: 'leader', readyFor: 'commands', options: { colorScheme: 'light' } as const },
    { url: standby.url, role: 'standby', readyFor: 'reads', options: PHONE },
  ]) {
    const watched = await openPage(t, browser, `${url}/dashboard#/operator`, options);
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
