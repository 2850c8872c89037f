// Two processes that serve one world of a PostgreSQL with a synchronous standby, under a swarm, and everything that can
// happen to the leader, to the network and to the database. After each event the log in the database is compared with
// everything that clients were told: what a server says about itself decides nothing. A seed decides what happens when.
import { setTimeout as delay } from 'node:timers/promises';
import type { StatusBody } from '../../../http/schemas/world.js';
import { storeAt } from '../../../persistence/store-url.js';
import type { HangingWay } from '../postgres/hanging-proxy.js';
import { Postgres, type ProxiedPostgres } from '../postgres/postgres.js';
import type { StopMode } from '../postgres/postgres-server.js';
import type { PostgresPrograms } from '../postgres/programs.js';
import { Client, NoReply, type Reply } from '../process/client.js';
import { DeedLedger, type Tally } from '../process/deed-ledger.js';
import { createBot, type Deed, grant } from '../process/deeds.js';
import { Draws } from '../process/draws.js';
import { type Owner, runGalaxyd } from '../process/galaxyd-process.js';
import { Past } from '../process/past.js';
import { readLog } from '../process/replayed-log.js';
import { Swarm } from '../process/swarm.js';
import { askOldLeader, type Witness } from './old-leader.js';
import { RoutedClient, type RouteFigures, Routes } from './routes.js';
import { Slot } from './slot.js';

/** What happens, and how. Each settles when clients could notice it, with the moment at which it began. */
export const EVENTS = [
  'leader killed',
  'leader stopped for a while',
  'leader cut off from the store',
  'replies of the store lost',
  'store restarted, fast',
  'store restarted, immediate',
  'store lost',
  'handover by promote',
  'handover by SIGTERM',
  'rolling upgrade',
] as const;
export type FailoverEvent = (typeof EVENTS)[number];

export interface FailoverRunOptions {
  readonly owner: Owner;
  readonly seed: number;
  readonly programs: PostgresPrograms;
  /** The default of serve by default. */
  readonly leaseMs?: number;
  /** Path of the program that is tested; that of the repository by default. */
  readonly program?: string;
  /** Path of the program that a rolling upgrade begins with; the tested one by default. */
  readonly olderProgram?: string;
}

export interface EventFigures {
  times: number;
  /** Time from the event to the first acknowledged command that was sent after it. */
  readonly firstAcknowledgedMs: number[];
  /** Commands that were sent and not executed at once; each was repeated until it was. */
  failedCommands: number;
}

export interface FailoverFigures extends Tally, RouteFigures {
  readonly events: Readonly<Partial<Record<FailoverEvent, EventFigures>>>;
  readonly entries: number;
  /** Processes that ended without being asked to, by exit code or signal. */
  readonly endings: Readonly<Record<string, number>>;
  readonly failedStarts: number;
}

const BOTS = 8;
const ADMIN_KEY = 'failover-run-key';
/** At this speed an upgrade takes milliseconds, so that timers fire all the time, even while nobody leads. */
const SPEED = '20000';
/** Clients that wait longer would measure their own patience; a busy machine may need some of it. */
const PATIENCE_MS = 1_000;
/** During a handover a command may be held, but must not fail. */
const HANDOVER_PATIENCE_MS = 30_000;
/** Bots never grant as much. */
const WITNESS_IRON = 5_000_000;
const ASK_EVERY_MS = 50;
const READY_DEADLINE_MS = 60_000;

/** The process that leads, and the other one. */
interface Roles {
  readonly leader: Slot;
  readonly standby: Slot;
}

export class FailoverRun {
  readonly #options: FailoverRunOptions;
  readonly #draws: Draws;
  readonly #postgres: Postgres;
  readonly #slots: ReadonlyMap<Slot, ProxiedPostgres>;
  readonly #routes: Routes;
  readonly #ledger = new DeedLedger();
  readonly #past = new Past(this.#ledger);
  readonly #swarm: Swarm;
  readonly #events: Partial<Record<FailoverEvent, EventFigures>> = {};
  readonly #reported = new Set<string>();
  #witnessCount = 0;

  private constructor(options: FailoverRunOptions, postgres: Postgres, slots: ReadonlyMap<Slot, ProxiedPostgres>) {
    this.#options = options;
    this.#postgres = postgres;
    this.#slots = slots;
    this.#draws = new Draws(options.seed);
    const urls = [...slots.keys()].map(({ url }) => url);
    this.#routes = new Routes(urls, PATIENCE_MS);
    this.#swarm = new Swarm(this.#ledger, new Draws(options.seed + 1), BOTS, ADMIN_KEY);
  }

