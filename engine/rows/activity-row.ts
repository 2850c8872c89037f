// The rows of when players were last active (activity.ts). Only snapshots have them: they are not part of the state hash, and a
// snapshot without them is of a world in which every player was active just then, as far as is known.
import type { World } from '../state.js';
import { ROW_KINDS, type Row } from './row.js';
import type { RowReader } from './row-reader.js';
import type { WorldDraft } from './world-draft.js';

/** Players in one row. */
const PLAYERS_PER_ROW = 1_000;

/** Rows of the first player's number and an instant for each player from there on, 0 for a retired one. */
export function* writeActivity(world: World): Generator<Row> {
  const { players, lastPlayerNumber, activity, lastEntryMs } = world;
  if (players.every((player) => player === undefined || activity.lastMs(player.number) === lastEntryMs)) return;
  for (let first = 1; first <= lastPlayerNumber; first += PLAYERS_PER_ROW) {
    const instants: number[] = [];
    for (let number = first; number < first + PLAYERS_PER_ROW && number <= lastPlayerNumber; number += 1) {
      instants.push(players[number] === undefined ? 0 : activity.lastMs(number));
    }
    yield [ROW_KINDS.activity, first, instants];
  }
}

export function readActivity({ world, lastReadNumber }: WorldDraft, row: RowReader): void {
  row.requireLength(3);
  const first = row.integer('first player number', 1, lastReadNumber);
  const instants = row.fewIntegers('instants', PLAYERS_PER_ROW);
  for (const [index, atMs] of instants.entries()) {
    if (atMs > world.lastEntryMs) throw new Error(`player ${first + index} was active after the world time`);
    world.activity.record(first + index, atMs);
  }
}
