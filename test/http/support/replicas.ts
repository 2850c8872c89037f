// A world that is served as one of several processes, whose role the test sets. The world is an ordinary one in memory: what decides
// the role in earnest is tested with persistence/replication/.
import type { Test } from 'tap';
import { openWorld } from '../../../persistence/open-world.js';
import type { Availability, ServedSequencer } from '../../../persistence/writer/sequencer.js';
import { MemoryStore } from '../../support/stores/memory-store.js';
import { FakeReplica, LEADER_URL } from './fake-replica.js';
import { ADMIN_KEY, type Serving, type ServingOptions, serve, settingsFor } from './serving.js';

export { LEADER_URL };

export interface Replicated extends Serving {
  readonly replica: FakeReplica;
  /** Changes the world whatever the role is. */
  readonly writer: ServedSequencer;
}

/** Serves a world in memory; it leads until the test says otherwise. */
export async function beginReplicated(
  t: Test,
  { auth = 'none', adminKey = ADMIN_KEY, server, ...options }: ServingOptions = {},
): Promise<Replicated> {
  const onFatal = (error: Error): void => void t.fail(`the world died: ${error.message}`);
  const world = await openWorld({
    store: new MemoryStore(),
    clock: 'manual',
    ...options,
    settings: await settingsFor(options),
    onFatal,
  });
  const replica = new FakeReplica();
  const sequencer = inRole(world.sequencer, replica);
  const served = { ...world, sequencer, replica };
  const serving = await serve(t, { world: served, auth, adminKey, ...server }, () => world.close());
  return { ...serving, replica, writer: world.sequencer };
}

/** The sequencer, which admits commands as the role says. */
function inRole(sequencer: ServedSequencer, replica: FakeReplica): ServedSequencer {
  const availability = (): Availability => {
    if (replica.role === 'standby' || !replica.mayAnswer) return 'not_leader';
    return replica.isHandingOver ? 'handing_over' : sequencer.availability();
  };
  return new Proxy(sequencer, {
    get(target, name) {
      if (name === 'availability') return availability;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
