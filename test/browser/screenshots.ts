// Makes the pictures of README.md and docs/dashboard.md: `npm run screenshots`; only those of a tournament with `-- tournament`. They show a living world in a real Chromium; the world
// is the same each time, and so are the pictures, except for what moves while they are taken.
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions } from 'playwright-core';
import { LeaderboardSampler } from '../../http/spectators/leaderboard-history.js';
import { WorldServer } from '../../http/world-server.js';
import { openWorld } from '../../persistence/open-world.js';
import { storeAt } from '../../persistence/store-url.js';
import type { WorldStore } from '../../persistence/stores/world-store.js';
import { LivingWorld } from '../support/living-world/living-world.js';
import { GalaxydProcess, type Owner, runGalaxyd } from '../support/process/galaxyd-process.js';
import { MemoryStore } from '../support/stores/memory-store.js';
import { browserPath, launchBrowser } from './browser.js';

/** Seen from dist/test/browser. */
const FOLDER = fileURLToPath(new URL('../../../docs/images/', import.meta.url));
const ADMIN_KEY = 'the-operator-of-the-pictures';
/** One galaxy with many systems, which is full of life. */
const GALAXY = { systemsPerGalaxy: 150, rounds: 110, actors: 220, idlersPerActor: 1, roundSeconds: 1_800 };
/** Some fifty galaxies with few systems each; most players only live there. */
const UNIVERSE = { systemsPerGalaxy: 12, rounds: 24, actors: 220, idlersPerActor: 11, roundSeconds: 1_800 };
/** Where in the past the picture of a replay is taken. */
const REPLAYED_SHARE = 0.7;
/** Time for charts to get their points. */
const REST_MS = 2_500;
/** Time for a frame of the map, in which the rings of battles have not faded. */
const MAP_REST_MS = 1_500;
const PICTURE_BYTES_MAX = 150 * 1024;
const JPEG_QUALITY = 82;
/** The time of the viewer. */
const VIEWED_AT = '2026-01-15T20:00:00Z';

const DESKTOP: BrowserContextOptions = { viewport: { width: 1180, height: 740 } };
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

interface Picture {
  readonly name: string;
  /** `{leader}` stands for the first player. */
  readonly hash: string;
  readonly theme: 'dark' | 'light';
  readonly device: BrowserContextOptions;
  /** Rounds that the players play while the page is open; one by default. */
  readonly watched?: number;
  /** A map is a JPEG: as a PNG its sky would have half a megabyte. */
  readonly isMap?: boolean;
}

const PICTURES: readonly Picture[] = [
  { name: 'galaxy', hash: '#/galaxy/1', theme: 'dark', device: DESKTOP, isMap: true },
  { name: 'galaxy-light', hash: '#/galaxy/1', theme: 'light', device: DESKTOP, isMap: true },
  { name: 'system', hash: '#/galaxy/1/system/92', theme: 'dark', device: DESKTOP, isMap: true },
  { name: 'leaderboard', hash: '#/leaderboard', theme: 'dark', device: DESKTOP },
  { name: 'leaderboard-light', hash: '#/leaderboard', theme: 'light', device: DESKTOP },
  { name: 'player', hash: '#/player/{leader}', theme: 'dark', device: DESKTOP },
  { name: 'player-light', hash: '#/player/{leader}', theme: 'light', device: DESKTOP },
  { name: 'feed', hash: '#/feed', theme: 'dark', device: DESKTOP },
  { name: 'server', hash: '#/operator', theme: 'dark', device: DESKTOP, watched: 12 },
  { name: 'phone-galaxy', hash: '#/galaxy/1', theme: 'dark', device: PHONE, isMap: true },
  { name: 'phone-player', hash: '#/player/{leader}', theme: 'light', device: PHONE },
];
const OF_REPLAY: Picture = { name: 'replay', hash: '#/galaxy/1', theme: 'dark', device: DESKTOP, isMap: true };
/** What the entrants of the tournament are and how long they play. */
const TOURNAMENT = [
  ...['--entrants', 'planner,raider,expander,greedy,trader,turtle,random,idler', '--days', '2', '--seeds', '4'],
  ...['--systems-per-galaxy', '10', '--speed', '4', '--jobs', '2'],
];
const OF_TOURNAMENT: readonly Picture[] = [
  { name: 'tournament', hash: '#/tournament', theme: 'dark', device: DESKTOP },
  { name: 'tournament-game', hash: '#/tournament/games/2', theme: 'light', device: DESKTOP },
];
const OF_UNIVERSE: Picture = { name: 'universe', hash: '#/', theme: 'dark', device: DESKTOP, isMap: true };

