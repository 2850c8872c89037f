// The command line of the bench: what it asks for, and what it refuses.
import t from 'tap';
import { HOSTILE_NAMES } from '../../bench/hostile/hostile-loads.js';
import { MIX_NAMES } from '../../bench/loads/mixes.js';
import { stepsOf } from '../../bench/runner/command-line.js';
import { UNIT_GROUP_NAMES, type UnitChoices, type UnitGroupName, unitTasks } from '../../bench/units/groups.js';
import { measuring, parse } from './support/bench.js';

/** The options with which each part is measured, by its command. */
const partsOf = (...words: string[]) =>
  new Map(measuring(...words).parts.map(({ scenario, wanted }) => [scenario.command, wanted]));
const only = (...words: string[]) => {
  const parts = [...partsOf(...words).values()];
  if (parts.length !== 1) throw new Error(`${parts.length} parts`);
  return parts[0];
};
/** The units that a command line asks for. */
const unitsOf = (...words: string[]) => {
  const wanted = partsOf(...words).get('units') as (UnitChoices & { names: readonly UnitGroupName[] }) | undefined;
  return wanted === undefined ? [] : unitTasks(wanted.names, wanted);
};

t.test('nothing asks for the short form of everything', async (t) => {
  const { durability, isJson } = measuring();
  const parts = partsOf();
  const units = unitsOf();
  t.same([...parts.keys()], ['units', 'end-to-end', 'open-loop']);
  t.same([...new Set(units.map(({ group }) => group))], UNIT_GROUP_NAMES);
  t.ok(units.every(({ isFull }) => !isFull));
  const closed = { players: [10_000], connections: undefined, peers: ['bare', 'sql'], rounds: 5, seconds: 1 };
  // Players can be created only once, so that a long load runs out of names.
  t.match(parts.get('end-to-end'), { ...closed, names: MIX_NAMES.filter((name) => name !== 'create') });
  t.match(parts.get('open-loop'), { share: 0.5, rate: undefined, players: [10_000], seconds: 5 });
  t.same(parts.get('open-loop')?.['names'], ['read', 'upgrade-cancel']);
  t.equal(durability, 'durable');
  t.equal(isJson, false);
});

t.test('the flags of the first short bench still mean the same', async (t) => {
  const words = ['--seconds', '2', '--rounds', '3', '--durability', 'relaxed', '--json'];
  t.match(partsOf(...words).get('end-to-end'), { seconds: 2, rounds: 3, durability: 'relaxed' });
  t.match(partsOf(...words).get('open-loop'), { seconds: 5, durability: 'relaxed' }, 'seconds are of closed loops');
  t.match(measuring(...words), { durability: 'relaxed', isJson: true, isChosen: false });
});

t.test('each part can be asked for alone', async (t) => {
  t.same([...partsOf('units', 'heap', 'codec').keys()], ['units']);
  t.same(
    unitsOf('units', 'codec', 'heap').map(({ group }) => group),
    ['heap', 'codec'],
    'in the order of the table',
  );

  const read = only('end-to-end', 'read', '--connections', '1,64', '--players', '1000,100000', '--peers', 'bare');
  t.match(read, { names: ['read'], connections: [1, 64], players: [1000, 100_000], peers: ['bare'] });
  t.same(only('end-to-end', '--peers', 'none')?.['peers'], []);
  t.equal(only('end-to-end', '--seconds', '0.1')?.['seconds'], 0.1, 'a load that only shows that it runs');
  t.match(only('open-loop', 'upgrade', '--rate', '500', '--seconds', '7'), {
    names: ['upgrade'],
    rate: 500,
    seconds: 7,
  });
  t.match(only('soak'), { names: ['swarm'], share: 0.8, seconds: 600, players: [100_000] });
  const settings = only('settings', 'read', '--settings', 'open,keys', '--players', '4000', '--rounds', '9');
  t.match(settings, { names: ['read'], settings: ['open', 'keys'], players: [4000], rounds: 9, seconds: 2 });
  const call = only('call', 'ships', '--rounds', '3', '--in-flight', '8');
  const keynote = { players: [10_000], connections: [64], seconds: 2 };
  t.match(call, { ...keynote, names: ['ships'], rounds: 3, inFlight: 8 });
  t.match(only('call'), { names: ['ships', 'upgrade-cancel'], inFlight: 40 });
  const subscribers = only('subscribers', 'single', '--rate', '500', '--players', '200');
  t.match(subscribers, { names: ['single'], players: [200], connections: [100], rate: 500, rounds: 3 });
  const viewers = only('viewers', '--viewers', '50', '--players', '200');
  t.match(viewers, { viewers: 50, players: [200], rate: 20_000, rounds: 3 });
  t.match(only('hostile'), { names: HOSTILE_NAMES, limits: ['off', 'on'], seconds: 5, durability: 'durable' });
  const rows = only('hostile', 'unread', 'metrics-64', '--seconds', '2', '--transport', 'javascript');
  t.match(rows, { names: ['metrics-64', 'unread'], seconds: 2, transport: ['javascript'] });
});

