// `galaxyd swarm`: starts a world if none is named, lets the bots play, shows what they do, and prints what came of it.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChildServer, ChildServerFailed } from '../arena/child-server.js';
import { GalaxydProblem, NoReply } from '../arena/galaxyd-client.js';
import { drawnSecret } from '../arena/secrets.js';
import { CannotPlay } from '../arena/swarm/failures.js';
import type { SwarmSummary } from '../arena/swarm/measures.js';
import { derivedKeys, keyFile, type PlayerKeys } from '../arena/swarm/player-keys.js';
import { Swarm } from '../arena/swarm/swarm.js';
import type { SwarmFlags } from './commands/swarm.js';
import { EXIT_CODES } from './exit-codes.js';
import { FileOutput, STANDARD_ERROR } from './line-output.js';
import { printResult } from './operator-command.js';
import { GALAXYD } from './program.js';
import { SwarmBoard } from './swarm-board.js';
import { type Usage, usageOf } from './swarm-usage.js';

/** @throws CannotPlay, ChildServerFailed, BadKeyFile */
export async function swarm(flags: SwarmFlags): Promise<void> {
  const interruption = new Interruption();
  const own = flags.server === undefined ? await OwnWorld.start(flags) : null;
  try {
    const summary = await play(flags, own, interruption);
    printResult(flags, summary, () => sentencesOf(summary));
    if (summary.errors > 0) process.exitCode = EXIT_CODES.failed.code;
  } finally {
    await own?.stop();
    interruption.end();
  }
  // A bot may still wait for a reply of a server that is gone.
  process.exit();
}

interface Outcome extends SwarmSummary {
  readonly server: string;
  readonly usage: Usage;
}

async function play(flags: SwarmFlags, own: OwnWorld | null, interruption: Interruption): Promise<Outcome> {
  const serverUrl = own?.server.url ?? flags.server ?? '';
  const { bots, mix, seed, prefix, seconds = null } = flags;
  const board = new SwarmBoard(bots);
  const options = { serverUrl, bots, mix, seed, prefix, seconds, onNotice: (sentence: string) => board.tell(sentence) };
  const adminKey = own?.adminKey ?? flags.adminKey ?? '';
  try {
    board.tell(`plays at ${serverUrl}; watch it at ${serverUrl}/dashboard`);
    const running = await Swarm.open({ ...options, adminKey, keys: keysOf(flags) });
    const measureUsage = await usageOf(serverUrl);
    interruption.onFirst = () => running.stop();
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

/** A world that is made for the swarm, or that one before it has made. */
class OwnWorld {
  failure: ChildServerFailed | undefined;
  #onEnd: () => void = () => {};
  #isStopping = false;

  private constructor(
    readonly server: ChildServer,
    readonly adminKey: string,
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
    const adminKey = drawnSecret();
    // The settings of a world that exists are its own.
    const isNew = !(await isThere(folder));
    const flags = [
      ...['--data', folder, '--port', String(port)],
      ...(isNew ? ['--speed', String(speed), '--seed', String(seed)] : []),
      ...(transport === undefined ? [] : ['--transport', transport]),
    ];
    try {
      const server = await ChildServer.start({ program: GALAXYD, flags, variables: { GALAXYD_ADMIN_KEY: adminKey } });
      return new OwnWorld(server, adminKey, temporary);
    } catch (error) {
      if (temporary !== null) await rm(temporary, { recursive: true, force: true });
      throw error;
    }
  }

  /** @param callback is called if the server ends by itself */
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

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The first signal ends the swarm in order, the second one at once. */
class Interruption {
  #isOver = false;
  #callback = (): void => {};
  readonly #handle = (): void => {
    this.end();
    this.#isOver = true;
    this.#callback();
  };

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.#handle);
  }

  set onFirst(callback: () => void) {
    this.#callback = callback;
    if (this.#isOver) callback();
  }

  end(): void {
    for (const signal of SIGNALS) process.removeListener(signal, this.#handle);
  }
}

function sentencesOf(summary: Outcome): string[] {
  const { bots, seconds, commands, commandsPerSecond, events, eventsPerSecond, errors, interruptions } = summary;
  const { latencyMs, lateMs, refusals, errorWords, usage } = summary;
  const number = (value: number): string => value.toLocaleString('en');
  const codes = Object.entries(refusals).map(([code, count]) => `${code} ${number(count)}`);
  const { swarm: mine, server: its } = usage;
  const server = its === null ? '' : `, the server ${its.memoryMib} MiB and ${its.cpuPercent} %`;
  return [
    `${number(bots)} bots played for ${seconds} s over ${summary.transport}`,
    `${number(commands)} commands, ${number(commandsPerSecond)} a second; ${number(events)} events, ${number(eventsPerSecond)} a second`,
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
