// The page /docs in a real Chromium: it lists every operation and sends requests, asks no other host for anything, breaks
// none of the rules of its own policy, and leaves a key nowhere but in the memory of the page.
import t from 'tap';
import { ROUTES } from '../../http/routes/table.js';
import { ADMIN_KEY, begin } from '../http/support/serving.js';
import { launchBrowser, withoutBrowser } from './browser.js';

/** Only a hang takes as long. */
const HANG_MS = 120_000;

t.test('the viewer of the API in a browser', { skip: withoutBrowser }, async (t) => {
  const { server } = await begin(t, { auth: 'key' });
  const browser = await launchBrowser();
  t.teardown(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(HANG_MS);
  const requests: { readonly url: string; readonly headers: Readonly<Record<string, string>> }[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push({ url: request.url(), headers: request.headers() }));
  page.on('pageerror', (error) => complaints.push(error.message));
  // The console reports errors of scripts, failed requests and violations of the policy.
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });

  await page.goto(`${server.url}/docs`);
  const operation = (path: string) => page.locator('.opblock', { has: page.locator(`[data-path="${path}"]`) });
  const send = async (path: string): Promise<number> => {
    const block = operation(path);
    await block.locator('.opblock-summary').click();
    await block.locator('.try-out__btn').click();
    return press(path);
  };
  const press = async (path: string): Promise<number> => {
    const block = operation(path);
    const [reply] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith(path)),
      block.locator('.btn.execute').click(),
    ]);
    await block.locator('.live-responses-table .response-col_status').first().waitFor();
    return reply.status();
  };
  await page.locator('.opblock').first().waitFor();
  t.equal(await page.locator('.opblock').count(), ROUTES.length, 'every operation is listed');

  t.equal(await send('/api/status'), 200, 'a read can be tried');
  t.match(await operation('/api/status').locator('.live-responses-table').textContent(), '"name": "galaxyd"');

  await page.locator('.auth-wrapper .authorize').first().click();
  await page.locator('.auth-container', { hasText: 'adminKey' }).locator('input').fill(ADMIN_KEY);
  await page.locator('.auth-container', { hasText: 'adminKey' }).locator('button[type=submit]').click();
  await page.locator('.close-modal').click();
  t.equal(await send('/api/admin/players'), 201, 'a command can be tried with a key');
  t.equal(await press('/api/admin/players'), 201, 'and again: the example of an Idempotency-Key is not sent');
  const last = requests.at(-1);
  t.match(last, { headers: { authorization: `Bearer ${ADMIN_KEY}` } });
  t.same(
    requests.flatMap(({ headers }) => headers['idempotency-key'] ?? []),
    [],
  );

  const kept = await page.evaluate('JSON.stringify([location.href, document.cookie, localStorage, sessionStorage])');
  t.equal(kept, JSON.stringify([`${server.url}/docs`, '', {}, {}]), 'the key is in no address and no storage');
  t.same(await page.context().cookies(), []);
  t.same(
    requests.filter(({ url }) => !url.startsWith(`${server.url}/`) && !url.startsWith('data:')),
    [],
    'no other host is asked',
  );
  t.same(complaints, [], 'the console stays empty');
});