if (browserPath() === null) {
  console.error('screenshots: there is no Chromium on this machine; BROWSER can name one');
  process.exit(1);
}
mkdirSync(FOLDER, { recursive: true });
const browser = await launchBrowser();
const folder = mkdtempSync(join(tmpdir(), 'galaxyd-pictures-'));
const ends: (() => unknown)[] = [];
const owner = { teardown: (end: () => unknown) => void ends.push(end) } as Owner;
try {
  const [only] = process.argv.slice(2);
  if (only !== 'tournament') await pictureWorlds(join(folder, 'world'));
  await pictureTournament(join(folder, 'cup'));
} finally {
  for (const end of ends) await end();
  await browser.close();
  rmSync(folder, { recursive: true });
}

async function pictureWorlds(world: string): Promise<void> {
  await picture(new MemoryStore(), UNIVERSE, [OF_UNIVERSE]);
  const seq = await picture(storeAt(world), GALAXY, PICTURES);
  const replay = await GalaxydProcess.start(owner, { args: ['replay', world, '--port', '0', '--at', String(seq)] });
  await take({ url: replay.url, life: null }, OF_REPLAY);
}

async function pictureTournament(cup: string): Promise<void> {
  await runGalaxyd(owner, { args: ['tournament', ...TOURNAMENT, '--out', cup] });
  const replay = await GalaxydProcess.start(owner, { args: ['replay', cup, '--port', '0'] });
  for (const shown of OF_TOURNAMENT) await take({ url: replay.url, life: null }, shown);
}

/** Lets a world live and takes pictures of it. @returns a seq in the last third of its past, with many fleets in flight */
async function picture(
  store: WorldStore,
  { systemsPerGalaxy, rounds, ...play }: typeof GALAXY,
  pictures: readonly Picture[],
): Promise<number> {
  const opened = await openWorld({
    store,
    clock: 'manual',
    durability: 'relaxed',
    settings: { systemsPerGalaxy },
  });
  const { engine } = opened;
  // The course of days that pass in seconds: a server takes a sample every ten seconds only.
  const history = new LeaderboardSampler({ world: engine.world, nowMs: () => engine.nowMs, isStopping: () => false });
  const world = { ...opened, history };
  const server = await WorldServer.start({ world, host: '127.0.0.1', port: 0, adminKey: ADMIN_KEY });
  const life = new LivingWorld({ url: server.url, adminKey: ADMIN_KEY, ...play });
  await life.settle();
  let busySeq = 0;
  for (let round = 0; round < rounds; round += 1) {
    await life.act();
    await life.pass(play.roundSeconds / 4);
    if (round < rounds * REPLAYED_SHARE) busySeq = engine.seq;
    await life.pass((play.roundSeconds * 3) / 4);
    history.take();
  }
  await life.deal();
  const { accepted, refused } = life.tally;
  console.log(`screenshots: ${accepted} commands of ${life.actorIds.length} players, and ${refused} refused ones`);
  for (const shown of pictures) await take({ url: server.url, life }, shown);
  await server.stop();
  await opened.close();
  return busySeq;
}

interface Scene {
  readonly url: string;
  /** Null in a replay. */
  readonly life: LivingWorld | null;
}

async function take(
  { url, life }: Scene,
  { name, hash, theme, device, isMap = false, watched = 1 }: Picture,
): Promise<void> {
  const context = await browser.newContext({ ...device, colorScheme: theme, timezoneId: 'UTC', locale: 'en-GB' });
  await context.clock.install({ time: VIEWED_AT });
  const page = await context.newPage();
  await page.goto(`${url}/dashboard${hash.replace('{leader}', await leaderOf(url))}`);
  await page.locator('.connection.is-live, .connection.is-replay').waitFor({ state: 'attached' });
  await page.locator('main .is-loading').first().waitFor({ state: 'detached' });
  // A replay reads its past in the background.
  await page.locator('.scrubber-present', { hasText: '%' }).waitFor({ state: 'detached' });
  // What happens while the page is open: battles flash, lines are added to the feed, charts get their points.
  for (let round = 0; round < watched; round += 1) {
    await life?.live({ rounds: 1 });
    await page.waitForTimeout(isMap ? MAP_REST_MS : REST_MS);
  }
  const file = `${name}.${isMap ? 'jpg' : 'png'}`;
  const path = join(FOLDER, file);
  await page.screenshot(isMap ? { path, type: 'jpeg', quality: JPEG_QUALITY } : { path });
  await context.close();
  const { size } = statSync(path);
  console.log(`screenshots: docs/images/${file} has ${Math.ceil(size / 1024)} KB`);
  if (size > PICTURE_BYTES_MAX) throw new Error(`${file} is larger than ${PICTURE_BYTES_MAX} bytes`);
}

async function leaderOf(url: string): Promise<string> {
  const reply = await fetch(`${url}/api/leaderboard`);
  const { players } = (await reply.json()) as { players: { id: string }[] };
  return players[0]?.id ?? '';
}
