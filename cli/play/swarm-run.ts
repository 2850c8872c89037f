// `galaxyd swarm`: starts a server if none is named, lets the bots play, shows what they do, and prints a summary.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChildServer, ChildServerFailed } from '../../arena/child-server.js';
import { GalaxydProblem, NoReply } from '../../arena/galaxyd-client.js';
import type { SwarmSummary } from '../../arena/swarm/measures.js';
import { CannotPlay, derivedKeys, keyFile, type PlayerKeys } from '../../arena/swarm/players.js';
import { Swarm } from '../../arena/swarm/swarm.js';
import { printResult, withSignals } from '../commands/command.js';
import { EXIT_CODES } from '../commands/exit-codes.js';
import type { SwarmFlags } from '../commands/swarm.js';
import { FileOutput, STANDARD_ERROR } from '../output/lines.js';
import { grouped } from '../output/summaries.js';
import { GALAXYD } from '../serve/process.js';
import { SwarmBoard } from './swarm-board.js';

/** @throws CannotPlay, ChildServerFailed, BadKeyFile */
export async function swarm(flags: SwarmFlags): Promise<void> {
  await withSignals(async (signal) => {
    const own = flags.server === undefined ? await OwnWorld.start(flags) : null;
    try {
      const summary = await play(flags, own, signal);
      printResult(flags, summary, () => sentencesOf(summary));
      if (summary.errors > 0) process.exitCode = EXIT_CODES.failed.code;
    } finally {
      await own?.stop();
    }
  });
  // A bot may still wait for a reply from a server that is gone.
  process.exit();
}

interface Outcome extends SwarmSummary {
  readonly server: string;
  readonly usage: Usage;
}

async function play(flags: SwarmFlags, own: OwnWorld | null, signal: AbortSignal): Promise<Outcome> {
  const serverUrl = own?.server.url ?? flags.server ?? '';
  const { bots, mix, seed, prefix, seconds = null } = flags;
  const board = new SwarmBoard(bots);
  const options = { serverUrl, bots, mix, seed, prefix, seconds, onNotice: (sentence: string) => board.tell(sentence) };
  const adminKey = own?.server.adminKey ?? flags.adminKey ?? '';
  try {
    board.tell(`plays at ${serverUrl}; watch it at ${serverUrl}/dashboard`);
    const running = await Swarm.open({ ...options, adminKey, keys: keysOf(flags) });
    const measureUsage = await usageOf(serverUrl);
    signal.addEventListener('abort', () => running.stop());
    if (signal.aborted) running.stop();
    own?.onEnd(() => running.stop());
    board.begin(running);
    try {
      await running.play();
    } finally {
      board.end();
    }
    if (own?.failure !== undefined) throw own.failure;
    return { server: serverUrl, ...running.summary, usage: await measureUsage() };
  } catch (error) {
    board.end();
    if (own?.failure !== undefined) throw own.failure;
    throw error instanceof NoReply || error instanceof GalaxydProblem ? new CannotPlay(error.message) : error;
  }
}

function keysOf({ keys, keySecret }: SwarmFlags): PlayerKeys | null {
  if (keySecret !== undefined) return derivedKeys(keySecret);
  return keys === undefined ? null : keyFile(keys);
}

/** A world that this swarm or an earlier one has made, and its server. */
class OwnWorld {
  failure: ChildServerFailed | undefined;
  #onEnd: () => void = () => {};
  #isStopping = false;

