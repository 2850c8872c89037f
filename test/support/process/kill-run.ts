// A server under load that is killed with SIGKILL again and again, during any operation, and so are the processes
// beside it. After each of its deaths the data on disk is searched for everything that was acknowledged. A seed decides
// what dies when.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { storeAt } from '../../../persistence/store-url.js';
import type { Origin } from '../../../persistence/stores/origin.js';
import { Client, NoReply } from './client.js';
import { DeedLedger, type Tally } from './deed-ledger.js';
import { Draws } from './draws.js';
import { type Ending, GalaxydProcess, type Owner, runGalaxyd, startAndKill } from './galaxyd-process.js';
import { Past } from './past.js';
import { FolderWatch, firstChildOf, leftoversIn } from './process-traces.js';
import { Swarm } from './swarm.js';

/** What dies, and how often in one round: ten deaths of the server, and four of the processes beside it. */
export const KILLS_PER_ROUND = {
  'server, playing': 4,
  'server, starting': 2,
  'server, during a snapshot': 2,
  'server, pruning old log and snapshots': 2,
  'snapshot process': 1,
  'galaxyd snapshot': 1,
  'galaxyd restore': 1,
  'galaxyd fork': 1,
} as const;
export type KillKind = keyof typeof KILLS_PER_ROUND;
const KILL_KINDS = Object.keys(KILLS_PER_ROUND) as KillKind[];
const COMMANDS = ['galaxyd snapshot', 'galaxyd restore', 'galaxyd fork'] as const satisfies KillKind[];

export interface KillRunOptions {
  readonly owner: Owner;
  readonly seed: number;
  /** The data folder; others are created beside it, with its name as prefix. */
  readonly folder: string;
}

export interface KillFigures extends Tally {
  readonly kills: Readonly<Record<string, number>>;
  readonly entries: number;
  readonly snapshots: number;
  /** Leftovers of deaths, by the prefix of their names. */
  readonly halves: Readonly<Record<string, number>>;
  /** New data folders after a death of the command that creates them: complete, or none at all. */
  readonly foldersWhole: number;
  readonly foldersAbsent: number;
}

const BOTS = 24;
/** Players that only make snapshots longer. */
const CROWD = 1_000;
const ADMIN_KEY = 'kill-run-key';
/** At this speed an upgrade takes milliseconds, so that timers fire all the time, even while the process is down. */
const SPEED = '20000';
/** A command that makes a copy takes about this many times as long as a start; some of them finish. */
const COMMAND_STARTS = 3;
/** Snapshots after which the oldest must have been removed. */
const SNAPSHOTS_TO_PRUNE = 4;

export class KillRun {
  readonly #options: KillRunOptions;
  readonly #draws: Draws;
  readonly #ledger = new DeedLedger();
  readonly #past = new Past(this.#ledger);
  readonly #swarm: Swarm;
  readonly #kills: Record<string, number> = {};
  readonly #halves: Record<string, number> = {};
  #galaxyd: GalaxydProcess | null = null;
  #snapshots = 0;
  /** How long the last start took. */
  #startMs = 400;
  /** How long the last snapshot took. */
  #snapshotMs = 400;
  #newFolders = 0;
  #foldersWhole = 0;
  #foldersAbsent = 0;

  constructor(options: KillRunOptions) {
    this.#options = options;
    this.#draws = new Draws(options.seed);
    this.#swarm = new Swarm(this.#ledger, new Draws(options.seed + 1), BOTS, ADMIN_KEY);
  }

  get figures(): KillFigures {
    return {
      ...this.#ledger.tally(),
      kills: this.#kills,
      entries: this.#past.lastSeq,
      snapshots: this.#snapshots,
      halves: this.#halves,
      foldersWhole: this.#foldersWhole,
      foldersAbsent: this.#foldersAbsent,
    };
  }