t.test('units play by the rules that are named, side by side, if their worlds can have others', async (t) => {
  const units = unitsOf('units', 'mix', 'heap', '--players', '1000', '--rules', 'standard-1,standard-2');
  t.same(
    units.map(({ group, rules }) => [group, rules]),
    [
      ['heap', 'standard-1'],
      ['mix', 'standard-1'],
      ['mix', 'standard-2'],
    ],
  );
  t.ok(unitsOf('units').every(({ rules }) => rules === 'standard-1'));
});

t.test('the size of the world is a parameter of those units that depend on it', async (t) => {
  const units = unitsOf('units', 'mix', 'heap', '--players', '1000,5000', '--only', 'bots', '--seed', '9');
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
  const sizes = { players: [1_000, 100_000, 1_000_000], connections: [1, 64, 256, 1_024], seconds: 4 };
  t.match(only('end-to-end', '--full'), sizes);
  t.match(only('end-to-end', '--full', '--seconds', '2'), { ...sizes, seconds: 2 }, 'what is given counts');
  t.match(only('open-loop', '--full'), { players: [10_000], seconds: 60 });
  t.ok(unitsOf('units', '--full').every(({ isFull }) => isFull));
});

t.test('a report names its files, or none', async (t) => {
  t.same(parse(['report']), { kind: 'report', files: [] });
  t.same(parse(['report', 'a.json', 'b.json']), { kind: 'report', files: ['a.json', 'b.json'] });
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
    [['--loader', 'ab'], /wrk, own/],
    [['hostile', 'metric'], /'metric' is invalid .* Allowed choices are metrics-64/],
    [['hostile', '--transport', 'tls'], /native, javascript/],
    [['hostile', '--seconds', '0'], /from 0.1 to 60/],
    [['hostile', '--seconds', '0.15'], /such as 1.5/],
    [['unit'], /too many arguments|unknown command/],
    [['--spees', '1'], /unknown option/],
  ];
  for (const [words, message] of refused) t.throws(() => parse(words), { message }, words.join(' '));
});

t.test('a comparison takes one or two revisions', async (t) => {
  const standard = { rounds: 5, mixes: ['read', 'upgrade-cancel'], players: [10_000], seconds: 2 };
  t.match(only('compare', 'main'), { before: 'main', after: '.', ...standard });
  const other = ['v1', 'v2', '--units', 'heap,mix', '--mixes', 'none', '--players', '50'];
  t.match(only('compare', ...other), { before: 'v1', after: 'v2', mixes: [], units: ['heap', 'mix'], players: [50] });
  t.equal(stepsOf(measuring('compare', ...other).parts), 10, 'five rounds of two groups');
  t.throws(() => parse(['compare']), { message: /missing required argument 'before'/ });
  t.throws(() => parse(['compare', 'a', 'b', '--rounds', '4']), { message: /from 5/ }, 'five at least');
  t.throws(() => parse(['compare', 'a', 'b', '--units', 'heaps']), { message: /There is no heaps/ });
});
