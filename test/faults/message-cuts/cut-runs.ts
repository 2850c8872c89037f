// One operation on a world in PostgreSQL, while the connection breaks after one message of the protocol. Nothing is acknowledged that the
// database does not have, and what it has can be read.

import type { Postgres } from '../../support/postgres/postgres.js';
import type { Owner } from '../../support/process/galaxyd-process.js';
import {
  complaintsAbout,
  type FaultOutcome,
  type FaultSource,
  kindOf,
  type PlannedFault,
  worldFaults,
} from '../calls/fault-run.js';
import { OPERATIONS, type OperationName, prepareWorld, type Stage } from '../calls/operations.js';
import type { FolderOpener } from '../folder-opener.js';
import { type Cut, CuttingProxy } from './cutting-proxy.js';

/** Operations of a server; commands that copy a world are those of folders. */
export const CUT_OPERATIONS = [
  ...['a new world', 'a start', 'a command', 'a group commit', 'a snapshot', 'a stop'],
] as const satisfies OperationName[];

export class CutRuns implements FaultSource<PlannedFault> {
  readonly #postgres: Postgres;
  #worldCount = 0;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** The connection breaks after each of its messages; others connect again, or nobody can. */
  async faultsOf(operation: OperationName): Promise<PlannedFault[]> {
    const count = await this.#withStage(undefined, async (stage, proxy) => {
      await this.#perform(operation, stage);
      return proxy.messageCount;
    });
    return Array.from({ length: count }, (_, index) => index + 1).flatMap((nth) =>
      [false, true].map((fromThenOn) => ({ operation, call: 'message', nth, error: 'cut', fromThenOn })),
    );
  }

  async run(fault: PlannedFault, opener: FolderOpener): Promise<FaultOutcome> {
    const cut = { after: fault.nth, forGood: fault.fromThenOn };
    return await this.#withStage(cut, async (stage, proxy, world) => {
      const ending = await this.#perform(fault.operation, stage);
      const { hasCut } = proxy;
      // What it has sent may still be on its way through PostgreSQL.
      await this.#postgres.untilUnused();
      const opening = await opener.open(this.#postgres.url(world), 'read');
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

  async #perform(name: OperationName, stage: Stage) {
    const { from, perform } = OPERATIONS[name];
    if (from === 'world') await prepareWorld(stage);
    return await perform(stage);
  }

  async #withStage<T>(
    cut: Cut | undefined,
    work: (stage: Stage, proxy: CuttingProxy, world: string) => Promise<T>,
  ): Promise<T> {
    const undo: (() => unknown)[] = [];
    const owner: Owner = { teardown: (step) => undo.push(step as () => unknown) };
    this.#worldCount += 1;
    const world = `cut_${this.#worldCount}`;
    try {
      const proxy = await CuttingProxy.open(owner, this.#postgres.primary.port);
      const url = this.#postgres.url(world).replace(`:${this.#postgres.primary.port}`, `:${proxy.port}`);
      const begin = (): void => proxy.begin(cut);
      return await work({ owner, env: {}, begin, world: url, made: '', acknowledged: [], faults: [] }, proxy, world);
    } finally {
      for (const step of undo.reverse()) await step();
    }
  }
}
