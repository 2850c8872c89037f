// Measures what keys, rate limits and entity tags cost: servers of this checkout on copies of one world, which differ only
// in their settings, in turn and in one run.
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BenchFailed } from '../bench-failed.js';
import type { Run } from '../end-to-end/closed-loop.js';
import { type ClosedLoad, type Latencies, type Measurement, portionOf } from '../end-to-end/load.js';
import { loadOf, MIXES } from '../end-to-end/mixes.js';
import { type Failures, failuresOf, measureInTurn, medianLatencies } from '../end-to-end/side-by-side.js';
import type { ChildServer } from '../processes/child-server.js';
import { inTemporaryFolder } from '../processes/clean-up.js';
import { median, pairedRatio, type Spread, spreadOf } from '../reports/statistics.js';
import { ADMIN_KEY, serveAgain, sizeOfWorld, startGalaxydWorld, type WorldOptions } from '../servers/galaxyd-world.js';
import { GameClient, type LoadRequest, TESTED } from '../servers/game-client.js';
import { PlayerKeys } from '../servers/player-keys.js';
import type { WorldNames } from '../servers/world-set-up.js';

/** Mixes whose requests each belong to one player. */
export const SETTING_MIXES = ['read', 'upgrade-cancel'] as const;
export type SettingMix = (typeof SETTING_MIXES)[number];

interface Setting {
  readonly title: string;
  /** The setting that it adds something to. */
  readonly base?: SettingName;
  readonly flags: readonly string[];
  /** What its clients send beside the request itself. */
  readonly sends?: 'keys' | 'keys and tags' | 'forwarded addresses';
}

/** Limits that are never reached, but below what each client sends: a bucket that is always full would cost nothing. */
const ample = (perSecond: number) =>
  ['--rate-limits', 'on', '--rate-per-second', String(perSecond), '--rate-burst', '1000000'] as const;
const AMPLE_FOR_ALL = ample(20_000);
const AMPLE_FOR_EACH = ample(1_000);

const SETTINGS_TABLE = {
  open: { title: 'no keys, no limits', flags: ['--auth', 'none'] },
  'open-limits': { title: 'no keys, limits by address', base: 'open', flags: ['--auth', 'none', ...AMPLE_FOR_ALL] },
  'proxy-limits': {
    title: 'no keys, limits by the address that a proxy names',
    base: 'open-limits',
    flags: ['--auth', 'none', '--trusted-proxies', '127.0.0.0/8', ...AMPLE_FOR_EACH],
    sends: 'forwarded addresses',
  },
  keys: { title: 'keys', base: 'open', flags: ['--auth', 'key', '--rate-limits', 'off'], sends: 'keys' },
  'keys-limits': { title: 'keys and limits', base: 'keys', flags: ['--auth', 'key', ...AMPLE_FOR_EACH], sends: 'keys' },
  'keys-limits-tags': {
    title: 'keys and limits, reads with If-None-Match',
    base: 'keys-limits',
    flags: ['--auth', 'key', ...AMPLE_FOR_EACH],
    sends: 'keys and tags',
  },
} as const satisfies Record<string, Omit<Setting, 'base'> & { readonly base?: string }>;

export type SettingName = keyof typeof SETTINGS_TABLE;
export const SETTINGS: Readonly<Record<SettingName, Setting>> = SETTINGS_TABLE;
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

export interface SettingsPlan {
  readonly mixes: readonly SettingMix[];
  readonly settings: readonly SettingName[];
  readonly players: number;
  /** The mix's own by default. */
  readonly connections?: number | undefined;
  readonly seconds: number;
  readonly rounds: number;
  readonly durability: 'durable' | 'relaxed';
  readonly seed: number;
}

export interface SettingReading extends Latencies, Failures {
  readonly mix: SettingMix;
  readonly setting: SettingName;
  readonly title: string;
  readonly players: number;
  readonly connections: number;
  readonly requestsPerSecond: Spread;
  /** What the ratio is to; absent if that was not measured. */
  readonly base?: string;
  /** Median of the rounds' own ratios of its requests per second to those of its base. */
  readonly ratio?: number;
  /** Processor time of the server per request: it hardly depends on what else runs on the machine. */
  readonly processorUs: number;
  /** Median of the rounds' own ratios of that time to that of its base. */
  readonly processorRatio?: number;
}

/** How many times runSettings() reports a step. */
export function settingsSteps({ mixes, rounds }: SettingsPlan): number {
  return mixes.length * rounds;
}

export function runSettings(run: Run<SettingsPlan, SettingReading>): Promise<void> {
  const { plan, progress } = run;
  const { players, durability } = plan;
  return inTemporaryFolder(async (folder) => {
    progress.say(`setting up a world of ${players} bots`);
    const original = join(folder, 'original');
    await mkdir(original);
    // Nothing that is begun ends while it is measured.
    const options: WorldOptions = { size: sizeOfWorld(players), pace: 'calm', durability, folder: original };
    const { server, names } = await startGalaxydWorld(options);
    await server.stop();
    const keys = await issueKeys(options, names);
    for (const mix of plan.mixes) {
      await inTemporaryFolder((place) => measureMix(run, mix, { options, names, keys, place }), folder);
    }
  });
}

interface Original {
  readonly options: WorldOptions;
  readonly names: WorldNames;
  readonly keys: PlayerKeys;
  /** Where the copies go. */
  readonly place: string;
}

