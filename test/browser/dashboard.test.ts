// The dashboard over a living world without keys, in a real Chromium: each view shows what the API says, by its link, with the
// keyboard, on a phone and in both themes; names are text; nothing is requested elsewhere, and the console stays empty.
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { STANDARD_2_RULES } from '../../engine/rules/shipped.js';
import { begin } from '../http/support/serving.js';
import { HOSTILE_NAMES } from '../support/living-world/names.js';
import { withoutBrowser } from './browser.js';
import { beginLiving, type LivingServing } from './living-serving.js';
import { behaved, fits, openPage, PHONE, violations, type WatchedPage } from './watched-page.js';

t.test('the dashboard over a living world', { skip: withoutBrowser }, async (t) => {
  const serving = await beginLiving(t);
  await t.test('each view shows what the API says', (t) => showsTheWorld(t, serving));
  await t.test('what happens appears without a reload', (t) => followsTheWorld(t, serving));
  await t.test('the chart and the table of the leaderboard are of one instant', (t) => showsOneInstant(t, serving));
  await t.test('a battle says what was taken', (t) => showsLoot(t, serving));
  await t.test('a link leads to what it names', (t) => followsLinks(t, serving));
  await t.test('everything can be reached with the keyboard', (t) => obeysKeys(t, serving));
  await t.test('a name is text, whatever it contains', (t) => showsHostileNames(t, serving));
  await t.test('each view fits a phone, and its colours in the light theme can be told apart', (t) =>
    fitsPhones(t, serving),
  );
  await t.test('no view keeps anybody out', (t) => isAccessible(t, serving));
  await t.test('a plan is shown lane by lane, with what the rules allow its player and how rich the planet is', (t) =>
    showsPlans(t),
  );
});

/** Every view, by its hash; `{leader}` and `{planet}` stand for the first player and its first planet. */
const VIEWS: Readonly<Record<string, string>> = {
  universe: '#/',
  galaxy: '#/galaxy/1',
  system: '#/galaxy/1/system/0',
  leaderboard: '#/leaderboard',
  players: '#/player',
  player: '#/player/{leader}',
  feed: '#/feed',
  operator: '#/operator',
};

interface Leader {
  readonly id: string;
  readonly name: string;
  readonly points: number;
  readonly planets: number;
}

interface GalaxyOfMap {
  readonly index: number;
  readonly planets: number;
  readonly players: number;
}

interface EventOfWorld {
  readonly seq: number;
  readonly at: string;
}

interface BattleOfWorld {
  readonly type: string;
  readonly data: { readonly planetId: string; readonly loot: { readonly iron: number } };
}

async function leadersOf({ client }: LivingServing): Promise<readonly Leader[]> {
  return (await client.read<{ players: Leader[] }>('/api/leaderboard')).players;
}

async function show({ page }: WatchedPage, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}

/** Opens the dashboard and waits until it follows the world. */
async function openDashboard(t: Test, serving: LivingServing, hash = '', options = {}): Promise<WatchedPage> {
  const watched = await openPage(t, `${serving.url}/dashboard${hash}`, options);
  await watched.page.locator('.connection.is-live').waitFor({ state: 'attached' });
  return watched;
}

/** The texts of some columns of a table, row by row; figures without what separates their digits. */
async function rowsOf(page: Page, caption: RegExp, columns: readonly string[]): Promise<string[][]> {
  const table = page.getByRole('table', { name: caption });
  await table.locator('tbody tr').first().waitFor();
  const titles = await table.locator('thead th').allTextContents();
  const rows: string[][] = [];
  for (const row of await table.locator('tbody tr').all()) {
    const cells = await row.locator('th, td').allTextContents();
    rows.push(columns.map((column) => plain(cells[titles.indexOf(column)] ?? `no column ${column}`)));
  }
  return rows;
}

function plain(text: string): string {
  return text.replace(/(?<=\d)[^\w-](?=\d{3})/g, '').trim();
}

