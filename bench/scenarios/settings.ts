// What keys, rate limits and entity tags cost: servers of this checkout on copies of one world, which differ only in their settings,
// in turn and in one run.
import { join } from 'node:path';
import { BenchFailed } from '../bench-failed.js';
import { type ClosedLoad, type Measurement, portionOf } from '../loads/load.js';
import { loadOf, MIXES } from '../loads/mixes.js';
import type { ChildServer } from '../processes/child-server.js';
import { inTemporaryFolder } from '../processes/clean-up.js';
import { failuresIn, latencyCells, type Run, type Samples } from '../runner/run.js';
import * as row from '../runner/scenario.js';
import {
  nothingMore,
  type OriginalWorld,
  type PlayerKeys,
  setUpOriginal,
  sizeOfWorld,
} from '../servers/galaxyd-world.js';
import { type LoadRequest, TESTED } from '../servers/game-client.js';

/** Mixes whose requests each belong to one player. */
const SETTING_MIXES = ['read', 'upgrade-cancel'] as const;
type SettingMix = (typeof SETTING_MIXES)[number];

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

type SettingName = keyof typeof SETTINGS_TABLE;
export const SETTINGS: Readonly<Record<SettingName, Setting>> = SETTINGS_TABLE;
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

const options = {
  names: row.names(SETTING_MIXES),
  seed: row.seed,
  players: row.players(),
  connections: row.connections(),
  loader: row.loader,
  durability: row.durability,
  seconds: row.closedSeconds(2),
  rounds: row.rounds(),
  settings: row.list('--settings <list>', 'which', SETTING_NAMES),
};

type Wanted = row.Values<typeof options>;

interface KeyedWorld extends OriginalWorld {
  readonly keys: PlayerKeys;
  /** Where the copies go. */
  readonly place: string;
}

interface Contestant {
  readonly setting: SettingName;
  readonly server: ChildServer;
  readonly load: ClosedLoad;
}

interface Sample extends Measurement {
  /** Processor time of the server per request: it hardly depends on what else runs on the machine. */
  readonly serverUs: number;
}

const US_PER_SECOND = 1_000_000;

export const settings = row.scenario({
  command: 'settings',
  description: 'what keys, limits and entity tags cost, side by side',
  options,
  steps: ({ names, rounds }) => names.length * rounds,
  measure: (run, wanted) =>
    inTemporaryFolder(async (folder) => {
      const { players, durability, names } = wanted;
      const size = sizeOfWorld(players[0] ?? row.PLAYERS);
      run.say(`setting up a world of ${size.players} bots`);
      // Nothing that is begun ends while it is measured.
      const original = await setUpOriginal({ size, pace: 'calm', durability, folder }, nothingMore);
      const keys = await original.issueKeys(original.names.grownPlayerIds, original.names.bots);
      for (const mix of names)
        await inTemporaryFolder((place) => measureMix(run, wanted, mix, { ...original, keys, place }), folder);
    }),
});

/** All servers are up at the same time; one at a time is loaded. */
async function measureMix(run: Run, wanted: Wanted, mix: SettingMix, original: KeyedWorld): Promise<void> {
  const { rounds } = wanted;
  const contestants: Contestant[] = [];
  try {
    for (const setting of wanted.settings) {
      if (MIXES[mix].cancelsWhatItBegins && SETTINGS[setting].sends === 'keys and tags') continue;
      contestants.push(await enter(wanted, mix, setting, original));
    }
    const measure = async ({ load, server }: Contestant, round: number): Promise<Sample> => {
      const before = server.processorSeconds();
      const measured = await run.loop.measure({ ...load, requests: portionOf(load, round, rounds) });
      const seconds = server.processorSeconds() - before;
      return { ...measured, serverUs: (seconds * US_PER_SECOND) / (measured.requestsPerSecond * load.seconds) };
    };
    const conclude = (measured: readonly Samples<Sample>[]) => {
      for (const [index, contestant] of contestants.entries()) {
        const base = contestants.findIndex(({ setting }) => setting === SETTINGS[contestant.setting].base);
        addRow(run, wanted, mix, contestant, measured[index] as Samples<Sample>, measured[base]);
      }
    };
    await run.contest(mix, contestants, { rounds, measure, conclude });
  } finally {
    for (const { server } of contestants) await server.stop();
  }
}

function addRow(
  run: Run,
  { players }: Wanted,
  mix: SettingMix,
  { setting, load }: Contestant,
  samples: Samples<Sample>,
  ofBase: Samples<Sample> | undefined,
): void {
  const { title, base, sends } = SETTINGS[setting];
  const { lower, median, upper } = samples.spread('requestsPerSecond');
  const cells = {
    ...{ mix, setting: title, players: players[0] ?? row.PLAYERS, connections: load.connections },
    ...{ 'requests/s': median, 'inner half': [lower, upper] as const },
    beside: ofBase === undefined || base === undefined ? null : SETTINGS[base].title,
    ratio: samples.ratio('requestsPerSecond', ofBase),
    'server µs/request': samples.median('serverUs'),
    'ratio of µs': samples.ratio('serverUs', ofBase),
    ...latencyCells(samples.rounds, ['p50Ms', 'p99Ms']),
  };
  const failures = failuresIn(samples);
  // Replies without a body count as failures: the own loader counts their status, and wrk the connections closed after some of them.
  if (sends === 'keys and tags') run.table('settings').rows.push({ ...cells, failures: failures.failures });
  else run.table('settings').add(cells, `${mix} with ${setting}`, failures);
}

async function enter(
  { seed, connections, seconds, durability }: Wanted,
  mix: SettingMix,
  setting: SettingName,
  { names, keys, place, serveCopy }: KeyedWorld,
): Promise<Contestant> {
  const { flags, sends } = SETTINGS[setting];
  const server = await serveCopy(join(place, setting), { durability, flags });
  const load = loadOf(mix, { server, names }, seed, connections?.[0]);
  const requests = await dressed(load.requests, sends, keys, server.url);
  return { setting, server, load: { ...load, requests, server: `${TESTED} with ${setting}`, seconds } };
}

/** The requests as the clients of a setting send them. */
async function dressed(
  requests: readonly LoadRequest[],
  sends: Setting['sends'],
  keys: PlayerKeys,
  url: string,
): Promise<readonly LoadRequest[]> {
  if (sends === undefined) return requests;
  if (sends === 'forwarded addresses')
    return requests.map((request, index) => ({ ...request, headers: { 'x-forwarded-for': addressOf(index) } }));
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
