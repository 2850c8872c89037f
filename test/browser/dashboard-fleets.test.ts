// The map with ten thousand fleets in flight: all of them are there, the time of a frame is printed, and a browser without WebGL
// shows a table that says the same.
import t, { type Test } from 'tap';
import { WorldServer } from '../../http/world-server.js';
import { ADMIN_KEY, begin, type Serving } from '../http/support/serving.js';
import { launchFleets } from '../support/living-world/fleets-in-flight.js';
import { withoutBrowser } from './browser.js';
import { behaved, openPage, type WatchedPage } from './watched-page.js';

const FLEETS = 10_000;
/** Players who only live there. */
const IDLERS = process.env['LONG'] === undefined ? 2_000 : 100_000;
const IDLERS_PER_REQUEST = 10_000;
const FRAMES = 60;

t.test('the map with ten thousand fleets', { skip: withoutBrowser }, async (t) => {
  const serving = await begin(t);
  await launchFleets({ url: serving.server.url, adminKey: ADMIN_KEY, fleets: FLEETS });
  for (let first = 0; first < IDLERS; first += IDLERS_PER_REQUEST) {
    const count = Math.min(IDLERS, IDLERS_PER_REQUEST);
    await serving.admin.command('/api/admin/players', { count, namePrefix: `idle-${first}` }, 201);
  }
  const url = await serveMoving(t, serving);
  await t.test('on WebGL', (t) => drawsFleets(t, url));
  await t.test('without WebGL', (t) => listsFleets(t, url));
});

/**
 * The same world with a clock that is said to run, so that the page moves the fleets; it stands still, so that none arrives.
 *
 * @returns its address
 */
async function serveMoving(t: Test, { world }: Serving): Promise<string> {
  const moving = await WorldServer.start({ world: { ...world, clockKind: 'real' }, host: '127.0.0.1', port: 0 });
  t.teardown(() => moving.stop());
  return moving.url;
}

async function openMap(t: Test, url: string, hash: string, hasWebGl: boolean): Promise<WatchedPage> {
  const watched = await openPage(t, `${url}/dashboard${hash}`, { reducedMotion: 'no-preference', hasWebGl });
  const total = watched.page.locator('main dl div', { hasText: /fleets/i }).locator('dd');
  await total.filter({ hasText: /^10.?000$/ }).waitFor();
  return watched;
}

async function drawsFleets(t: Test, url: string): Promise<void> {
  const watched = await openMap(t, url, '#/galaxy/1', true);
  const { page } = watched;
  t.pass('all fleets are counted');
  const frames = (await page.evaluate(`new Promise((resolve) => {
    const lengths = [];
    let last = performance.now();
    const next = (now) => {
      lengths.push(now - last);
      last = now;
      if (lengths.length <= ${FRAMES}) requestAnimationFrame(next);
      else resolve(lengths.slice(1).sort((one, other) => one - other));
    };
    requestAnimationFrame(next);
  })`)) as number[];
  t.equal(frames.length, FRAMES, 'the map goes on drawing');
  const at = (share: number) => frames[Math.floor(share * (FRAMES - 1))]?.toFixed(1);
  t.comment(`time of a frame in ms: median ${at(0.5)}, 95 % ${at(0.95)}, longest ${at(1)}`);
  const [one, other] = [await page.locator('main canvas').first().screenshot(), await later(watched)];
  t.notOk(one.equals(other), 'and the fleets move');
  await keepsLabels(t, watched);
  behaved(t, watched, url);
}

/** The names and marks are on the second canvas, which a new size empties. */
async function keepsLabels(t: Test, { page }: WatchedPage): Promise<void> {
  const drawn = () => page.evaluate(DRAWN_PIXELS) as Promise<number>;
  const before = await drawn();
  t.ok(before > 0, 'there are labels');
  await page.setViewportSize({ width: 700, height: 900 });
  t.ok((await drawn()) > 0, 'they are there after the window has another size');
  await page.evaluate(LOSE_AND_RESTORE);
  t.ok((await drawn()) > 0, 'and after the graphics card has lost its memory');
}

/** Pixels of the second canvas that are not empty, two frames from now. */
const DRAWN_PIXELS = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const { width, height } = document.querySelectorAll('main canvas')[1];
  const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  copy.drawImage(document.querySelectorAll('main canvas')[1], 0, 0);
  const { data } = copy.getImageData(0, 0, width, height);
  let count = 0;
  for (let alpha = 3; alpha < data.length; alpha += 4) if (data[alpha] > 0) count += 1;
  resolve(count);
})))`;

const LOSE_AND_RESTORE = `new Promise((resolve) => {
  const canvas = document.querySelector('main canvas');
  const loss = canvas.getContext('webgl2').getExtension('WEBGL_lose_context');
  canvas.addEventListener('webglcontextlost', () => setTimeout(() => loss.restoreContext(), 100));
  canvas.addEventListener('webglcontextrestored', () => resolve(true));
  loss.loseContext();
})`;

/** The picture after some more frames. */
async function later({ page }: WatchedPage): Promise<Buffer> {
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 1_500))');
  return page.locator('main canvas').first().screenshot();
}

async function listsFleets(t: Test, url: string): Promise<void> {
  const watched = await openMap(t, url, '#/', false);
  await watched.page.getByText(/WebGL/).first().waitFor();
  const rows = watched.page.getByRole('table', { name: /galaxies/i }).locator('tbody tr');
  await rows.first().waitFor();
  t.match(await rows.first().textContent(), /Galaxy 1/, 'the table shows the galaxies');
  behaved(t, watched, url);
}