async function showsTheWorld(t: Test, serving: LivingServing): Promise<void> {
  const { client, url } = serving;
  const watched = await openDashboard(t, serving);
  const { page } = watched;
  const leaders = await leadersOf(serving);
  const [leader] = leaders as [Leader, ...Leader[]];

  await page.keyboard.press('m');
  const { galaxies } = await client.read<{ galaxies: GalaxyOfMap[] }>('/api/map');
  t.same(
    await rowsOf(page, /galaxies/i, ['Galaxy', 'Planets', 'Players']),
    galaxies.map(({ index, planets, players }) => [`Galaxy ${index}`, String(planets), String(players)]),
    'the galaxies with their planets and players',
  );

  await show(watched, '#/leaderboard');
  await page.getByRole('heading', { name: 'Leaderboard' }).waitFor();
  const ranking = await rowsOf(page, /players by points/i, ['Rank', 'Player', 'Points']);
  t.same(
    ranking.slice(0, 10),
    leaders.slice(0, 10).map(({ name, points }, index) => [String(index + 1), name, String(points)]),
    'the leaders with their points',
  );

  await show(watched, `#/player/${leader.id}`);
  await page.getByRole('heading', { level: 1, name: leader.name }).waitFor();
  const { planets, fleets } = await serving.play.state(leader.id);
  await page.getByRole('heading', { name: planets.length === 1 ? '1 planet' : `${planets.length} planets` }).waitFor();
  for (const { name } of planets.slice(0, 3)) await page.getByText(name, { exact: false }).first().waitFor();
  const flights = fleets.length === 1 ? '1 fleet in flight' : `${fleets.length} fleets in flight`;
  await page.getByRole('heading', { name: flights }).waitFor();
  t.pass('a player with its planets and fleets');

  await show(watched, '#/feed');
  await page.locator('.feed-line').nth(9).waitFor();
  const shown = await page
    .locator('.feed-line time')
    .evaluateAll((times) => times.map((time) => time.getAttribute('datetime')));
  const { lastSeq } = await client.read<{ lastSeq: number }>('/api/event/world');
  const { events } = await client.read<{ events: EventOfWorld[] }>(`/api/event/world?since=${lastSeq - 10}`);
  t.same(shown.slice(0, 10), events.map(({ at }) => at).reverse(), 'the newest events, the last one first');

  await show(watched, '#/operator');
  const { seq } = await client.read<{ seq: number }>('/api/status');
  await page.locator('main dd').first().waitFor({ state: 'attached' });
  const facts = await page.locator('main dd').allTextContents();
  t.ok(facts.map(plain).includes(String(seq)), 'the server with its seq');
  behaved(t, watched, url);
}

async function followsTheWorld(t: Test, serving: LivingServing): Promise<void> {
  const watched = await openDashboard(t, serving, '#/feed', { hasOwnClock: true });
  const { page } = watched;
  await page.locator('.feed-line').first().waitFor();
  const { lastSeq } = await serving.client.read<{ lastSeq: number }>('/api/event/world');
  const newcomer = await serving.play.newcomer('late-to-the-party');
  await page.locator('.feed-line', { hasText: 'late-to-the-party' }).first().waitFor();
  const { events } = await serving.client.read<{ events: EventOfWorld[] }>(`/api/event/world?since=${lastSeq}`);
  t.equal(events.length, 1, `${newcomer.id} has joined, and the page knows it`);
  await serving.play.advance(60);
  // The page asks for the status again within this time.
  await page.clock.fastForward(5_000);
  const { worldTime } = await serving.client.read<{ worldTime: string }>('/api/status');
  await page.getByText(worldTime.replace('T', ' ').slice(0, 19)).first().waitFor();
  t.pass('world time is that of the world');
  behaved(t, watched, serving.url);
}

/** The labels of the lines and the rows are read at once, again and again while points change. */
async function showsOneInstant(t: Test, serving: LivingServing): Promise<void> {
  const watched = await openDashboard(t, serving, '#/leaderboard', { hasOwnClock: true });
  const { page } = watched;
  await page.locator('.chart-label-value').nth(9).waitFor();
  const seen = new Set<string>();
  for (let round = 0; round < 4; round += 1) {
    const [labels, rows] = (await page.evaluate(`(() => {
      const textsOf = (selector) => Array.from(document.querySelectorAll(selector), ({ textContent }) => textContent);
      return [textsOf('.chart-label-value'), textsOf('.ranking .points .count').slice(0, 10)];
    })()`)) as [string[], string[]];
    t.same(labels, rows, `round ${round}`);
    seen.add(rows.join());
    await serving.life.live({ rounds: 1 });
    const answered = page.waitForResponse(/api\/leaderboard$/);
    await page.clock.fastForward(10_000);
    await answered;
  }
  t.ok(seen.size > 1, 'points have changed meanwhile');
  behaved(t, watched, serving.url);
}