  private constructor(
    readonly server: ChildServer,
    private readonly temporaryFolder: string | null,
  ) {
    void server.ended.then((output) => {
      if (this.#isStopping) return;
      this.failure = new ChildServerFailed(`the server has ended: ${output}`);
      this.#onEnd();
    });
  }

  static async start({ data, port, speed, seed, transport }: SwarmFlags): Promise<OwnWorld> {
    new FileOutput(STANDARD_ERROR).write('galaxyd swarm: starts a world of its own');
    const temporary = data === undefined ? await mkdtemp(join(tmpdir(), 'galaxyd-swarm-')) : null;
    const folder = data ?? join(temporary ?? '', 'world');
    // A world that exists keeps its settings.
    const isNew = !(await isThere(folder));
    const flags = [
      ...['--data', folder, '--port', String(port)],
      ...(isNew ? ['--speed', String(speed), '--seed', String(seed)] : []),
      ...(transport === undefined ? [] : ['--transport', transport]),
    ];
    try {
      const server = await ChildServer.start({ program: GALAXYD, flags });
      return new OwnWorld(server, temporary);
    } catch (error) {
      if (temporary !== null) await rm(temporary, { recursive: true, force: true });
      throw error;
    }
  }

  /** @param callback called if the server ends by itself */
  onEnd(callback: () => void): void {
    this.#onEnd = callback;
    if (this.failure !== undefined) callback();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.server.stop();
    if (this.temporaryFolder !== null) await rm(this.temporaryFolder, { recursive: true, force: true });
  }
}

function sentencesOf(summary: Outcome): string[] {
  const { bots, seconds, commands, commandsPerSecond, events, eventsPerSecond, errors, interruptions } = summary;
  const { latencyMs, lateMs, refusals, errorWords, usage } = summary;
  const codes = Object.entries(refusals).map(([code, count]) => `${code} ${grouped(count)}`);
  const { swarm: mine, server: its } = usage;
  const server = its === null ? '' : `, the server ${its.memoryMib} MiB and ${its.cpuPercent} %`;
  return [
    `${grouped(bots)} bots played for ${seconds} s over ${summary.transport}`,
    `${grouped(commands)} commands, ${grouped(commandsPerSecond)} a second; ${grouped(events)} events, ${grouped(eventsPerSecond)} a second`,
    `latency of commands: half in ${latencyMs.p50} ms, 99 % in ${latencyMs.p99} ms; wakes late: half ${lateMs.p50} ms, 99 % ${lateMs.p99} ms`,
    `refusals: ${codes.length === 0 ? 'none' : codes.join(', ')}`,
    `memory and processor: the swarm ${mine.memoryMib} MiB and ${mine.cpuPercent} %${server}`,
    `${interruptions} interruptions, ${errors} errors`,
    ...errorWords.map((words) => `  ${words}`),
  ];
}

async function isThere(folder: string): Promise<boolean> {
  return await readdir(folder).then(
    (names) => names.length > 0,
    () => false,
  );
}

interface ProcessUsage {
  readonly memoryMib: number;
  /** Share of one core. */
  readonly cpuPercent: number;
}

/** Memory and processor time of the swarm and of its server. */
interface Usage {
  readonly swarm: ProcessUsage;
  /** Null if the server has no metrics. */
  readonly server: ProcessUsage | null;
}

interface Reading {
  readonly memoryBytes: number;
  readonly cpuSeconds: number;
}

const BYTES_PER_MEBIBYTE = 1024 * 1024;
const MICROSECONDS_PER_SECOND = 1_000_000;
const MS_PER_SECOND = 1_000;
const METRICS_DEADLINE_MS = 2_000;

/** Begins to measure. @returns a function that ends the measurement */
async function usageOf(serverUrl: string): Promise<() => Promise<Usage>> {
  const before = { atMs: performance.now(), own: own(), server: await metrics(serverUrl) };
  return async () => {
    const seconds = Math.max(0.001, (performance.now() - before.atMs) / MS_PER_SECOND);
    const server = await metrics(serverUrl);
    const share = (first: Reading, last: Reading): ProcessUsage => ({
      memoryMib: Math.round(last.memoryBytes / BYTES_PER_MEBIBYTE),
      cpuPercent: Math.round((100 * Math.max(0, last.cpuSeconds - first.cpuSeconds)) / seconds),
    });
    return {
      swarm: share(before.own, own()),
      server: before.server === null || server === null ? null : share(before.server, server),
    };
  };
}

function own(): Reading {
  const { user, system } = process.cpuUsage();
  return { memoryBytes: process.memoryUsage.rss(), cpuSeconds: (user + system) / MICROSECONDS_PER_SECOND };
}

async function metrics(serverUrl: string): Promise<Reading | null> {
  try {
    const reply = await fetch(`${serverUrl}/metrics`, { signal: AbortSignal.timeout(METRICS_DEADLINE_MS) });
    const text = await reply.text();
    const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    const reading = {
      memoryBytes: value('process_resident_memory_bytes'),
      cpuSeconds: value('process_cpu_seconds_total'),
    };
    return Number.isFinite(reading.memoryBytes) && Number.isFinite(reading.cpuSeconds) ? reading : null;
  } catch {
    return null;
  }
}
