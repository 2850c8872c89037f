// The page /docs in a real Chromium: it lists every operation and sends requests, asks no other host for anything, breaks
// none of the rules of its own policy, and leaves a key only in the memory of the page.
import t from 'tap';
import { ROUTES } from '../../http/routes/table.js';
import { ADMIN_KEY, begin } from '../http/support/serving.js';
import { withoutBrowser } from './browser.js';
import { behaved, openPage } from './watched-page.js';

t.test('the viewer of the API in a browser', { skip: withoutBrowser }, async (t) => {
  const { server } = await begin(t, { auth: 'key' });
  const watched = await openPage(t, `${server.url}/docs`);
  const { page, requests } = watched;
  const operation = (path: string, method: 'get' | 'post') =>
    page.locator(`.opblock-${method}`, { has: page.locator(`[data-path="${path}"]`) });
  const send = async (path: string, method: 'get' | 'post'): Promise<number> => {
    const block = operation(path, method);
    await block.locator('.opblock-summary').click();
    await block.locator('.try-out__btn').click();
    return press(path, method);
  };
  const press = async (path: string, method: 'get' | 'post'): Promise<number> => {
    const block = operation(path, method);
    const [reply] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith(path)),
      block.locator('.btn.execute').click(),
    ]);
    await block.locator('.live-responses-table .response-col_status').first().waitFor();
    return reply.status();
  };
  await page.locator('.opblock').first().waitFor();
  t.equal(await page.locator('.opblock').count(), ROUTES.length, 'every operation is listed');

  t.equal(await send('/api/status', 'get'), 200, 'a read can be tried');
  t.match(await operation('/api/status', 'get').locator('.live-responses-table').textContent(), '"name": "galaxyd"');

  await page.locator('.auth-wrapper .authorize').first().click();
  await page.locator('.auth-container', { hasText: 'adminKey' }).locator('input').fill(ADMIN_KEY);
  await page.locator('.auth-container', { hasText: 'adminKey' }).locator('button[type=submit]').click();
  await page.locator('.close-modal').click();
  t.equal(await send('/api/admin/players', 'post'), 201, 'a command can be tried with a key');
  t.equal(await press('/api/admin/players', 'post'), 201, 'and again: the example of an Idempotency-Key is not sent');
  const headers = requests.map((request) => request.headers());
  t.match(headers.at(-1), { authorization: `Bearer ${ADMIN_KEY}` });
  t.notOk(headers.some((sent) => 'idempotency-key' in sent));

  const kept = await page.evaluate('JSON.stringify([location.href, document.cookie, localStorage, sessionStorage])');
  t.equal(kept, JSON.stringify([`${server.url}/docs`, '', {}, {}]), 'the key is in no address and no storage');
  t.same(await page.context().cookies(), []);
  behaved(t, watched, server.url);
});
