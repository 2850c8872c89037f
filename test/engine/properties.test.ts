// Properties of every world, whatever is done in it: bots make random moves with random waits. That nothing comes from nowhere and nothing
// is lost is in conservation.test.ts.

import t from 'tap';
import { decodeCommand, encodeCommand } from '../../engine/commands/table.js';
import { WORLD_TOPIC } from '../../engine/events/kinds.js';
import { ROW_KINDS } from '../../engine/rows/world-rows.js';
import { STANDARD_1_RULES } from '../../engine/rules/shipped.js';
import { anyMoves, playAudited } from '../support/audited-play.js';
import { CUSTOM_RULES } from '../support/custom-rules.js';
import { Ledger } from '../support/ledger.js';
import { PLANNED_RULES } from '../support/planned-rules.js';
import { shortOrLong } from '../support/process/lengths.js';
import fc from '../support/properties.js';
import { settleBots } from '../support/random-play.js';
import { replay, visibleRows, WorldStory, written } from '../support/world-story.js';

const moves = anyMoves({ maxLength: 200 });
const speed = fc.constantFrom(1000, 1000, 500, 60_000);
const seed = fc.nat(1000);
/** Texts of rule sets. */
const rules = fc.constantFrom(STANDARD_1_RULES.text, CUSTOM_RULES.text, PLANNED_RULES.text);

const NOT_OF_A_PLAYER: ReadonlySet<unknown> = new Set([
  ROW_KINDS.world,
  ROW_KINDS.rules,
  ROW_KINDS.announcement,
  ROW_KINDS.retired,
  ROW_KINDS.freed_starter,
  ROW_KINDS.event_log,
]);

/** Plays moves in a world of eight bots in two systems; `look` is called after every entry and every refusal. */
function play(
  speedThousandths: number,
  seed: number,
  rules: string,
  moves: readonly (readonly number[])[],
  look: (story: WorldStory) => void,
): WorldStory {
  const story = new WorldStory({ speedThousandths, seed, rules, systemsPerGalaxy: 2 });
  const ledger = new Ledger(story);
  settleBots(story, 8);
  playAudited(ledger, moves, { look });
  return story;
}

t.test('a changed player or planet carries the seq of the entry that changed it', async () => {
  fc.assert(
    fc.property(seed, rules, moves, (seed, rules, moves) => {
      let before = new Map<string, string>();
      play(1000, seed, rules, moves, ({ engine }) => {
        const { after, changedSeqs } = shownThings(engine);
        for (const [thing, shown] of after) {
          if (before.size > 0 && before.get(thing) !== shown && changedSeqs.get(thing) !== engine.seq) {
            throw new Error(`${thing} changed with entry ${engine.seq} but says ${changedSeqs.get(thing)}`);
          }
        }
        before = after;
      });
    }),
    { numRuns: shortOrLong(10, 40) },
  );
});

t.test('a replay of the accepted entries, through their codec, gives the same world', async () => {
  fc.assert(
    fc.property(speed, seed, rules, moves, (speedThousandths, seed, rules, moves) => {
      const { engine, entries } = play(speedThousandths, seed, rules, moves, () => undefined);
      const log = written(entries);
      for (const { row } of log) {
        if (JSON.stringify(encodeCommand(decodeCommand(row))) !== JSON.stringify(row)) throw new Error(`row ${row}`);
      }
      const again = replay(log);
      const points = (engine: { world: WorldStory['world'] }) =>
        [...engine.world.players.values()].map(({ points }) => points);
      if (again.stateHash() !== engine.stateHash() || again.seq !== engine.seq) throw new Error('the worlds differ');
      if (again.nextDeadlineMs() !== engine.nextDeadlineMs()) throw new Error('the timers differ');
      if (String(points(again)) !== String(points(engine))) throw new Error('the points differ');
    }),
    { numRuns: shortOrLong(20, 40) },
  );
});

t.test('an unknown command number is not decoded', async (t) => {
  t.throws(() => decodeCommand([9999]), /command number 9999 is not known/);
  t.throws(() => decodeCommand([]), /is not known/);
  const row = encodeCommand({ type: 'create_second_starter', playerNumber: 1 });
  t.throws(() => decodeCommand([...row, 2]), /unknown fields/, 'nor are fields that a later program has added');
});

/** What each player and each planet shows, with the seq of its last change. */
function shownThings(engine: WorldStory['engine']) {
  const after = new Map<string, string>();
  const changedSeqs = new Map<string, number>();
  let player = '';
  for (const row of visibleRows(engine)) {
    if (NOT_OF_A_PLAYER.has(row[0])) continue;
    if (row[0] === ROW_KINDS.events && Number(row[1]) <= WORLD_TOPIC) continue;
    if (row[0] === ROW_KINDS.player || row[0] === ROW_KINDS.events) player = `player ${row[1]}`;
    after.set(player, (after.get(player) ?? '') + JSON.stringify(row));
    if (row[0] === ROW_KINDS.planet) after.set(`planet ${row[1]}`, JSON.stringify(row));
    if (row[0] === ROW_KINDS.plan) after.set(`planet ${row[1]}`, after.get(`planet ${row[1]}`) + JSON.stringify(row));
  }
  for (const player of engine.world.players.values()) changedSeqs.set(`player ${player.number}`, player.changedSeq);
  for (const planet of engine.world.planets.values()) changedSeqs.set(`planet ${planet.key}`, planet.changedSeq);
  return { after, changedSeqs };
}