async function showsLoot(t: Test, serving: LivingServing): Promise<void> {
  const { client } = serving;
  const { lastSeq } = await client.read<{ lastSeq: number }>('/api/event/world');
  const { events } = await client.read<{ events: BattleOfWorld[] }>(
    `/api/event/world?since=${Math.max(0, lastSeq - 500)}`,
  );
  const last = events.findLast(({ type, data }) => type === 'battle' && data.loot.iron > 0);
  if (last === undefined) throw new Error('no battle has brought loot');
  const iron = `${last.data.loot.iron.toLocaleString('en')} iron`;
  const watched = await openDashboard(t, serving, '#/feed?types=battle');
  const { page } = watched;
  await page
    .locator('.feed-line')
    .filter({ hasText: `It took ${iron}` })
    .first()
    .waitFor();
  await show(watched, `#/galaxy/${last.data.planetId.split('-')[1]}`);
  await page.locator('.is-battles').getByText(`Loot: ${iron}`).first().waitFor();
  t.pass('in the feed, and beside the map');
  behaved(t, watched, serving.url);
}

async function followsLinks(t: Test, serving: LivingServing): Promise<void> {
  const [leader] = (await leadersOf(serving)) as [Leader, ...Leader[]];
  const { planets } = await serving.play.state(leader.id);
  const { galaxyIndex, index } = planets[0]?.system ?? { galaxyIndex: 0, index: 0 };
  const place = `#/galaxy/${galaxyIndex}/system/${index}`;
  const links: readonly (readonly [hash: string, text: RegExp | string])[] = [
    [place, leader.name],
    [`${place}/planet/${planets[0]?.slot}`, planets[0]?.name ?? ''],
    [`#/player/${leader.id}`, leader.name],
    ['#/feed?types=planet_colonized', /colon/i],
    ['#/player/player-999999', /no player-999999/],
    ['#/galaxy/101', /no such place/i],
    ['#/nowhere', /no such page/i],
  ];
  const watched = await openDashboard(t, serving);
  const { page } = watched;
  for (const [index, [hash, text]] of links.entries()) {
    // Every other link is one from elsewhere, so that the page begins anew.
    if (index % 2 === 0) {
      await page.goto('about:blank');
      await page.goto(`${serving.url}/dashboard${hash}`);
    } else await show(watched, hash);
    await page.locator('main').getByText(text).first().waitFor();
    t.pass(`${hash} shows ${text}`);
  }
  const others = watched.addresses.filter((address) => address !== 'about:blank');
  // The API answers 404 for who is not there, and browsers log that.
  const complaints = watched.complaints.filter((complaint) => !complaint.includes('404'));
  behaved(t, { ...watched, addresses: others, complaints }, serving.url);
}

async function obeysKeys(t: Test, serving: LivingServing): Promise<void> {
  const watched = await openDashboard(t, serving);
  const { page } = watched;
  const title = page.locator('main h1');
  for (const [key, name] of [
    ['2', /leaderboard/i],
    ['3', /player/i],
    ['4', /feed/i],
    ['5', /server/i],
    ['1', /map/i],
  ] as const) {
    await page.keyboard.press(key);
    await title.filter({ hasText: name }).waitFor({ state: 'attached' });
    t.equal(await page.evaluate('document.activeElement?.tagName'), 'MAIN', `${key} shows a view and focuses it`);
  }
  await page.keyboard.press('?');
  const help = page.getByRole('dialog');
  await help.getByText('Leaderboard').waitFor();
  await page.keyboard.press('2');
  t.ok(await help.isVisible(), 'keys of the page do nothing while a dialog is open');
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await page.keyboard.press('t');
  t.equal(await page.evaluate('document.documentElement.dataset.theme'), 'light', 't changes the theme');
  t.equal(await page.evaluate('localStorage.length'), 1, 'which is remembered');
  await page.reload();
  t.equal(await page.evaluate('document.documentElement.dataset.theme'), 'light', 'and survives a reload');
  // Everything that takes the focus shows that it has it.
  await page.locator('.connection.is-live').waitFor({ state: 'attached' });
  for (let step = 0; step < 12; step += 1) {
    await page.keyboard.press('Tab');
    const outline = await page.evaluate('getComputedStyle(document.activeElement ?? document.body).outlineStyle');
    const name = await page.evaluate('document.activeElement?.outerHTML.slice(0, 80)');
    // After the last element the focus leaves the page.
    if (await page.evaluate('document.activeElement === document.body')) break;
    t.not(outline, 'none', `the focus is visible on ${name}`);
  }
  behaved(t, watched, serving.url);
}

