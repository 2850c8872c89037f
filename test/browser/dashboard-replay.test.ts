// The dashboard of a replay in a real Chromium: the scrubber moves the past with buttons, keys, slider, list of battles and links, and
// every view shows the world of that instant.
import t from 'tap';
import { MemoryStore } from '../../persistence/stores/memory-store.js';
import { ADMIN_KEY, begin, beginReplay } from '../http/support/serving.js';
import { LivingWorld } from '../support/living-world/living-world.js';
import { launchBrowser, withoutBrowser } from './browser.js';
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
  const browser = await launchBrowser();
  t.teardown(() => browser.close());
  const store = new MemoryStore();
  const live = await begin(t, { store, settings: { systemsPerGalaxy: 8 } });
  const life = new LivingWorld({ url: live.server.url, adminKey: ADMIN_KEY, actors: 16, roundSeconds: 1_800 });
  await life.settle();
  await life.live({ rounds: 36 });
  const atTheEnd = await live.client.read<{ players: { name: string }[] }>('/api/leaderboard');
  await live.close();

  const { client, server } = await beginReplay(t, { store, at: 1 });
  const { url } = server;
  const watched = await openPage(t, browser, `${url}/dashboard#/leaderboard`);
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

  const phone = await openPage(t, browser, `${url}/dashboard#/`, PHONE);
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