  /** Starts the database and both processes. */
  static async begin(options: FailoverRunOptions): Promise<FailoverRun> {
    const { owner, programs, leaseMs, program = null } = options;
    const lease = leaseMs === undefined ? [] : ['--lease-ms', String(leaseMs)];
    const postgres = await Postgres.start(owner, programs, { standby: true });
    const slots = new Map<Slot, ProxiedPostgres>();
    for (let count = 1; count <= 2; count += 1) {
      const network = await postgres.proxy();
      const rare = ['--snapshot-minutes', '0', '--snapshot-log-mib', '0'];
      const args = ['serve', ...rare, ...lease, '--speed', SPEED, '--admin-key', ADMIN_KEY];
      const slot = await Slot.make(owner, { args, env: { GALAXYD_DATA: network.url() } });
      slot.program = program;
      slots.set(slot, network);
    }
    const run = new FailoverRun(options, postgres, slots);
    // One of them founds the world.
    await Promise.all([...slots.keys()].map((slot) => slot.start()));
    return run;
  }

  get figures(): FailoverFigures {
    const endings: Record<string, number> = {};
    const slots = [...this.#slots.keys()];
    for (const { code, signal } of slots.flatMap((slot) => slot.endings)) {
      const how = String(code ?? signal);
      endings[how] = (endings[how] ?? 0) + 1;
    }
    const failedStarts = slots.reduce((count, slot) => count + slot.failedStarts.length, 0);
    const entries = this.#past.lastSeq;
    return { ...this.#ledger.tally(), ...this.#routes.figures, events: this.#events, entries, endings, failedStarts };
  }

  /** How the processes ended that were not asked to: what they printed, for a report of a fault. */
  get lastWords(): string[] {
    const slots = [...this.#slots.keys()];
    return slots.flatMap(({ url, endings }) => endings.map(({ stderr }) => `${url}: ${stderr.trim()}`));
  }

  /**
   * Lets something happen under load.
   *
   * @returns the faults, a sentence each
   * @throws Error if the check could not be made, for example because no process leads again
   */
  async happen(event: FailoverEvent): Promise<readonly string[]> {
    const figures = this.#events[event] ?? { times: 0, firstAcknowledgedMs: [], failedCommands: 0 };
    this.#events[event] = figures;
    figures.times += 1;
    const roles = await this.#ready();
    const mustServe = event.startsWith('handover') || event === 'rolling upgrade';
    const { faults, failed } = await this.#underLoad(mustServe, () => this.#act(event, roles, figures));
    figures.failedCommands += failed;
    await this.#ready();
    await this.#askForHashes();
    return [...faults, ...(await this.#compare())];
  }

  /** Stops the leader under load, so that it hands over, then the other one. @returns the faults */
  async finish(): Promise<readonly string[]> {
    const { leader, standby } = await this.#ready();
    const { faults } = await this.#underLoad(true, () => this.#terminate(leader));
    await this.#askForHash(standby);
    return [...faults, ...(await this.#terminate(standby)), ...(await this.#compare())];
  }

  /** Recovers the whole world by the program itself, which nobody may serve. @returns the faults */
  async verify(): Promise<readonly string[]> {
    const env = { GALAXYD_DATA: this.#postgres.url() };
    const { code, stdout, stderr } = await runGalaxyd(this.#options.owner, { args: ['verify'], env });
    return code === 0 ? [] : [`verify ended with ${code}: ${stdout}${stderr}`];
  }

  /** Ends once all bots have finished what they were doing. */
  async #underLoad(mustServe: boolean, act: () => Promise<string[]>): Promise<{ faults: string[]; failed: number }> {
    const { figures, incidents } = this.#routes;
    const failedBefore = figures.failedCommands;
    this.#swarm.beginOver(() => new RoutedClient(this.#routes, ADMIN_KEY, this.#draws.pick(this.#routes.urls)));
    await this.#swarm.acknowledged(this.#draws.between(20, 100));
    await delay(this.#draws.below(4));
    const faults = await act();
    await this.#swarm.acknowledged(20);
    this.#swarm.end();
    await this.#swarm.settled();
    const failed = figures.failedCommands - failedBefore;
    if (mustServe && failed > 0) faults.push(`${failed} commands failed: ${incidents.join('; ')}`);
    return { faults, failed };
  }

  async #act(event: FailoverEvent, roles: Roles, figures: EventFigures): Promise<string[]> {
    switch (event) {
      case 'leader killed':
        return await this.#kill(roles, figures);
      case 'leader stopped for a while':
        return await this.#stopForAWhile(roles, figures);
      case 'leader cut off from the store':
        return await this.#cutOff(roles, figures, 'both ways');
      case 'replies of the store lost':
        return await this.#cutOff(roles, figures, 'replies');
      case 'store restarted, fast':
        return await this.#restartStore(figures, 'fast');
      case 'store restarted, immediate':
        return await this.#restartStore(figures, 'immediate');
      case 'store lost':
        return await this.#loseStore(figures);
      case 'handover by promote':
        return await this.#handOver(roles, figures, 'promote');
      case 'handover by SIGTERM':
        return await this.#handOver(roles, figures, 'SIGTERM');
      case 'rolling upgrade':
        return await this.#upgrade();
    }
  }

  /** Measures from the event to the first command that was sent when it was over and was acknowledged. */
  async #measured(figures: EventFigures, event: () => Promise<unknown>): Promise<void> {
    const beganMs = performance.now();
    await event();
    const acknowledgedMs = await this.#routes.firstAcknowledged(performance.now());
    figures.firstAcknowledgedMs.push(acknowledgedMs - beganMs);
  }

  async #kill({ leader }: Roles, figures: EventFigures): Promise<string[]> {
    await this.#measured(figures, () => leader.end('SIGKILL'));
    await this.#swarm.acknowledged(this.#draws.below(20));
    await leader.start();
    return [];
  }

  /** Its lease ends while it cannot know. What it is asked meanwhile waits in its sockets. */
  async #stopForAWhile({ leader }: Roles, figures: EventFigures): Promise<string[]> {
    const { galaxyd } = leader;
    const planetId = await this.#createWitness();
    await this.#measured(figures, async () => galaxyd.signal('SIGSTOP'));
    const questions = askOldLeader(leader.url, ADMIN_KEY, await this.#changeWitness(planetId));
    await delay(this.#draws.between(50, 500));
    galaxyd.signal('SIGCONT');
    const { code, signal } = await galaxyd.ending();
    const faults = await questions.answers();
    return code === 0 ? [...faults, `the leader that was stopped ended with ${code ?? signal}`] : faults;
  }

  /** The other process reaches the store. */
  async #cutOff({ leader }: Roles, figures: EventFigures, way: HangingWay): Promise<string[]> {
    const { galaxyd } = leader;
    const network = this.#slots.get(leader);
    const planetId = await this.#createWitness();
    await this.#measured(figures, async () => network?.hang(way));
    const witness = await this.#changeWitness(planetId);
    const cutOff = askOldLeader(leader.url, ADMIN_KEY, witness);
    await this.#swarm.acknowledged(this.#draws.between(10, 50));
    // A reply may still be held then: the network resumes while it is.
    await Promise.race([cutOff.answers(), delay(this.#draws.between(500, 1_500))]);
    network?.resume();
    const reached = askOldLeader(leader.url, ADMIN_KEY, witness);
    await galaxyd.ending();
    return [...(await cutOff.answers()), ...(await reached.answers())];
  }

  async #restartStore(figures: EventFigures, mode: StopMode): Promise<string[]> {
    await this.#measured(figures, async () => {
      await this.#postgres.stopPrimary(mode);
      await delay(this.#draws.below(300));
      await this.#postgres.startPrimary();
    });
    await this.#postgres.standbyIsSynchronous();
    return [];
  }

  async #loseStore(figures: EventFigures): Promise<string[]> {
    await this.#measured(figures, async () => {
      await this.#postgres.losePrimary();
      await delay(this.#draws.below(300));
      await this.#postgres.promoteStandby();
    });
    await this.#swarm.acknowledged(20);
    await this.#postgres.addStandby();
    return [];
  }

  async #handOver({ leader, standby }: Roles, figures: EventFigures, by: 'promote' | 'SIGTERM'): Promise<string[]> {
    this.#routes.patienceMs = HANDOVER_PATIENCE_MS;
    const faults: string[] = [];
    await this.#measured(figures, async () => {
      faults.push(...(by === 'promote' ? await this.#promote(standby) : await this.#terminate(leader)));
    });
    await this.#swarm.acknowledged(20);
    if ((await this.#leader()) === leader) faults.push(`after a handover ${leader.url} still leads`);
    await leader.start();
    this.#routes.patienceMs = PATIENCE_MS;
    return faults;
  }

  async #promote(standby: Slot): Promise<string[]> {
    const options = { args: ['promote', '--to', standby.url], env: { GALAXYD_DATA: this.#postgres.url() } };
    const { code, stdout, stderr } = await runGalaxyd(this.#options.owner, options);
    return code === 0 ? [] : [`promote ended with ${code}: ${stdout}${stderr}`];
  }

  async #terminate(slot: Slot): Promise<string[]> {
    const { ended } = slot.galaxyd;
    await slot.end('SIGTERM');
    const { code, signal, stderr } = await ended;
    return code === 0 ? [] : [`after SIGTERM it ended with ${code ?? signal}: ${stderr}`];
  }

  /** Both processes are replaced, one after the other, by those of another program if there is one. */
  async #upgrade(): Promise<string[]> {
    const { program: tested = null, olderProgram = null } = this.#options;
    const faults: string[] = [];
    this.#routes.patienceMs = HANDOVER_PATIENCE_MS;
    // Back to the older program first, and then forward again: that is two rolling replacements.
    for (const program of olderProgram === null ? [tested] : [olderProgram, tested]) {
      const { leader, standby } = await this.#ready();
      for (const slot of [standby, leader]) {
        faults.push(...(await this.#terminate(slot)));
        slot.program = program;
        await slot.start();
        await this.#ready();
        await this.#swarm.acknowledged(20);
      }
    }
    this.#routes.patienceMs = PATIENCE_MS;
    return faults;
  }

  /** Creates a player, whose planet nobody else changes. @returns the planet's id */
  async #createWitness(): Promise<string> {
    this.#witnessCount += 1;
    const { body } = await this.#done(createBot(`witness-${this.#witnessCount}`));
    return (body as { planets: { id: string }[] }).planets[0]?.id ?? '';
  }

  /** Changes that planet through the present leader. */
  async #changeWitness(planetId: string): Promise<Witness> {
    const { headers } = await this.#done(grant(planetId, { iron: WITNESS_IRON + this.#witnessCount }));
    return { planetId, seq: Number(headers['x-world-seq']) };
  }

  async #done(deed: Deed): Promise<Reply<unknown>> {
    const client = new RoutedClient(this.#routes, ADMIN_KEY, this.#routes.leaderUrl);
    const attempt = this.#ledger.begin(deed, true);
    let reply = await this.#ledger.send(client, attempt);
    while (reply === null) reply = await this.#ledger.send(client, attempt, true);
    client.close();
    return reply;
  }

  /** Waits until one process leads and the other follows without a lag. */
  async #ready(): Promise<Roles> {
    const untilMs = performance.now() + READY_DEADLINE_MS;
    for (;;) {
      const leader = await this.#leader();
      const standby = [...this.#slots.keys()].find((slot) => slot !== leader && slot.isRunning);
      if (leader !== null && standby !== undefined && (await isFollowing(standby))) return { leader, standby };
      if (performance.now() > untilMs) throw new Error(`nobody leads, or nobody follows: ${this.lastWords.join('; ')}`);
      await delay(ASK_EVERY_MS);
    }
  }

  /** @returns null if none answers that it leads */
  async #leader(): Promise<Slot | null> {
    for (const slot of this.#slots.keys()) {
      const reply = slot.isRunning ? await asked(slot.url, '/readyz?role=leader') : null;
      if (reply?.status === 200) return slot;
    }
    return null;
  }

  async #askForHashes(): Promise<void> {
    for (const slot of this.#slots.keys()) await this.#askForHash(slot);
  }

  /** The log must lead to the state that it shows. */
  async #askForHash({ url }: Slot): Promise<void> {
    const client = new Client(url, ADMIN_KEY);
    await this.#past.askForHash(client);
    client.close();
  }

  /** Reads the log from the database itself. */
  async #compare(): Promise<string[]> {
    const store = storeAt(this.#postgres.url());
    const kept = await readLog(await store.openLog());
    const { faults } = await this.#past.compareWith(kept, store.snapshots);
    // What is lost is missing again in each later comparison.
    const news = faults.filter((fault) => !this.#reported.has(fault));
    for (const fault of news) this.#reported.add(fault);
    return [...news, ...this.#routes.takeFaults()];
  }
}

async function isFollowing({ url }: Slot): Promise<boolean> {
  const reply = await asked(url, '/api/status');
  const replica = (reply?.body as StatusBody | undefined)?.replica;
  return replica?.role === 'standby' && replica.lag.entries === 0 && replica.leaderUrl !== null;
}

async function asked(url: string, path: string): Promise<Awaited<ReturnType<Client['get']>> | null> {
  const client = new Client(url, ADMIN_KEY, PATIENCE_MS);
  try {
    return await client.get(path);
  } catch (error) {
    if (error instanceof NoReply) return null;
    throw error;
  } finally {
    client.close();
  }
}
