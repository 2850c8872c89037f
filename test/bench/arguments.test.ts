// The command lines of the bench: what they ask for, and what they refuse.
import type { Command } from 'commander';
import t from 'tap';
import { parseArguments, parseCompareArguments } from '../../bench/arguments.js';
import { MIX_NAMES } from '../../bench/end-to-end/mixes.js';
import { HOSTILE_NAMES } from '../../bench/hostile/hostile-loads.js';
import { UNIT_GROUP_NAMES } from '../../bench/units/groups.js';

/** Throws instead of ending the process, and prints nothing. */
const quiet = (command: Command): void => {
  command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
};
const measuring = (...words: string[]) => {
  const plan = parseArguments(words, quiet);
  if (plan.kind !== 'measure') throw new Error('it was to measure');
  return plan;
};

t.test('nothing asks for the short form of everything', async (t) => {
  const { units = [], endToEnd, openLoop, durability, isJson } = measuring();
  t.same([...new Set(units.map(({ group }) => group))], UNIT_GROUP_NAMES);
  t.ok(units.every(({ isFull }) => !isFull));
  t.same(endToEnd?.mixes, MIX_NAMES);
  t.match(endToEnd, { players: [10_000], connections: undefined, peers: ['bare', 'sql'], rounds: 5, seconds: 1 });
  t.match(openLoop, { share: 0.5, ratePerSecond: undefined, players: 10_000 });
  t.equal(durability, 'durable');
  t.equal(isJson, false);
});

t.test('the flags of the first short bench still mean the same', async (t) => {
  const { endToEnd } = measuring('--seconds', '2', '--rounds', '3', '--durability', 'relaxed', '--json');
  t.match(endToEnd, { seconds: 2, rounds: 3, durability: 'relaxed' });
});

t.test('each part can be asked for alone', async (t) => {
  const heap = measuring('units', 'heap', 'codec');
  t.same(
    heap.units?.map(({ group }) => group),
    ['heap', 'codec'],
  );
  t.equal(heap.endToEnd, undefined);
  t.equal(heap.openLoop, undefined);

  const read = measuring('end-to-end', 'read', '--connections', '1,64', '--players', '1000,100000', '--peers', 'bare');
  t.equal(read.units, undefined);
  t.match(read.endToEnd, { mixes: ['read'], connections: [1, 64], players: [1000, 100_000], peers: ['bare'] });
  t.same(measuring('end-to-end', '--peers', 'none').endToEnd?.peers, []);
  t.equal(measuring('end-to-end', '--seconds', '0.1').endToEnd?.seconds, 0.1, 'a load that only shows that it runs');

  const open = measuring('open-loop', 'upgrade', '--rate', '500', '--seconds', '7');
  t.match(open.openLoop, { mixes: ['upgrade'], ratePerSecond: 500, seconds: 7, windowSeconds: 7 });

  const soak = measuring('soak');
  t.match(soak.openLoop, { mixes: ['swarm'], share: 0.8, seconds: 600, windowSeconds: 10 });

  const settings = measuring('settings', 'read', '--settings', 'open,keys', '--players', '4000', '--rounds', '9');
  t.match(settings.settings, { mixes: ['read'], settings: ['open', 'keys'], players: 4000, rounds: 9, seconds: 2 });

  const call = measuring('call', 'ships', '--rounds', '3', '--in-flight', '8');
  const keynote = { players: 10_000, connections: 64, seconds: 2 };
  t.match(call.calls, { ...keynote, mixes: ['ships'], rounds: 3, inFlight: 8 });
  t.match(measuring('call').calls, { mixes: ['ships', 'upgrade-cancel'], inFlight: 40 });

  const { subscribers } = measuring('subscribers', 'single', '--rate', '500', '--players', '200');
  t.match(subscribers, { forms: ['single'], players: 200, connections: 100, ratePerSecond: 500, rounds: 3 });
  const { viewers } = measuring('viewers', '--viewers', '50', '--players', '200');
  t.match(viewers, { viewers: 50, players: 200, ratePerSecond: 20_000, rounds: 3 });

  const hostile = measuring('hostile');
  t.match(hostile.hostile, { rows: HOSTILE_NAMES, limits: ['off', 'on'], seconds: 5, durability: 'durable' });
  t.same([hostile.units, hostile.endToEnd], [undefined, undefined]);
  const rows = measuring('hostile', 'unread', 'metrics-64', '--seconds', '2', '--transport', 'javascript');
  t.match(rows.hostile, { rows: ['metrics-64', 'unread'], seconds: 2, transport: 'javascript' });
});