async function showsHostileNames(t: Test, serving: LivingServing): Promise<void> {
  const watched = await openDashboard(t, serving, '#/leaderboard');
  const { page } = watched;
  page.on('dialog', (dialog) => {
    watched.complaints.push(`a name has opened a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const namesOn = (selector: string) =>
    page.locator(selector).evaluateAll((elements) => elements.map(({ textContent }) => textContent));
  await page.locator('main .player-name').nth(20).waitFor();
  const onLeaderboard = new Set(await namesOn('main bdi'));
  for (const [index, name] of HOSTILE_NAMES.entries()) {
    t.ok(onLeaderboard.has(name), `the leaderboard shows ${JSON.stringify(name)} as it is`);
    await show(watched, `#/player/${serving.hostileIds[index]}`);
    await page
      .locator('h1 bdi')
      .filter({ hasText: name.slice(0, 5) })
      .first()
      .waitFor();
    t.same(await namesOn('h1 bdi'), [name], 'and so does its page');
  }
  await show(watched, '#/feed?types=player_joined');
  await page.locator('.feed-line').nth(10).waitFor();
  const inFeed = new Set(await namesOn('.feed-line bdi'));
  for (const name of HOSTILE_NAMES) t.ok(inFeed.has(name), `the feed shows ${JSON.stringify(name)} as it is`);
  const foreign =
    'document.querySelectorAll("main img, main script, main iframe, main [onerror], main [style*=red]").length';
  t.equal(await page.evaluate(foreign), 0, 'no name has become an element');
  behaved(t, watched, serving.url);
}

async function fitsPhones(t: Test, serving: LivingServing): Promise<void> {
  const watched = await openDashboard(t, serving, '', { ...PHONE, colorScheme: 'light' });
  const wide = HOSTILE_NAMES.findIndex((name) => /^W+$/.test(name));
  const views = {
    ...(await namedViews(serving)),
    'player with a wide name': `#/player/${serving.hostileIds[wide]}`,
  };
  for (const [name, hash] of Object.entries(views)) {
    await show(watched, hash);
    await settled(watched.page);
    await fits(t, watched, name);
    t.same(await violations(watched, 'colours'), [], `the view ${name} has no serious violation`);
  }
  behaved(t, watched, serving.url);
}

async function isAccessible(t: Test, serving: LivingServing): Promise<void> {
  const watched = await openDashboard(t, serving);
  for (const [name, hash] of Object.entries(await namedViews(serving))) {
    await show(watched, hash);
    await settled(watched.page);
    t.same(await violations(watched, 'everything'), [], `the view ${name} has no serious violation`);
  }
  behaved(t, watched, serving.url);
}

async function namedViews(serving: LivingServing): Promise<Readonly<Record<string, string>>> {
  const [leader] = (await leadersOf(serving)) as [Leader, ...Leader[]];
  return Object.fromEntries(Object.entries(VIEWS).map(([name, hash]) => [name, hash.replace('{leader}', leader.id)]));
}

/** Waits until a view has its heading and loads nothing any more. */
async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor({ state: 'attached' });
  await page.locator('main .is-loading').first().waitFor({ state: 'detached' });
}

/** Uses a world of its own, since the living one has rules without plans. */
async function showsPlans(t: Test): Promise<void> {
  const { server, client, play } = await begin(t, { settings: { rules: STANDARD_2_RULES } });
  const { id, planets } = await play.newcomer('Ada');
  const step = { action: 'upgrade', buildingType: 'iron_mine' };
  const body = { steps: [step, step, step, { action: 'build_ships', shipType: 'scout', count: 2 }] };
  await client.request('PUT', `/api/plan/planet/${planets[0]?.id}`, { body });
  const watched = await openPage(t, `${server.url}/dashboard#/player/${id}`);
  const plan = watched.page.getByRole('region', { name: 'Plan' });
  await plan.getByText('Upgrade iron mine × 2').waitFor();
  await plan.getByText('Build 2 scouts').waitFor();
  await watched.page.getByText(/iron (150 %, silver 50|50 %, silver 150) %, ember 100 %, h2 100 %/).waitFor();
  await watched.page.locator('dl div', { hasText: 'Planets' }).getByText('fleets colonize up to 3').waitFor();
  await watched.page.locator('dl div', { hasText: 'Protected for' }).waitFor();
  behaved(t, watched, server.url);
}
