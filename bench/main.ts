// The short bench: reading a player's state and a durable upgrade, beside a bare uWebSockets.js server that sends the
// same bytes, in one run. It prints what it measured and judges nothing.
import { cpus } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { BareReply } from './bare-server.js';
import { type ChildServer, startServer } from './child-server.js';
import { type GameWorld, replyOf, startGameWorld, upgradeRequests } from './game-world.js';
import {
  PLAYERS_DEFAULT,
  PLAYERS_MAX,
  READ_CONNECTIONS,
  ROUNDS_DEFAULT,
  ROUNDS_MAX,
  SECONDS_DEFAULT,
  SECONDS_MAX,
  WRITE_CONNECTIONS,
} from './limits.js';
import { type Comparison, compare } from './side-by-side.js';
import { hasWrk, type LoadRequest } from './wrk.js';

interface BenchOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly players: number;
  readonly durability: 'durable' | 'relaxed';
  readonly json: boolean;
}

const BARE_PROGRAM = new URL('./bare-server.js', import.meta.url);

const options = new Command('bench')
  .description('Measures galaxyd beside a bare uWebSockets.js server that sends the same bytes. Needs wrk.')
  .addOption(
    new Option('--seconds <number>', 'of each measurement').default(SECONDS_DEFAULT).argParser(integer(SECONDS_MAX)),
  )
  .addOption(
    new Option('--rounds <number>', 'medians are of so many').default(ROUNDS_DEFAULT).argParser(integer(ROUNDS_MAX)),
  )
  .addOption(
    new Option('--players <number>', 'bots in the world').default(PLAYERS_DEFAULT).argParser(integer(PLAYERS_MAX)),
  )
  .addOption(new Option('--durability <kind>').choices(['durable', 'relaxed']).default('durable'))
  .option('--json', 'prints one JSON object instead of lines', false)
  .parse()
  .opts<BenchOptions>();

if (!hasWrk()) {
  console.error('bench: wrk is not installed (Debian: apt-get install wrk)');
  process.exit(1);
}
const comparisons = await run();
const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
const settings = {
  durability: options.durability,
  seconds: options.seconds,
  rounds: options.rounds,
  players: options.players,
};
if (options.json) console.log(JSON.stringify({ machine, settings, comparisons }));
else for (const comparison of comparisons) console.log(lineOf(comparison));

async function run(): Promise<Comparison[]> {
  progress(`starting a world of ${options.players} bots`);
  const world = await startGameWorld(options.players, options.durability);
  try {
    const read: LoadRequest = { method: 'GET', path: `/api/game/state/${world.grownPlayerId}` };
    const writes = upgradeRequests(world.planetIds);
    return [
      await beside(world, 'GET state, 3 grown planets', READ_CONNECTIONS, [read], read),
      await beside(world, `POST upgrade, ${options.durability}`, WRITE_CONNECTIONS, writes, writes.at(-1) ?? read),
    ];
  } finally {
    await world.stop();
  }
}

/** @param sample the request whose reply the bare server repeats */
async function beside(
  world: GameWorld,
  title: string,
  connections: number,
  requests: readonly LoadRequest[],
  sample: LoadRequest,
): Promise<Comparison> {
  const bare = await startBareServer(await replyOf(world.server.url, sample));
  try {
    const load = { connections, seconds: options.seconds, requests };
    const pair = { title, tested: { ...load, url: world.server.url }, bare: { ...load, url: bare.url } };
    return await compare(pair, options.rounds, (round) => progress(`${title}: round ${round} of ${options.rounds}`));
  } finally {
    await bare.stop();
  }
}

function startBareServer(reply: BareReply): Promise<ChildServer> {
  return startServer(BARE_PROGRAM, [], JSON.stringify(reply));
}

/** To a terminal one line that changes, to a pipe plain lines; never into the results. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
  else process.stderr.write(`${text}\n`);
}

function lineOf({ title, connections, rounds, tested, bare, ratio }: Comparison): string {
  const perSecond = (value: number) => Math.round(value).toLocaleString('en');
  return (
    `${title}, ${connections} connections, median of ${rounds}: ${perSecond(tested.requestsPerSecond)}/s ` +
    `beside ${perSecond(bare.requestsPerSecond)}/s bare = ${ratio.toFixed(2)}; ` +
    `p50 ${tested.p50Ms} ms, p99 ${tested.p99Ms} ms; failures ${tested.failures} and ${bare.failures}`
  );
}

function integer(highest: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= 1 && value <= highest) return value;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${highest}.`);
  };
}