t.test('units play by the rules that are named, side by side, if their worlds can have others', async (t) => {
  const { units = [] } = measuring('units', 'mix', 'heap', '--players', '1000', '--rules', 'standard-1,standard-2');
  t.same(
    units.map(({ group, rules }) => [group, rules]),
    [
      ['heap', 'standard-1'],
      ['mix', 'standard-1'],
      ['mix', 'standard-2'],
    ],
  );
  t.ok(measuring('units').units?.every(({ rules }) => rules === 'standard-1'));
});

t.test('the size of the world is a parameter of those units that depend on it', async (t) => {
  const { units = [] } = measuring('units', 'mix', 'heap', '--players', '1000,5000', '--only', 'bots', '--seed', '9');
  t.same(
    units.map(({ group, players }) => [group, players]),
    [
      ['heap', 0],
      ['mix', 1000],
      ['mix', 5000],
    ],
  );
  t.ok(units.every(({ only, seed }) => only === 'bots' && seed === 9));
});

t.test('the full form takes the sizes of the issue', async (t) => {
  const { endToEnd } = measuring('end-to-end', '--full');
  t.match(endToEnd, { players: [1_000, 100_000, 1_000_000], connections: [1, 64, 256, 1_024] });
  t.ok(measuring('units', '--full').units?.every(({ isFull }) => isFull));
});

t.test('a report names its files, or none', async (t) => {
  t.same(parseArguments(['report'], quiet), { kind: 'report', files: [] });
  t.same(parseArguments(['report', 'a.json', 'b.json'], quiet), { kind: 'report', files: ['a.json', 'b.json'] });
});

t.test('what makes no sense is refused', async (t) => {
  const refused: readonly (readonly [words: string[], message: RegExp])[] = [
    [['--rounds', '0'], /whole number from 1/],
    [['--rounds', '1e3'], /whole number/],
    [['--seconds', '61'], /to 60/],
    [['units', 'heaps'], /'heaps' is invalid .* Allowed choices are commands/],
    [['end-to-end', 'reads'], /'reads' is invalid/],
    [['end-to-end', '--players', '1000,'], /whole number/],
    [['end-to-end', '--players', '1000001'], /to 1000000/],
    [['end-to-end', '--peers', 'mysql'], /There is no mysql/],
    [['open-loop', '--share', '0'], /above 0/],
    [['open-loop', '--share', '1.5'], /at most 1/],
    [['--durability', 'none'], /durable, relaxed/],
    [['--loader', 'ab'], /wrk, autocannon/],
    [['hostile', 'metric'], /'metric' is invalid .* Allowed choices are metrics-64/],
    [['hostile', '--transport', 'tls'], /native, javascript/],
    [['hostile', '--seconds', '0'], /from 0.1 to 60/],
    [['hostile', '--seconds', '0.15'], /such as 1.5/],
    [['unit'], /too many arguments|unknown command/],
    [['--spees', '1'], /unknown option/],
  ];
  for (const [words, message] of refused) t.throws(() => parseArguments(words, quiet), { message }, words.join(' '));
});

t.test('a comparison takes one or two revisions', async (t) => {
  const { plan } = parseCompareArguments(['main'], quiet);
  t.match(plan, { before: 'main', after: '.', rounds: 5, mixes: ['read', 'upgrade-cancel'], players: 10_000 });
  const other = parseCompareArguments(['v1', 'v2', '--units', 'heap,mix', '--mixes', 'none', '--players', '50'], quiet);
  t.match(other.plan, { before: 'v1', after: 'v2', mixes: [] });
  t.same(
    other.plan.units.map(({ group, players }) => [group, players]),
    [
      ['heap', 0],
      ['mix', 50],
    ],
  );
  t.throws(() => parseCompareArguments([], quiet), { message: /missing required argument 'before'/ });
  t.throws(() => parseCompareArguments(['a', 'b', '--rounds', '4'], quiet), { message: /from 5/ }, 'five at least');
  t.throws(() => parseCompareArguments(['a', 'b', '--units', 'heaps'], quiet), { message: /There is no heaps/ });
});
