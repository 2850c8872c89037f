// The shipped bots in a real world: all of them play by the rules, the same way each time, and those that think do better than
// those that do not. LONG=1 plays longer, and every bot by rules that an operator might write.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { BOTS, botNamed } from '../../arena/bots/index.js';
import { run } from '../clients/programs.js';
import { temporaryFolder } from '../persistence/temporary-folder.js';
import { CUSTOM_RULES } from '../support/custom-rules.js';
import { GalaxydProcess } from '../support/process/galaxyd-process.js';
import { shortOrLong } from '../support/process/lengths.js';
import { textOf } from '../tidy/repository.js';
import type { Entrant } from './support/bot-game.js';

const ADMIN_KEY = 'let-me-advance-time';

const DAYS = shortOrLong(1, 10);
const DAYS_AGAIN = shortOrLong(1, 10);
const SEED = 7;
const NAMES = ['idler', 'random', 'greedy', 'expander', 'raider', 'turtle', 'trader', 'planner'];

/** Refusals that come from what others did meanwhile. All others are faults of the bot. */
const RACES = [/^409 planet_occupied /, /^409 fleet_not_in_transit /];

t.test('the table has the bots that the command line promises, each with a sentence', async (t) => {
  t.same(new Set(BOTS.map(({ name }) => name)), new Set(NAMES));
  for (const { name, summary } of BOTS) t.match(summary, /^[A-Z].*\.$/, name);
  t.equal(botNamed('nobody'), undefined);
});

t.test('docs/arena.md lists them, and shows one of them as it is', async (t) => {
  const guide = textOf('docs/arena.md');
  for (const { name, summary } of BOTS) t.ok(guide.includes(`| \`${name}\` | ${summary} |`), name);
  t.ok(guide.includes(`\`\`\`ts\n${textOf('arena/bots/greedy.ts')}\`\`\``));
});

t.test('all bots play by the rules, and the same way each time', async (t) => {
  const played = await playedBy(t, DAYS, []);
  const again = await playedBy(t, DAYS_AGAIN, []);
  for (const [index, { name, commands, ...entrant }] of played.entries()) {
    const faults = Object.keys(entrant.refusals).filter((refusal) => !RACES.some((race) => race.test(refusal)));
    t.same(faults, [], `${name} sends what can be carried out`);
    const repeated = again[index]?.commands ?? [];
    t.same(repeated, commands.slice(0, repeated.length), `${name} does the same again`);
    t.comment(
      `${name}: ${entrant.points} points, ${perDay(entrant.wakes)} wakes and ${perDay(entrant.requests)} requests a day`,
    );
    // An idler wakes once. Others have no reason to look more often than six times an hour.
    t.ok(perDay(entrant.wakes) <= 150, `${name} wakes ${perDay(entrant.wakes)} times a day`);
    t.ok(name.startsWith('idler') || commands.length > 0, `${name} does something`);
  }
  const points = (name: string): number => played.find(({ kind }) => kind.name === name)?.points ?? 0;
  t.ok(points('random') > points('idler'), 'a bot that acts has more than one that does nothing');
  for (const name of NAMES.slice(2)) t.ok(points(name) > points('random'), `${name} does better than chance`);
});

t.test('they play by other rules, too', { skip: shortOrLong(true, false) }, async (t) => {
  const file = join(await temporaryFolder(t), 'rules.json');
  await writeFile(file, CUSTOM_RULES.text);
  for (const { name, refusals, points } of await playedBy(t, 3, ['--rules', file])) {
    const faults = Object.keys(refusals).filter((refusal) => !RACES.some((race) => race.test(refusal)));
    t.same(faults, [], `${name} sends what can be carried out`);
    t.ok(points > 0);
  }
});

const perDay = (count: number): number => Math.round(count / DAYS);

async function playedBy(t: Test, days: number, flags: readonly string[]): Promise<readonly Entrant[]> {
  const world = [
    '--data',
    join(await temporaryFolder(t), 'world'),
    '--seed',
    String(SEED),
    '--systems-per-galaxy',
    '10',
  ];
  const clock = ['--clock', 'manual', '--admin-key', ADMIN_KEY, '--port', '0'];
  const galaxyd = await GalaxydProcess.start(t, { args: ['serve', ...world, ...clock, ...flags] });
  const program = fileURLToPath(new URL('support/bot-program.js', import.meta.url));
  const output = await run(process.execPath, [program, galaxyd.url, ADMIN_KEY, String(SEED), String(days)]);
  t.match(await galaxyd.stop(), { code: 0 });
  return JSON.parse(output) as readonly Entrant[];
}
