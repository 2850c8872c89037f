// Five days of two hundred bots, fifteen with LONG=1, over HTTP against real servers: played, replayed, and played
// again with other reads in between on a server that is killed again and again. All runs must end in the same state.
import t, { type Test } from 'tap';
import { MISSIONS } from '../../engine/terms/missions.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { CHOSEN_MISSIONS } from '../support/process/bot-choices.js';
import { Draws, drawSeed } from '../support/process/draws.js';
import { BOT_COUNT, DAYS, HOURS, playFifteenDays, WRITES_PER_HOUR } from '../support/process/fifteen-days.js';
import { GalaxydProcess } from '../support/process/galaxyd-process.js';
import { shortOrLong } from '../support/process/lengths.js';
import { replayLog } from '../support/process/replayed-log.js';
import { ADVANCE_PATH, type KillTally, SequentialPlayer } from '../support/process/sequential-player.js';

const KILLS = shortOrLong(4, 20);
/** How often everything must have happened at least. */
const OFTEN = shortOrLong(2, 20);
const ADMIN_KEY = 'fifteen-days-key';
const SCRIPT_SEED = 15;
const DAY_MS = 24 * 3_600_000;

interface Run {
  readonly told: { readonly seq: number; readonly hash: string };
  readonly tally: KillTally;
  /** Every entry of the log as text: its instant and its row. */
  readonly entries: readonly string[];
  /** The result of the test's own replay of the log. */
  readonly replayed: { readonly seq: number; readonly hash: string };
  /** How often each command is in the log. */
  readonly counts: ReadonlyMap<string, number>;
  readonly missions: ReadonlySet<string>;
  readonly combatReports: number;
  readonly playerCount: number;
  readonly passedMs: number;
}

interface Kills {
  readonly onHour: (hour: number) => void;
  readonly killAfterMs: (path: string) => number | null;
}

const NO_KILLS: Kills = { onHour: () => {}, killAfterMs: () => null };

t.test(`${DAYS} days end in the same state, however often they are played, replayed or killed`, async (t) => {
  const [first, killed] = await Promise.all([play(t, NO_KILLS), play(t, drawKills(new Draws(drawSeed(t))), true)]);

  t.test('enough of everything has happened', async (t) => {
    t.equal(first.passedMs, DAYS * DAY_MS);
    t.equal(first.playerCount, BOT_COUNT);
    const expected = ['construct_building', 'upgrade_building', 'cancel_building', 'build_ships', 'cancel_ships'];
    for (const type of [...expected, 'start_research', 'launch_fleet', 'recall_fleet']) {
      const count = first.counts.get(type) ?? 0;
      t.ok(count >= OFTEN, `${type}: ${count} times`);
    }
    t.same([...first.missions].sort(), [...CHOSEN_MISSIONS].sort(), 'fleets flew on every mission that bots choose');
    t.ok(first.combatReports >= OFTEN, `${first.combatReports} combat reports`);
  });

  t.test('replaying the log gives the state again', async (t) => {
    t.same(first.replayed, first.told);
    t.same(killed.replayed, killed.told);
  });

  t.test(`killed at ${KILLS} random moments, with other reads in between, they end in the same state`, async (t) => {
    const { answered, kept, lost } = killed.tally;
    t.comment(`${KILLS} kills: ${answered} after the answer, ${kept} with the command kept, ${lost} with it lost`);
    t.equal(answered + kept + lost, KILLS);
    t.equal(firstDifference(killed.entries, first.entries), null);
    t.same(killed.told, first.told);
  });
});

async function play(t: Test, { onHour, killAfterMs }: Kills, isCurious = false): Promise<Run> {
  const folder = await temporaryFolder(t);
  const args = ['serve', '--port', '0', '--data', folder, '--clock', 'manual', '--admin-key', ADMIN_KEY];
  const start = (): Promise<GalaxydProcess> => GalaxydProcess.start(t, { args });
  const player = await SequentialPlayer.begin({ start, adminKey: ADMIN_KEY, killAfterMs });
  await playFifteenDays(player, { seed: SCRIPT_SEED, onHour, isCurious });
  const told = await player.finish();

  const entries: string[] = [];
  const counts = new Map<string, number>();
  const missions = new Set<string>();
  const { engine } = await replayLog(folder, {
    visit: ({ atMs, row, command }) => {
      entries.push(JSON.stringify([atMs, row]));
      counts.set(command.type, (counts.get(command.type) ?? 0) + 1);
      if (command.type === 'launch_fleet') missions.add(MISSIONS[command.mission] ?? 'none');
    },
  });
  const { world } = engine;
  const reports = [...world.players.values()].flatMap(({ reports }) => reports);
  return {
    told,
    tally: player.tally,
    entries,
    replayed: { seq: engine.seq, hash: engine.stateHash() },
    counts,
    missions,
    combatReports: reports.filter(({ type }) => type === 'combat').length,
    playerCount: world.playerCount,
    passedMs: world.nowMs - world.settings.startMs,
  };
}

/** Kills in KILLS different hours, each shortly after a write of the hour or the advance of the clock was sent. */
function drawKills(draws: Draws): Kills {
  const hours = new Set<number>();
  while (hours.size < KILLS) hours.add(draws.below(HOURS));
  let writesLeft: number | null = null;
  return {
    onHour: (hour) => {
      writesLeft = !hours.has(hour) ? null : draws.oneIn(4) ? Number.POSITIVE_INFINITY : draws.below(WRITES_PER_HOUR);
    },
    killAfterMs: (path) => {
      if (writesLeft === null) return null;
      const isPassingTime = writesLeft === Number.POSITIVE_INFINITY && path === ADVANCE_PATH;
      writesLeft -= 1;
      if (writesLeft >= 0 && !isPassingTime) return null;
      writesLeft = null;
      return draws.pick([0, 0, 0, 1, 2]);
    },
  };
}

/** The first place at which two logs differ, or null. */
function firstDifference(entries: readonly string[], others: readonly string[]): string | null {
  const length = Math.max(entries.length, others.length);
  for (let index = 0; index < length; index += 1) {
    const [entry, other] = [entries[index], others[index]];
    if (entry !== other) return `seq ${index + 1}: ${entry ?? 'nothing'} instead of ${other ?? 'nothing'}`;
  }
  return null;
}
