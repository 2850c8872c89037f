// The dashboard of a replay in a real Chromium: the scrubber moves the past with buttons, keys, slider, list of battles and links, and
// every view shows the world of that instant; and that of a tournament, from whose pages the time machine opens at a game.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { FAST_WORLD_PERIOD_MS, SLOW_PERIOD_MS } from '../../dashboard/limits.js';
import type { TournamentBody } from '../../http/schemas/tournament.js';
import { ADMIN_KEY, begin, beginReplay } from '../http/support/serving.js';
import { LivingWorld } from '../support/living-world/living-world.js';
import { HOSTILE_NAMES } from '../support/living-world/names.js';
import { MemoryStore } from '../support/stores/memory-store.js';
import { READ_LINE, REFUSED_LINE } from '../support/tournament/traces.js';
import { writtenTournament } from '../support/tournament/written-tournament.js';
import { withoutBrowser } from './browser.js';
import { behaved, fits, openPage, PHONE, violations } from './watched-page.js';

interface Position {
  readonly seq: number;
  readonly worldTime: string;
  readonly isPlaying: boolean;
  readonly last: { readonly seq: number; readonly worldTime: string };
}

interface Timeline {
  readonly battles: readonly { readonly seq: number; readonly at: string; readonly lostCount: number }[];
}

t.test('the dashboard of a replay', { skip: withoutBrowser }, async (t) => {
  const store = new MemoryStore();
  const live = await begin(t, { store, settings: { systemsPerGalaxy: 8 } });
  const life = new LivingWorld({ url: live.server.url, adminKey: ADMIN_KEY, actors: 16, roundSeconds: 1_800 });
  await life.settle();
  await life.live({ rounds: 36 });
  const atTheEnd = await live.client.read<{ players: { name: string }[] }>('/api/leaderboard');
  await live.close();

  const { client, server } = await beginReplay(t, { store, at: 1 });
  const { url } = server;
  const watched = await openPage(t, `${url}/dashboard#/leaderboard`);
  const { page } = watched;
  const present = () => client.read<Position>('/api/replay');
  const reached = async (words: string): Promise<Position> => {
    await page.locator('.scrubber[aria-busy=false]').waitFor();
    const position = await present();
    await page.locator('.scrubber-present', { hasText: `Entry ${position.seq.toLocaleString('en')}` }).waitFor();
    await page.locator('.clock-world', { hasText: position.worldTime.replace('T', ' ').slice(0, 19) }).waitFor();
    t.pass(words);
    return position;
  };

  await page.locator('.connection.is-replay').waitFor();
  t.equal((await reached('it says that it is a replay, and where it stands')).seq, 1, 'at the beginning');
  await page.getByText('Nobody plays yet.').waitFor();

  const { battles } = await client.read<Timeline>('/api/replay/timeline');
  const earliest = battles.toSorted((one, other) => one.seq - other.seq)[0];
  await moved(() => page.keyboard.press('b'));
  t.equal((await reached('a key leads to the next battle')).seq, earliest?.seq, 'which is the first one');
  await moved(() => page.getByRole('button', { name: /^Next event/ }).click());
  const later = await reached('a button leads to the next event');
  t.ok(later.seq > (earliest?.seq ?? 0));
  t.match(page.url(), `at=${later.seq}`, 'the address names the position');

  await page.getByRole('button', { name: 'Battles' }).click();
  const largest = battles.toSorted((one, other) => other.lostCount - one.lostCount)[0];
  await moved(() => page.getByRole('dialog').locator('.battle-jump').first().click());
  t.equal((await reached('the list leads to a battle')).seq, largest?.seq, 'the largest one');

  await moved(() => page.getByRole('slider', { name: 'Position' }).press('End'));
  const end = await reached('the slider leads to the end');
  t.equal(end.worldTime, end.last.worldTime);
  const names = page.getByRole('table', { name: /players by points/i }).locator('.player-name');
  await names
    .filter({ hasText: atTheEnd.players[0]?.name ?? '' })
    .first()
    .waitFor();
  const shown = (await names.allTextContents()).slice(0, 5);
  t.same(
    shown,
    atTheEnd.players.slice(0, 5).map(({ name }) => name),
    'where everything is as it was',
  );

  await moved(() => page.keyboard.press('D'));
  await moved(() => page.keyboard.press(' '));
  t.ok((await present()).isPlaying, 'it plays');
  await page.getByRole('button', { name: /^Pause/ }).waitFor();
  await moved(() => page.keyboard.press(' '));
  t.notOk((await present()).isPlaying, 'and pauses');

  await page.goto('about:blank');
  await page.goto(`${url}/dashboard#/feed?at=${earliest?.seq}`);
  await page.getByRole('heading', { level: 1, name: 'Feed' }).waitFor();
  await page.locator('.feed-line').first().waitFor();
  t.equal((await reached('a link leads to a position')).seq, earliest?.seq);
  t.same(await violations(watched, 'everything'), [], 'no serious violation');
  behaved(t, { ...watched, addresses: watched.addresses.filter((address) => address !== 'about:blank') }, url);

  await client.command('/api/replay', { seq: earliest?.seq ?? 1 });
  await client.command('/api/replay', { isPlaying: true, speed: 60 });
  const playing = await openPage(t, `${url}/dashboard#/leaderboard`, { hasOwnClock: true });
  await playing.page.locator('.ranking tbody tr').first().waitFor();
  const now = async () => (await playing.page.evaluate('Date.now()')) as number;
  const beganMs = await now();
  for (let read = 0; read < 5; read += 1) {
    const asked = playing.page.waitForRequest(/api\/leaderboard$/);
    await playing.page.clock.fastForward(FAST_WORLD_PERIOD_MS);
    await asked;
  }
  t.ok(
    (await now()) - beganMs < 4 * SLOW_PERIOD_MS,
    'while it plays, the leaderboard is read more often than otherwise',
  );
  await client.command('/api/replay', { isPlaying: false });
  behaved(t, playing, url);

  const phone = await openPage(t, `${url}/dashboard#/`, PHONE);
  await phone.page.locator('.scrubber-present').waitFor();
  await fits(t, phone, 'the scrubber');
  behaved(t, phone, url);

  /** Does something that moves the replay, and waits for the answer of the server. */
  async function moved(act: () => Promise<void>): Promise<void> {
    const answered = page.waitForResponse((reply) => reply.request().method() === 'POST');
    await act();
    await answered;
  }
});

