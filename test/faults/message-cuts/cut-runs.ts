// One operation on a world in PostgreSQL, while the connection breaks after one message of the protocol. Nothing is acknowledged that the
// database does not have, and what it has can be read.
import type { Postgres } from '../../support/postgres/postgres.js';
import type { Ending, Owner } from '../../support/process/galaxyd-process.js';
import { withOwner } from '../../support/process/with-owner.js';
import {
  complaintsAbout,
  type FaultOutcome,
  type FaultSource,
  kindOf,
  type PlannedFault,
  worldFaults,
} from '../calls/fault-run.js';
import { OPERATIONS, type OperationName, PREPARED, prepareWorld, type Stage } from '../calls/operations.js';
import type { FolderOpener } from '../folder-opener.js';
import { type Cut, CuttingProxy } from './cutting-proxy.js';

/** Operations of a server; commands that copy a world are those of folders. */
export const CUT_OPERATIONS = [
  ...['a new world', 'a start', 'a command', 'a group commit', 'a snapshot', 'a stop'],
] as const satisfies OperationName[];

/** Longer than a lease: whoever leads loses it. */
const OUTAGE_MS = 4_000;

/** The database of the prepared world, of which each run gets a copy. */
const PREPARED_DATABASE = 'prepared';

export class CutRuns implements FaultSource<PlannedFault> {
  readonly #postgres: Postgres;
  #databaseCount = 0;

  private constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Makes the world that the operations begin with. */
  static async prepare(postgres: Postgres): Promise<CutRuns> {
    await postgres.createDatabase(PREPARED_DATABASE);
    await withOwner((owner) => prepareWorld(stageAt(owner, postgres.urlIn(PREPARED_DATABASE))));
    await postgres.untilUnused(PREPARED_DATABASE);
    // Else each start waits until the lease of the killed server has ended.
    await postgres.primary.psql('UPDATE galaxyd.lease SET leader_id = NULL', PREPARED_DATABASE);
    return new CutRuns(postgres);
  }

  /** The connection breaks after each of its messages; others connect again at once, or after OUTAGE_MS: then the server must go on. */
  async faultsOf(operation: OperationName): Promise<PlannedFault[]> {
    const count = await this.#perform(operation, undefined, async (_, { messageCount }) => messageCount);
    return Array.from({ length: count }, (_, index) => index + 1).flatMap((nth) =>
      [false, true].map((fromThenOn) => ({ operation, call: 'message', nth, error: 'cut', fromThenOn })),
    );
  }

  async run(fault: PlannedFault, opener: FolderOpener): Promise<FaultOutcome> {
    const cut = { after: fault.nth, outageMs: fault.fromThenOn ? OUTAGE_MS : 0 };
    return await this.#perform(fault.operation, cut, async (ending, { hasCut }, stage, database) => {
      // What it has sent may still be on its way through PostgreSQL.
      await this.#postgres.untilUnused(database);
      const opening = await opener.open(this.#postgres.urlIn(database), 'read');
      return {
        failed: hasCut ? 1 : 0,
        ending: kindOf(ending),
        faults: [
          ...(ending === null ? [] : complaintsAbout(ending)),
          ...worldFaults(opening, OPERATIONS[fault.operation].from, stage),
        ],
      };
    });
  }

  /** Lets an operation happen in a database of its own, and passes on what came of it. */
  async #perform<T>(
    name: OperationName,
    cut: Cut | undefined,
    judge: (ending: Ending | null, proxy: CuttingProxy, stage: Stage, database: string) => Promise<T>,
  ): Promise<T> {
    const { from, perform } = OPERATIONS[name];
    this.#databaseCount += 1;
    const database = `cut_${this.#databaseCount}`;
    await this.#postgres.createDatabase(database, from === 'world' ? PREPARED_DATABASE : undefined);
    return await withOwner(async (owner) => {
      owner.teardown(() => this.#postgres.dropDatabase(database));
      const { port } = this.#postgres.primary;
      const proxy = await CuttingProxy.open(owner, port);
      const url = this.#postgres.urlIn(database).replace(`:${port}/`, `:${proxy.port}/`);
      const stage = stageAt(owner, url, () => proxy.begin(cut));
      if (from === 'world') stage.acknowledged.push(...PREPARED);
      return await judge(await perform(stage), proxy, stage, database);
    });
  }
}

function stageAt(owner: Owner, world: string, begin = (): void => {}): Stage {
  return { owner, env: {}, begin, world, made: '', acknowledged: [], faults: [] };
}