async function issueKeys(options: WorldOptions, { grownPlayerIds, bots }: WorldNames): Promise<PlayerKeys> {
  const server = await serveAgain({ ...options, durability: 'relaxed', flags: ['--auth', 'key'] });
  try {
    return await PlayerKeys.issue(new GameClient(server.url, ADMIN_KEY), grownPlayerIds, bots);
  } finally {
    await server.stop();
  }
}

interface RoundMeasurement extends Measurement {
  readonly processorUs: number;
}

const US_PER_SECOND = 1_000_000;

interface Contestant {
  readonly setting: SettingName;
  readonly server: ChildServer;
  readonly load: ClosedLoad;
}

/** All servers are up at the same time; one at a time is loaded. */
async function measureMix(
  { plan, loop, progress, keep }: Run<SettingsPlan, SettingReading>,
  mix: SettingMix,
  original: Original,
): Promise<void> {
  const contestants: Contestant[] = [];
  try {
    for (const setting of plan.settings) {
      if (MIXES[mix].cancelsWhatItBegins && SETTINGS[setting].sends === 'keys and tags') continue;
      contestants.push(await enter(plan, mix, setting, original));
    }
    const measure = async ({ load, server }: Contestant, round: number): Promise<RoundMeasurement> => {
      const before = server.processorSeconds() ?? Number.NaN;
      const measured = await loop.measure({ ...load, requests: portionOf(load, round, plan.rounds) });
      const seconds = (server.processorSeconds() ?? Number.NaN) - before;
      return { ...measured, processorUs: (seconds * US_PER_SECOND) / (measured.requestsPerSecond * load.seconds) };
    };
    const onRound = (round: number) => progress.step(`${mix}: round ${round} of ${plan.rounds}`);
    const conclude = (measured: readonly (readonly RoundMeasurement[])[]) => {
      for (const reading of readingsOf(plan, mix, contestants, measured)) keep(reading);
    };
    await measureInTurn(contestants, { rounds: plan.rounds, measure, onRound, conclude });
  } finally {
    for (const { server } of contestants) await server.stop();
  }
}

function readingsOf(
  { players }: SettingsPlan,
  mix: SettingMix,
  contestants: readonly Contestant[],
  measured: readonly (readonly RoundMeasurement[])[],
): SettingReading[] {
  return contestants.map(({ setting, load }, index) => {
    const rounds = measured[index] ?? [];
    const base = contestants.findIndex((other) => other.setting === SETTINGS[setting].base);
    return {
      ...{ mix, setting, title: SETTINGS[setting].title, players, connections: load.connections },
      requestsPerSecond: spreadOf(ratesOf(rounds)),
      processorUs: median(timesOf(rounds)),
      ...ratiosTo(contestants[base]?.setting, rounds, measured[base] ?? []),
      ...medianLatencies(rounds),
      ...failuresOf(rounds),
    };
  });
}

function ratesOf(measured: readonly Measurement[]): number[] {
  return measured.map(({ requestsPerSecond }) => requestsPerSecond);
}

function timesOf(measured: readonly RoundMeasurement[]): number[] {
  return measured.map(({ processorUs }) => processorUs);
}

function ratiosTo(
  base: SettingName | undefined,
  measured: readonly RoundMeasurement[],
  ofBase: readonly RoundMeasurement[],
) {
  if (base === undefined) return {};
  const ratio = pairedRatio(ratesOf(measured), ratesOf(ofBase));
  return { base: SETTINGS[base].title, ratio, processorRatio: pairedRatio(timesOf(measured), timesOf(ofBase)) };
}

async function enter(
  { seed, connections, seconds }: SettingsPlan,
  mix: SettingMix,
  setting: SettingName,
  { options, names, keys, place }: Original,
): Promise<Contestant> {
  const folder = join(place, setting);
  await cp(join(options.folder, 'world'), join(folder, 'world'), { recursive: true });
  const { flags, sends } = SETTINGS[setting];
  const server = await serveAgain({ ...options, folder, flags });
  const load = { ...loadOf(mix, { server, names }, seed, connections), server: `${TESTED} with ${setting}`, seconds };
  const requests = await dressed(load.requests, sends, keys, server.url);
  return { setting, server, load: { ...load, requests } };
}

/** The requests as the clients of a setting send them. */
async function dressed(
  requests: readonly LoadRequest[],
  sends: Setting['sends'],
  keys: PlayerKeys,
  url: string,
): Promise<readonly LoadRequest[]> {
  if (sends === undefined) return requests;
  if (sends === 'forwarded addresses') {
    return requests.map((request, index) => ({ ...request, headers: { 'x-forwarded-for': addressOf(index) } }));
  }
  const signed = requests.map((request) => keys.sign(request));
  return sends === 'keys' ? signed : Promise.all(signed.map((request) => withTag(request, url)));
}

/** One of the addresses that are reserved for tests of networks (RFC 2544). */
function addressOf(index: number): string {
  return `198.18.${(index >> 8) & 255}.${index & 255}`;
}

/** What a client sends that has the present reply already. */
async function withTag(request: LoadRequest, url: string): Promise<LoadRequest> {
  const { path, headers = {} } = request;
  const reply = await fetch(url + path, { headers });
  await reply.arrayBuffer();
  const tag = reply.headers.get('etag');
  if (tag === null) throw new BenchFailed(`${path} has no entity tag`);
  return { ...request, headers: { ...headers, 'if-none-match': tag } };
}
