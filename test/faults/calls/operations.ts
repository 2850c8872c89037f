// What galaxyd does to a world, one row each: everything that may fail at one of its system calls, or of its messages to PostgreSQL.
import { Client, NoReply } from '../../support/process/client.js';
import { type Ending, GalaxydProcess, type Owner, runGalaxyd } from '../../support/process/galaxyd-process.js';

/** The place of one run, and its outcome so far. */
export interface Stage {
  readonly owner: Owner;
  /** Environment of the programs. */
  readonly env: Readonly<Record<string, string>>;
  /** Lets something fail from now on. */
  readonly begin: () => void;
  /** Folder or URL of the world that the operation works on, which must always open. */
  readonly world: string;
  /** Another folder that the operation makes, and may leave half made if it says that it failed. */
  readonly made: string;
  /** Names of players whose creation was acknowledged. */
  readonly acknowledged: string[];
  /** Sentences about promises that the operation itself has seen broken. */
  readonly faults: string[];
}

export interface Operation {
  /** Whether the world exists before it. */
  readonly from: 'nothing' | 'world';
  /** @returns how the program ended, if it ended by itself */
  readonly perform: (stage: Stage) => Promise<Ending | null>;
}

const ADMIN_KEY = 'operator-of-faults';
/** A request that is not answered by then hangs. A snapshot takes half a minute on busy cores: its process has the lowest priority. */
const REPLY_MS = 120_000;
/** Players of the prepared world; they are created before and after its snapshots. */
export const PREPARED = ['ada', 'bob', 'cyd', 'dan', 'eve', 'fay'];
const NAMES_AT_ONCE = ['gus', 'hal', 'ida', 'jan', 'kim', 'leo'];

export const OPERATIONS = {
  'a new world': {
    from: 'nothing',
    perform: async (stage) => {
      stage.begin();
      return await served(stage, (server) => create(server, stage, 'gus'));
    },
  },
  'a start': {
    from: 'world',
    perform: async (stage) => {
      stage.begin();
      return await served(stage, (server) => create(server, stage, 'gus'));
    },
  },
  'a command': {
    from: 'world',
    perform: (stage) =>
      served(stage, async (server) => {
        stage.begin();
        await create(server, stage, 'gus');
        await create(server, stage, 'hal');
      }),
  },
  'a group commit': {
    from: 'world',
    perform: (stage) =>
      served(stage, async (server) => {
        stage.begin();
        await Promise.all(NAMES_AT_ONCE.map((name) => create(server, stage, name)));
      }),
  },
  // The log is cut, the snapshot written, the oldest snapshot and segments removed.
  'a snapshot': {
    from: 'world',
    perform: (stage) =>
      served(stage, async (server) => {
        await create(server, stage, 'gus');
        stage.begin();
        await post(server, '/api/admin/snapshot', {});
        await create(server, stage, 'hal');
      }),
  },
  // The closing mark.
  'a stop': {
    from: 'world',
    perform: async (stage) => {
      const server = await begun(stage);
      if (!(server instanceof GalaxydProcess)) return server;
      await create(server, stage, 'gus');
      stage.begin();
      return await server.stop();
    },
  },
  'galaxyd snapshot': { from: 'world', perform: (stage) => command(stage, 'snapshot', '--data', stage.world) },
  'galaxyd verify': { from: 'world', perform: (stage) => command(stage, 'verify', '--data', stage.world) },
  'galaxyd restore': {
    from: 'world',
    perform: (stage) => command(stage, 'restore', '--data', stage.world, '--to', stage.made),
  },
  'galaxyd fork': {
    from: 'world',
    perform: (stage) => command(stage, 'fork', '--data', stage.world, '--to', stage.made),
  },
  // The file of the keys that its players got.
  'galaxyd swarm': {
    from: 'world',
    perform: async (stage) => {
      const server = await begun({ ...stage, env: {} }, '--auth', 'key');
      if (!(server instanceof GalaxydProcess)) return server;
      const bots = ['--bots', '3', '--mix', 'idler', '--seconds', '1', '--keys', stage.made];
      const args = ['swarm', '--server', server.url, ...bots];
      stage.begin();
      const first = await runGalaxyd(stage.owner, { args, env: stage.env });
      const second = await runGalaxyd(stage.owner, { args });
      await server.kill();
      if (first.code === 0 && second.code !== 0)
        stage.faults.push(`the keys of its players are lost: ${second.stderr}`);
      return first.code === 0 ? second : first;
    },
  },
  'galaxyd copy': {
    from: 'world',
    perform: (stage) => command(stage, 'copy', '--from', stage.world, '--to', stage.made),
  },
} as const satisfies Record<string, Operation>;
export type OperationName = keyof typeof OPERATIONS;
export const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[];

/** Operations that make another folder. If they report success, it must hold the world. */
export const MAKING: ReadonlySet<OperationName> = new Set(['galaxyd restore', 'galaxyd fork', 'galaxyd copy']);

/**
 * Makes the world that operations begin with: two snapshots, so that a third one removes the oldest, and log after them.
 *
 * @param stage its calls do not fail
 */
export async function prepareWorld(stage: Stage): Promise<void> {
  await served(stage, async (server) => {
    for (const [index, name] of PREPARED.entries()) {
      await create(server, stage, name);
      if (index === 1 || index === 3) await post(server, '/api/admin/snapshot', {});
    }
  });
}

function command(stage: Stage, ...args: string[]): Promise<Ending> {
  stage.begin();
  return runGalaxyd(stage.owner, { args, env: stage.env });
}

/** Starts a server, lets it work, and kills it. @returns how it ended, if by itself */
async function served(stage: Stage, work: (server: GalaxydProcess) => Promise<unknown>): Promise<Ending | null> {
  const server = await begun(stage);
  if (!(server instanceof GalaxydProcess)) return server;
  await work(server);
  let isKilled = false;
  const ended = server.ended.then((ending) => (isKilled ? null : ending));
  // A server that ends itself does so before the requests have ended, or at once.
  const early = await Promise.race([ended, new Promise<null>((resolve) => setImmediate(resolve, null))]);
  if (early !== null) return early;
  isKilled = true;
  await server.kill();
  return null;
}

/** @returns the server, or how it ended before it served */
async function begun({ owner, world, env }: Stage, ...flags: string[]): Promise<GalaxydProcess | Ending> {
  const schedule = ['--snapshot-minutes', '0', '--snapshot-log-mib', '0', '--min-free-mib', '0'];
  const args = [
    'serve',
    '--port',
    '0',
    '--data',
    world,
    '--clock',
    'manual',
    '--admin-key',
    ADMIN_KEY,
    ...schedule,
    ...flags,
  ];
  return await GalaxydProcess.startOrEnd(owner, { args, env });
}

async function create(server: GalaxydProcess, stage: Stage, name: string): Promise<void> {
  const status = await post(server, '/api/game/player', { name, isBot: true });
  if (status === 200 || status === 201) stage.acknowledged.push(name);
}

/** @returns the status of the reply; undefined if there is none. @throws if the server neither answers nor ends */
async function post(server: GalaxydProcess, path: string, body: object): Promise<number | undefined> {
  const client = new Client(server.url, ADMIN_KEY, REPLY_MS);
  try {
    return (await client.post(path, body)).status;
  } catch (error) {
    if (!(error instanceof NoReply)) throw error;
    await server.ending().catch(({ message }: Error) => {
      throw new Error(`POST ${path}: ${error.message}, and nobody has asked the server to end: ${message}`);
    });
    return undefined;
  } finally {
    client.close();
  }
}
