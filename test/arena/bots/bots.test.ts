// The shipped bots in real worlds of each shipped rule set: all play by the rules and the same way each time, and those with a plan beat
// those without. LONG=1 plays longer, and with rules that an operator might write.
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { BOTS, botNamed } from '../../../arena/bots/index.js';
import { SHIPPED_RULES } from '../../../engine/rules/shipped.js';
import { run } from '../../clients/programs.js';
import { CUSTOM_RULES } from '../../support/custom-rules.js';
import { shortOrLong } from '../../support/process/lengths.js';
import { textOf } from '../../tidy/repository.js';
import type { Entrant } from '../support/bot-game.js';

interface Game {
  /** Name of a rule set. */
  readonly rules: string;
  readonly hours: number;
}

const START_MS = Date.UTC(2000, 0, 1);
const HOUR_MS = 3_600_000;
const SEED = 7;
const NAMES = [
  ...['idler', 'random', 'builder', 'funnel', 'greedy', 'expander', 'raider', 'turtle'],
  ...['trader', 'diplomat', 'betrayer', 'planner'],
];
/** Long enough for raiders to attack. With standard-2, new players are protected for two days, and bots wake rarely. */
const GAMES: readonly Game[] = [
  { rules: 'standard-1', hours: shortOrLong(14, 240) },
  { rules: 'standard-2', hours: shortOrLong(90, 240) },
];
const AGAIN: readonly Game[] = [
  { rules: 'standard-1', hours: shortOrLong(3, 240) },
  { rules: 'standard-2', hours: shortOrLong(46, 240) },
];
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

t.test('all bots play by all shipped rules, and the same way each time', async (t) => {
  t.same(
    GAMES.map(({ rules }) => rules),
    SHIPPED_RULES.map(({ set }) => set.name),
  );
  const played = await playedBy([...GAMES, ...AGAIN]);
  for (const [index, game] of GAMES.entries()) {
    const entrants = played[index] ?? [];
    await t.test(game.rules, async (t) => {
      playByTheRules(t, game, entrants);
      const repeated = played[GAMES.length + index] ?? [];
      const until = new Date(START_MS + (AGAIN[index]?.hours ?? 0) * HOUR_MS).toISOString();
      for (const [seat, { name, commands }] of entrants.entries()) {
        const before = commands.filter((command) => command < until);
        t.same(repeated[seat]?.commands, before, `${name} does the same again`);
      }
    });
  }
});

t.test('they play by other rules, too', { skip: shortOrLong(true, false) }, async (t) => {
  const [entrants = []] = await playedBy([{ rules: CUSTOM_RULES.set.name, hours: 72 }]);
  for (const { name, refusals, points } of entrants) {
    t.same(faultsIn(refusals), [], `${name} sends what can be carried out`);
    t.ok(points > 0);
  }
});

function playByTheRules(t: Test, { hours }: Game, entrants: readonly Entrant[]): void {
  t.equal(entrants.length, BOTS.length);
  const perDay = (count: number): number => Math.round((24 * count) / hours);
  for (const { name, commands, refusals, points, wakes, requests } of entrants) {
    t.same(faultsIn(refusals), [], `${name} sends what can be carried out`);
    t.comment(`${name}: ${points} points, ${perDay(wakes)} wakes and ${perDay(requests)} requests a day`);
    // An idler wakes once. Others have no reason to wake more often than six times an hour.
    t.ok(perDay(wakes) <= 150, `${name} wakes ${perDay(wakes)} times a day`);
    t.ok(name.startsWith('idler') || commands.length > 0, `${name} does something`);
  }
  const entrant = (name: string): Entrant | undefined => entrants.find(({ kind }) => kind.name === name);
  const points = (name: string): number => entrant(name)?.points ?? 0;
  t.ok(points('random') > points('idler'), 'a bot that acts has more than one that does nothing');
  for (const name of NAMES.slice(2)) t.ok(points(name) > points('random'), `${name} does better than chance`);
  t.ok(
    ['raider', 'planner'].some((name) =>
      entrant(name)?.commands.some((command) => command.includes('"mission":"attack"')),
    ),
    'the game is long enough for attacks',
  );
}

const faultsIn = (refusals: Entrant['refusals']): string[] =>
  Object.keys(refusals).filter((refusal) => !RACES.some((race) => race.test(refusal)));

/** Plays games in another process. @returns the bots of each */
async function playedBy(games: readonly Game[]): Promise<readonly (readonly Entrant[])[]> {
  const program = fileURLToPath(new URL('../support/bot-program.js', import.meta.url));
  const orders = games.map(({ rules, hours }) => `${rules}=${hours}`);
  return JSON.parse(await run(process.execPath, [program, String(SEED), ...orders]));
}
