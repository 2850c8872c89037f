// The dashboard over a world of many players: it opens where they are, finds each of them, names each of them, and keeps to one.
import t from 'tap';
import type { FoundPlayersBody } from '../../http/schemas/world.js';
import { begin } from '../http/support/serving.js';
import { withoutBrowser } from './browser.js';
import { behaved, fits, openPage, PHONE, violations, type WatchedPage } from './watched-page.js';

/** Its joining is neither among the events that the feed reads at first, nor is it among the leaders. */
const FAR = { id: 'player-150', name: 'bot-150' };
const PLAYERS = 700;

async function show({ page }: WatchedPage, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}

t.test(
  'a page without an address opens in the galaxy of all players, and follows who joins',
  { skip: withoutBrowser },
  async (t) => {
    const { server, play } = await begin(t, { settings: { systemsPerGalaxy: 8 } });
    const watched = await openPage(t, `${server.url}/dashboard`);
    await watched.page.getByText('Nobody has settled yet').waitFor();
    await play.newcomer('ada');
    await watched.page.waitForURL(/#\/galaxy\/1$/);
    await watched.page.getByRole('heading', { name: 'Galaxy 1' }).first().waitFor();
    t.pass('the only galaxy with players is shown');
    behaved(t, watched, server.url);
  },
);

t.test('the dashboard over a world of many players', { skip: withoutBrowser }, async (t) => {
  const { server, client, play } = await begin(t, { settings: { systemsPerGalaxy: 8 } });
  const { url } = server;
  await play.bots(PLAYERS, 'bot');
  await client.command('/api/game/planet/starter/player-150', {}, 201);
  const facts = async () =>
    (await client.read<FoundPlayersBody>(`/api/player?ids=${FAR.id}`)).players[0] ?? { rank: 0, points: 0, home: null };

  await t.test('the universe shows the galaxies in which somebody lives, and all of them if asked', async (t) => {
    const watched = await openPage(t, `${url}/dashboard#/`);
    const { page } = watched;
    await page.locator('.connection.is-live').waitFor({ state: 'attached' });
    await page.getByRole('heading', { name: 'Universe' }).first().waitFor();
    const map = await page.locator('.map-canvas').boundingBox();
    const tip = page.locator('.map-tip');
    const point = async (share: number): Promise<void> => {
      await page.mouse.move((map?.x ?? 0) + (map?.width ?? 0) / 2 + 30, (map?.y ?? 0) + (map?.height ?? 0) * share);
    };
    await point(0.6);
    await tip.filter({ hasText: 'of' }).filter({ hasText: 'players' }).waitFor();
    t.pass('players live in the lower half of the window');
    await page.keyboard.press('f');
    await point(0.85);
    await tip.filter({ hasText: 'Nobody has settled here.' }).waitFor();
    t.pass('and nobody at the end of the whole universe');
    behaved(t, watched, url);
  });

  await t.test('a key in any view finds a player by name or id, and the page shows rank and points', async (t) => {
    const watched = await openPage(t, `${url}/dashboard#/leaderboard`);
    const { page } = watched;
    await page.getByRole('heading', { name: 'Leaderboard' }).waitFor();
    const { rank, points } = await facts();
    await page.keyboard.press('/');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('searchbox').fill('bot-150');
    const row = dialog.getByRole('row').filter({ hasText: FAR.name });
    await row.waitFor();
    t.equal((await row.locator('td, th').allTextContents())[0], String(rank));
    t.same(await violations(watched, 'everything'), [], 'no serious violation');
    await dialog.getByRole('searchbox').press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: FAR.name }).waitFor();
    t.equal(await dialog.count(), 0, 'the dialog is gone');
    const fact = (term: string) =>
      page
        .locator('.facts > div')
        .filter({ has: page.getByText(term, { exact: true }) })
        .locator('dd');
    await fact('Rank').getByText(String(rank), { exact: true }).waitFor();
    t.equal((await fact('Points').textContent())?.replace(/\D/g, ''), String(points));

    await show(watched, '#/player');
    await page.getByRole('searchbox').fill('player-699');
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('heading', { level: 1, name: 'bot-699' }).waitFor();
    t.pass('and by id');
    behaved(t, watched, url);
  });

  await t.test('a player who is followed stays followed in map, feed and address', async (t) => {
    const watched = await openPage(t, `${url}/dashboard#/player/${FAR.id}`);
    const { page } = watched;
    // Until the page knows where the player lives, the link leads to the universe.
    await page.locator('a[href^="#/galaxy/"]').getByText('Follow on the map').click();
    await page.waitForURL(new RegExp(`galaxy/${(await facts()).home?.galaxyIndex}\\?player=${FAR.id}$`));
    await page.getByRole('heading', { name: 'Following' }).waitFor();
    await page.keyboard.press('4');
    await page.waitForURL(new RegExp(`feed\\?player=${FAR.id}$`));
    const lines = page.locator('.feed-line');
    await lines.filter({ hasText: 'colonized' }).waitFor();
    t.same(
      new Set(await lines.locator('.player-name').allTextContents()),
      new Set([FAR.name]),
      'the feed has only it, by name',
    );
    await page.keyboard.press('1');
    await page.waitForURL(new RegExp(`#/\\?player=${FAR.id}$`));
    await page.getByRole('heading', { name: 'Following' }).waitFor();
    await page.keyboard.press('x');
    await page.waitForURL(/#\/$/);
    t.pass('until it is not');
    behaved(t, watched, url);
  });

  await t.test(
    'a planet shows what everybody may know: its owner with rank and points, and what happened there',
    async (t) => {
      const { rank, home } = await facts();
      const [galaxy, system, slot] = (home?.planetId ?? '').split('-').slice(1);
      const watched = await openPage(t, `${url}/dashboard#/galaxy/${galaxy}/system/${system}/planet/${slot}`);
      const panel = watched.page.locator('.map-panel');
      await panel.getByText(`Home planet · rank ${rank}`).waitFor();
      await panel.locator('.stock.is-iron').waitFor();
      await panel.getByText(`${FAR.name} joined the world`).waitFor();
      t.pass('in a world without keys also stocks and buildings');
      behaved(t, watched, url);
    },
  );

  await t.test('the leaderboard leads to all ranks', async (t) => {
    const watched = await openPage(t, `${url}/dashboard#/leaderboard`, PHONE);
    const { page } = watched;
    await page.getByRole('button', { name: 'Next' }).click();
    const table = page.getByRole('table', { name: /players by points/i });
    await table.getByRole('row').filter({ hasText: '101' }).first().waitFor();
    t.match(await table.locator('tbody tr').first().textContent(), /^101/);
    await page.getByText('101 to 200 of 700').waitFor();
    await fits(t, watched, 'the leaderboard');
    behaved(t, watched, url);
  });
});

t.test('a name as wide as it may be leaves room for what stands beside it', { skip: withoutBrowser }, async (t) => {
  const { server, play } = await begin(t, { settings: { systemsPerGalaxy: 8 } });
  const { id } = await play.newcomer('W'.repeat(64));
  const watched = await openPage(t, `${server.url}/dashboard#/galaxy/1?player=${id}`);
  const { page } = watched;
  const button = await page.getByRole('button', { name: 'Follow nobody' }).boundingBox();
  const panel = await page.locator('.map-panel').boundingBox();
  t.ok((button?.x ?? 0) + (button?.width ?? 0) <= (panel?.x ?? 0) + (panel?.width ?? 0), 'the button is in the panel');
  t.ok((button?.width ?? 0) > 2 * (button?.height ?? 0), `its text is on one line: ${button?.width} wide`);
  behaved(t, watched, server.url);
});