t.test('the dashboard of a tournament', { skip: withoutBrowser }, async (t) => {
  const [label, other] = HOSTILE_NAMES as [string, string];
  const { folder, result } = await writtenTournament(t, { labels: [label, other] });
  const entrants = join(folder, 'games', '0002', 'entrants');
  await mkdir(entrants, { recursive: true });
  const lines = [READ_LINE, REFUSED_LINE].map((line) => `${JSON.stringify(line)}\n`);
  await writeFile(join(entrants, `${label}.jsonl`), lines.join(''));
  const { client, server } = await beginReplay(t, { tournament: folder });
  const { url } = server;
  const watched = await openPage(t, `${url}/dashboard#/`);
  const { page } = watched;
  const main = page.locator('main');
  const [first, second] = result.games as [TournamentBody['games'][number], TournamentBody['games'][number]];

  await page.getByRole('link', { name: 'Tournament' }).waitFor();
  await page.keyboard.press('6');
  const rows = page.getByRole('table', { name: 'Entrants by rating' }).locator('tbody tr');
  await rows.first().waitFor();
  t.equal(await rows.count(), 2, 'the standings have all entrants');
  t.match(await rows.first().textContent(), label, 'whose labels are text');
  t.equal(
    await page
      .getByRole('table', { name: /finished ahead/ })
      .locator('.duel.is-self')
      .count(),
    2,
  );
  await main.getByText('galaxyd tournament verify').waitFor();
  t.same(await violations(watched, 'everything'), [], 'no serious violation of the standings');

  await page.getByRole('link', { name: 'Game 2' }).click();
  await page.getByRole('heading', { level: 1, name: 'Game 2' }).waitFor();
  const points = page.getByRole('table', { name: /by place in the game/ }).locator('tbody .points');
  t.same(
    (await points.allTextContents()).map((text) => Number(text.replace(/\D/g, ''))),
    second.players.map((player) => player.points).sort((one, two) => two - one),
    'a game shows its points',
  );
  const requests = page.getByRole('table', { name: 'Requests of the entrant' }).locator('tbody tr');
  await page.getByRole('combobox', { name: 'Entrant' }).selectOption(label);
  await requests.nth(1).waitFor();
  await page.getByRole('button', { name: 'Refused only' }).click();
  await requests.nth(1).waitFor({ state: 'detached' });
  t.match(await requests.textContent(), /POST \/api\/research.*409 research_in_progress.*A research is in progress\./);
  t.same(await violations(watched, 'everything'), [], 'no serious violation of a game');
  await page.keyboard.press('p');
  await page.getByRole('heading', { level: 1, name: 'Game 1' }).waitFor();
  await page.keyboard.press('n');
  await page.getByRole('button', { name: 'See how it ended' }).click();
  await page.locator('.map').waitFor();
  t.match(await client.read('/api/replay'), { game: 2, seq: second.seq }, 'the time machine opens at the game');
  await page.locator('.scrubber-present', { hasText: `Game 2 · Entry ${second.seq}` }).waitFor();
  t.match(page.url(), `galaxy/1?game=2&at=${second.seq}`, 'in the galaxy of its players, and the address names it');
  await page.keyboard.press('2');
  await page
    .getByRole('table', { name: /players by points/i })
    .locator('.player-name')
    .first()
    .waitFor();

  await page.keyboard.press('6');
  await page.getByRole('link', { name: 'Game 1' }).click();
  await page.getByRole('heading', { level: 1, name: 'Game 1' }).waitFor();
  const played = page.waitForRequest((request) => request.postData()?.includes('"isPlaying":true') === true);
  await page.getByRole('button', { name: 'time machine' }).click();
  await played;
  t.match(await client.read('/api/replay'), { game: 1 }, 'another game is watched');

  await page.goto('about:blank');
  await page.goto(`${url}/dashboard#/leaderboard?game=1&at=${first.seq}`);
  await page.locator('.scrubber-present', { hasText: `Game 1 · Entry ${first.seq}` }).waitFor();
  t.pass('a link leads to a game');
  behaved(t, { ...watched, addresses: watched.addresses.filter((address) => address !== 'about:blank') }, url);

  const phone = await openPage(t, `${url}/dashboard#/tournament`, { ...PHONE, colorScheme: 'light' });
  for (const hash of ['#/tournament', '#/tournament/games/1']) {
    await phone.page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await phone.page.locator('main h1').waitFor();
    await fits(t, phone, hash);
    t.same(await violations(phone, 'colours'), [], `no colour of ${hash} is hard to read`);
  }
  behaved(t, phone, url);
});