  /** One round in an order of its own. */
  round(): KillKind[] {
    return this.#draws.shuffled(
      KILL_KINDS.flatMap((kind) => Array.from({ length: KILLS_PER_ROUND[kind] }, () => kind)),
    );
  }

  /** Each kind once, in an order of its own; only one of the three commands. */
  kinds(): KillKind[] {
    const chosen = this.#draws.pick(COMMANDS);
    return this.#draws.shuffled(
      KILL_KINDS.filter((kind) => kind === chosen || !COMMANDS.some((command) => command === kind)),
    );
  }

  /**
   * Kills.
   *
   * @returns the faults, a sentence each
   * @throws Error if the check could not be made, for example because a server does not start
   */
  async kill(kind: KillKind): Promise<readonly string[]> {
    this.#kills[kind] = (this.#kills[kind] ?? 0) + 1;
    switch (kind) {
      case 'server, starting':
        return await this.#killStart();
      case 'server, playing':
        return await this.#killServer(async () => await delay(this.#draws.below(4)));
      case 'server, during a snapshot':
        return await this.#killServer(async (client) => {
          await this.#past.gather(this.#options.folder);
          void this.#askForSnapshot(client);
          await delay(this.#draws.below(this.#snapshotMs + 50));
        });
      case 'server, pruning old log and snapshots':
        return await this.#killServer((client) => this.#untilLettingGo(client));
      case 'snapshot process':
        return await this.#killSnapshotProcess();
      case 'galaxyd snapshot':
        return await this.#killSnapshotCommand();
      case 'galaxyd restore':
        return await this.#killCopy('restore');
      case 'galaxyd fork':
        return await this.#killCopy('fork');
    }
  }

  /** Lets the swarm finish, stops the server in order, and verifies everything. @returns the faults */
  async finish(): Promise<readonly string[]> {
    await this.#play(100);
    const faults = [...(await this.#stop())];
    const { code, stdout, stderr } = await this.#command('verify', '--data', this.#options.folder);
    return code === 0 ? faults : [...faults, `verify ended with ${code}: ${stdout}${stderr}`];
  }

  async #serve(): Promise<GalaxydProcess> {
    if (this.#galaxyd !== null) return this.#galaxyd;
    const { owner } = this.#options;
    const startedMs = performance.now();
    const galaxyd = await GalaxydProcess.start(owner, { args: this.#serveArgs });
    this.#startMs = Math.ceil(performance.now() - startedMs);
    const client = new Client(galaxyd.url, ADMIN_KEY);
    const seq = await this.#past.askForHash(client);
    if (this.#past.lastSeq === 0) {
      await client.post('/api/admin/players', { count: CROWD, namePrefix: 'crowd' });
    }
    client.close();
    if (seq < this.#past.lastSeq) throw new Error(`it continues at seq ${seq}, and there were ${this.#past.lastSeq}`);
    if (galaxyd.stderr !== '') throw new Error(`it started with a complaint: ${galaxyd.stderr}`);
    this.#galaxyd = galaxyd;
    this.#swarm.begin(galaxyd.url);
    return galaxyd;
  }

  get #serveArgs(): string[] {
    const never = ['--snapshot-minutes', '0', '--snapshot-log-mib', '0'];
    const data = ['--data', this.#options.folder, ...never];
    return ['serve', '--port', '0', ...data, '--speed', SPEED, '--admin-key', ADMIN_KEY];
  }

  async #play(acknowledgements: number): Promise<GalaxydProcess> {
    const galaxyd = await this.#serve();
    this.#swarm.isResting = false;
    await this.#swarm.acknowledged(acknowledgements);
    return galaxyd;
  }

  /** @param act settles when it must die */
  async #killServer(act: (client: Client) => Promise<void>): Promise<readonly string[]> {
    const galaxyd = await this.#play(this.#draws.between(10, 120));
    const client = new Client(galaxyd.url, ADMIN_KEY);
    await act(client);
    const ending = await galaxyd.kill();
    client.close();
    return await this.#look(ending, { code: null, signal: 'SIGKILL' });
  }

  async #killStart(): Promise<readonly string[]> {
    const faults = await this.#stop();
    const { owner } = this.#options;
    const ending = await startAndKill(owner, { args: this.#serveArgs }, this.#draws.below(this.#startMs));
    return [...faults, ...(await this.#look(ending, { code: null, signal: 'SIGKILL' }))];
  }

  async #stop(): Promise<readonly string[]> {
    if (this.#galaxyd === null) return [];
    this.#swarm.end();
    await this.#swarm.settled();
    return await this.#look(await this.#galaxyd.stop(), { code: 0, signal: null });
  }

  /** Compares what it left behind with everything that is known. */
  async #look(ending: Ending, expected: Pick<Ending, 'code' | 'signal'>): Promise<readonly string[]> {
    this.#galaxyd = null;
    await this.#swarm.settled();
    const { folder } = this.#options;
    for (const name of await leftoversIn(folder)) {
      const beginning = name.split('-', 1)[0] ?? '';
      this.#halves[beginning] = (this.#halves[beginning] ?? 0) + 1;
    }
    const faults = [...(await this.#past.compare(folder)).faults];
    const { code, signal, stderr } = ending;
    if (code !== expected.code || signal !== expected.signal) faults.push(`it ended with ${code ?? signal}`);
    if (stderr !== '') faults.push(`it complained: ${stderr}`);
    return faults;
  }

  /** @returns how it ended */
  async #askForSnapshot(client: Client): Promise<'taken' | 'failed' | 'unanswered'> {
    const startedMs = performance.now();
    try {
      const { status, body } = await client.post<{ code?: string }>('/api/admin/snapshot', {});
      if (status === 201) {
        this.#snapshots += 1;
        this.#snapshotMs = Math.ceil(performance.now() - startedMs);
        return 'taken';
      }
      if (body.code === 'snapshot_failed') return 'failed';
      throw new Error(`a snapshot was answered with ${status}: ${JSON.stringify(body)}`);
    } catch (error) {
      if (error instanceof NoReply) return 'unanswered';
      throw error;
    }
  }

  /** Takes snapshots until an old segment or snapshot is renamed for its removal. */
  async #untilLettingGo(client: Client): Promise<void> {
    const [place, prefix] = this.#draws.pick([
      ['log', '.pruned-'],
      ['snapshots', '.removed-'],
    ] as const);
    const { folder } = this.#options;
    const lateMs = this.#draws.below(4);
    for (let snapshot = 1; snapshot <= SNAPSHOTS_TO_PRUNE; snapshot += 1) {
      await this.#past.gather(folder);
      const watch = await FolderWatch.begin(join(folder, place), prefix);
      await Promise.race([this.#askForSnapshot(client), watch.seen]);
      // The reply and the name may be seen in the same turn, and the reply first.
      await nextTurn();
      watch.end();
      if (watch.hasSeen) {
        if (lateMs > 0) await delay(lateMs);
        return;
      }
      await this.#swarm.acknowledged(20);
    }
    throw new Error(`${SNAPSHOTS_TO_PRUNE} snapshots, and nothing named ${prefix} was seen in ${place}`);
  }

  /** The same, and then lets the bots rest, because the server does not die. */
  async #playThenRest(): Promise<GalaxydProcess> {
    const galaxyd = await this.#play(this.#draws.between(10, 60));
    this.#swarm.isResting = true;
    return galaxyd;
  }

  async #killSnapshotProcess(): Promise<readonly string[]> {
    const galaxyd = await this.#playThenRest();
    const client = new Client(galaxyd.url, ADMIN_KEY);
    const { folder } = this.#options;
    await this.#past.gather(folder);
    const asked = this.#askForSnapshot(client);
    const pid = await firstChildOf(galaxyd.pid ?? 0, asked);
    if (pid !== null) {
      await delay(this.#draws.below(this.#snapshotMs));
      kill(pid);
    }
    const faults: string[] = [];
    const outcome = await asked;
    if (outcome === 'failed')
      await galaxyd.printed(/galaxyd could not take a snapshot and continues without it: the process/);
    if (outcome === 'unanswered') faults.push('the server did not answer when its snapshot process was killed');
    await this.#swarm.acknowledged(20);
    await this.#past.gather(folder);
    const again = await this.#askForSnapshot(client);
    if (again !== 'taken') faults.push(`the snapshot after the one whose process was killed: ${again}`);
    client.close();
    const kept = (await readdir(join(folder, 'snapshots'))).filter((name) => !name.startsWith('.'));
    if (kept.length > 2) faults.push(`${kept.length} snapshots are kept`);
    return [...faults, ...(await leftOver(folder))];
  }

  async #killSnapshotCommand(): Promise<readonly string[]> {
    await this.#playThenRest();
    const { folder, owner } = this.#options;
    const args = ['snapshot', '--data', folder];
    await startAndKill(owner, { args }, this.#draws.below(COMMAND_STARTS * this.#startMs));
    const { code, stderr } = await this.#command(...args);
    const faults = code === 0 ? [] : [`the snapshot after the one that was killed ended with ${code}: ${stderr}`];
    return [...faults, ...(await leftOver(folder))];
  }

  /** A new data folder is complete or absent; if it is absent, the same command creates it. */
  async #killCopy(command: 'restore' | 'fork'): Promise<readonly string[]> {
    await this.#playThenRest();
    const { folder, owner } = this.#options;
    this.#newFolders += 1;
    const to = `${folder}-copy-${this.#newFolders}`;
    const args = [command, '--data', folder, '--to', to, '--json'];
    await startAndKill(owner, { args }, this.#draws.below(COMMAND_STARTS * this.#startMs));
    const isThere = (await readdir(to).catch(() => [])).length > 0;
    if (isThere) this.#foldersWhole += 1;
    else this.#foldersAbsent += 1;
    const faults: string[] = [];
    if (!isThere) {
      const { code, stdout, stderr } = await this.#command(...args);
      if (code !== 0) return [`the ${command} after the one that was killed ended with ${code}: ${stderr}`];
      const { seq, stateHash } = JSON.parse(stdout) as Origin;
      this.#past.wasTold(seq, stateHash, `a ${command}`);
    }
    const { code, stdout } = await this.#command('verify', '--data', to, '--json');
    const verified = JSON.parse(stdout) as { stateHash: string };
    const origin = await storeAt(to).origin();
    if (code === 0 && origin !== null) this.#past.wasRestored(origin, verified.stateHash);
    else faults.push(`the folder of a ${command} is not whole: ${stdout}`);
    return faults;
  }

  async #command(...args: string[]): Promise<Ending> {
    return await runGalaxyd(this.#options.owner, { args });
  }
}

async function leftOver(folder: string): Promise<string[]> {
  return (await leftoversIn(folder)).map((name) => `${name} is left over`);
}

/** It may have ended in the same instant. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
