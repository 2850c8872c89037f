// Several processes' parts in one: each has a world, a role and a server of its own, over one store in memory.
import type { Test } from 'tap';
import { WorldServer, type WorldServerOptions } from '../../../http/world-server.js';
import { StoreUnreachable } from '../../../persistence/log/log.js';
import { ReplicatedWorld } from '../../../persistence/replication/replicated-world.js';
import type { Leadership } from '../../../persistence/stores/world-store.js';
import { NODE_SCHEDULER, type Scheduler } from '../../../persistence/time/scheduler.js';
import { around } from '../../support/altered.js';
import { noLease } from '../../support/stores/memory-leadership.js';
import { MemoryStore, noContent } from '../../support/stores/memory-store.js';
import { transport } from './serving.js';
import { until } from './waiting.js';

const LEASE_MS = 500;

export interface Process {
  readonly world: ReplicatedWorld;
  readonly server: WorldServer;
  readonly url: string;
}

export interface Cluster {
  readonly processes: readonly Process[];
  readonly urls: readonly string[];
  leader(): Process;
  standby(): Process;
  /** The leader gives its role to a standby, and becomes one. */
  handOver(): Promise<void>;
  /** The leader is cut off from the lease. Settles when another process leads. */
  cutOff(): Promise<void>;
}

/**
 * @param count of processes
 * @param leaseMs a process that does not run for as long loses its role
 */
export async function beginCluster(
  t: Test,
  server: Partial<WorldServerOptions> = {},
  count = 2,
  leaseMs = LEASE_MS,
): Promise<Cluster> {
  const content = noContent(noLease(() => performance.now()));
  /** Ids of those that are cut off. */
  const cut = new Set<string>();
  const processes: Process[] = [];
  for (let index = 0; index < count; index += 1) {
    const store = new MemoryStore(content);
    if (store.leadership === null) throw new Error('the store is not shared');
    const id = `process-${index}`;
    const scheduler = new MortalScheduler();
    const world = await ReplicatedWorld.open({
      leadership: cuttable(store.leadership, () => cut.has(id)),
      snapshots: store.snapshots,
      taker: null,
      origin: null,
      id,
      version: 'test',
      leaseMs,
      onFatal: () => {},
      scheduler,
    });
    const serving = await WorldServer.start({
      world,
      host: '127.0.0.1',
      port: 0,
      transport,
      registrationsPerMinute: 0,
      ...server,
    });
    t.teardown(async () => {
      await serving.stop();
      serving.release();
      if (!cut.has(id)) await world.close();
      scheduler.die();
    });
    await world.enter(serving.url);
    processes.push({ world, server: serving, url: serving.url });
  }
  const inRole = (role: 'leader' | 'standby'): Process | undefined =>
    processes.find(({ world }) => !cut.has(world.replica.id) && world.replica.role === role && world.replica.mayAnswer);
  const required = (role: 'leader' | 'standby'): Process => {
    const found = inRole(role);
    if (found === undefined) throw new Error(`there is no ${role}`);
    return found;
  };
  return {
    processes,
    urls: processes.map(({ url }) => url),
    leader: () => required('leader'),
    standby: () => required('standby'),
    async handOver() {
      const { world } = required('leader');
      await new MemoryStore(content).leadership?.want(required('standby').world.replica.id);
      await until(() => inRole('leader') !== undefined && inRole('leader')?.world !== world);
    },
    async cutOff() {
      const { world } = required('leader');
      cut.add(world.replica.id);
      await until(() => inRole('leader') !== undefined);
    },
  };
}

/** A scheduler whose calls end with the process that it stands for. */
class MortalScheduler implements Scheduler {
  readonly #alarms = new Set<NodeJS.Timeout>();
  #isDead = false;

  readonly soon: Scheduler['soon'] = (callback, ...given) => {
    if (!this.#isDead) setImmediate(callback, ...given);
  };

  readonly after: Scheduler['after'] = (delayMs, callback, ...given) => {
    const alarm = setTimeout(() => {
      this.#alarms.delete(alarm);
      callback(...given);
    }, delayMs);
    if (this.#isDead) clearTimeout(alarm);
    else this.#alarms.add(alarm);
    return alarm;
  };

  cancel(alarm: NodeJS.Timeout | undefined): void {
    clearTimeout(alarm);
    if (alarm !== undefined) this.#alarms.delete(alarm);
  }

  nextTurn(): Promise<void> {
    return NODE_SCHEDULER.nextTurn();
  }

  die(): void {
    this.#isDead = true;
    for (const alarm of this.#alarms) clearTimeout(alarm);
  }
}

/** Leadership that does not answer while it is cut off. */
function cuttable(leadership: Leadership, isCut: () => boolean): Leadership {
  return around(leadership, async (name, call) => {
    if (isCut() && name !== 'close' && name !== 'openShared') throw new StoreUnreachable('it is cut off');
    return await call();
  });
}
