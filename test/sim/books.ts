// The last check of a run: the whole history is replayed, one deadline at a time and with double-entry books, and must
// lead to the recovered world. It uses neither the log nor the sequencer.
import type { Genesis } from '../../engine/commands/genesis.js';
import { type Command, decodeCommand } from '../../engine/commands/table.js';
import type { Engine } from '../../engine/engine.js';
import { OPEN_WORLD_TOPIC, type WorldEvent } from '../../engine/events/kinds.js';
import { ROW_KINDS } from '../../engine/rows/world-rows.js';
import { Ledger } from '../support/ledger.js';
import { visibleRows, WorldStory } from '../support/world-story.js';
import { TimerAudit } from './timer-audit.js';
import type { Truth } from './truth.js';
import { require } from './violation.js';

/** Entries after which the books are compared with the world; a comparison costs as much as several entries. */
const ENTRIES_BETWEEN_LOOKS = 64;

/**
 * @param recovered the world as it was recovered at the end
 * @returns the events of the history, in order
 */
export function checkBooks(truth: Truth, recovered: Engine): readonly WorldEvent[] {
  const [genesis, ...rest] = truth.entries.map(({ atMs, row }) => ({ atMs, command: decodeCommand(row) }));
  if (genesis === undefined) return [];
  requireGenesis(genesis.command);
  const story = new WorldStory(genesis.command);
  const retold = new TimerAudit(story.engine);
  const ledger = new Ledger(story);
  for (const [index, { atMs, command }] of rest.entries()) {
    requireWorldCommand(command);
    ledger.advanceTo(atMs, () => {});
    if (command.type === 'advance_time') continue;
    require(ledger.attempt(command), () => `in the replay, the entry at seq ${index + 2} (${command.type}) is refused`);
    if (index % ENTRIES_BETWEEN_LOOKS === 0) requireBalance(ledger, index + 2);
  }
  if (story.world.playerCount > 0) requireBalance(ledger, truth.lastSeq);
  requireSame('rows', rowsOf(story.engine), rowsOf(recovered));
  requireSame('firings', told(retold), told(truth));
  requireSame('events', eventsOf(story.engine), eventsOf(recovered));
  return story.events;
}

function requireBalance(ledger: Ledger, seq: number): void {
  const faults = ledger.faults();
  require(faults.length === 0, () => `at seq ${seq} the books do not balance: ${faults.join('; ')}`);
}

function requireSame(what: string, retold: readonly string[], live: readonly string[]): void {
  const at = retold.findIndex((text, index) => text !== live[index]);
  require(at === -1 && retold.length === live.length, () => {
    return `in the replay, the ${what} differ: ${retold.at(at)} instead of ${live.at(at)} (${retold.length}, ${live.length})`;
  });
}

/** Kept replies and events carry the seqs of their entries, and the replay has other ticks. */
const rowsOf = (engine: Engine): string[] =>
  visibleRows(engine)
    .filter(([kind]) => kind !== ROW_KINDS.kept_reply && kind !== ROW_KINDS.events)
    .map((row) => JSON.stringify(row));

const eventsOf = ({ world: { eventLog, lastPlayerNumber } }: Engine): string[] => {
  const receivers = Array.from({ length: lastPlayerNumber + 2 }, (_, index) => OPEN_WORLD_TOPIC + index);
  return receivers.flatMap((receiver) =>
    eventLog
      .read(receiver, eventLog.oldestSeq(receiver) - 1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
      .map(({ seq, event }) => `event ${seq} of ${receiver}: ${JSON.stringify(event)}`),
  );
};
const told = ({ firings }: Pick<Truth, 'firings'>): string[] =>
  firings.map(({ id, deadlineMs, kind }) => `timer ${id} of kind ${kind} at ${deadlineMs}`);

function requireGenesis(command: Command): asserts command is Genesis {
  require(command.type === 'genesis', () => `the first entry is a ${command.type}`);
}

function requireWorldCommand(command: Command): asserts command is Exclude<Command, Genesis> {
  require(command.type !== 'genesis', () => 'a world begins twice');
}
