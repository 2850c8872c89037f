// Two revisions in turn, A B B A, in the same run: what the machine does meanwhile touches both. A difference is marked if it is more
// than noise.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import { BenchFailed } from '../bench-failed.js';
import { COMPARED_ROUNDS_MIN, OUTPUT_BYTES_MAX } from '../limits.js';
import { type ClosedLoad, portionOf } from '../loads/load.js';
import { loadOf, MIX_NAMES, MIXES, type MixName } from '../loads/mixes.js';
import { atExit, inTemporaryFolder } from '../processes/clean-up.js';
import { type Revision, ROOT, revisionOf, revisionText } from '../runner/results.js';
import type { Run, Samples } from '../runner/run.js';
import * as row from '../runner/scenario.js';
import { isBeyondNoise, pairedRatio, type Spread, spreadOf } from '../runner/statistics.js';
import { number } from '../runner/table.js';
import { type GalaxydWorld, sizeOfWorld, startGalaxydWorld } from '../servers/galaxyd-world.js';
import { TESTED } from '../servers/game-client.js';
import { measureUnits, UNIT_GROUP_NAMES, type UnitGroupName, unitTasks } from '../units/groups.js';

/** Stands for the files as they are here, committed or not. */
const THIS_CHECKOUT = '.';
/** The workspace of the client of the API. */
const CLIENT_PACKAGE = 'galaxyd-client';

const execute = promisify(execFile);

const COMPARED_UNITS: readonly UnitGroupName[] = ['commands', 'ticks', 'heap', 'codec', 'views', 'mix'];
const COMPARED_MIXES: readonly MixName[] = ['read', 'upgrade-cancel'];

const options = {
  before: {
    flags: '<before>',
    description: 'anything git knows a commit by',
    standard: '',
  } as row.OptionRow<string>,
  after: {
    flags: '[after]',
    description: 'the same; a full stop is this checkout with its changes',
    standard: THIS_CHECKOUT,
  } as row.OptionRow<string>,
  units: row.list('--units <list>', 'groups of units', UNIT_GROUP_NAMES, COMPARED_UNITS),
  mixes: row.list('--mixes <list>', 'mixes end to end', MIX_NAMES, COMPARED_MIXES),
  rounds: row.rounds(undefined, COMPARED_ROUNDS_MIN),
  seconds: row.closedSeconds(2),
  players: row.players(),
  connections: row.connections(),
  only: row.only,
  loader: row.loader,
  durability: row.durability,
  seed: row.seed,
};

type Wanted = row.Values<typeof options>;
type Side = 'before' | 'after';
const TABLE = 'comparison';
const SIDES: readonly Side[] = ['before', 'after'];
/** Nobody would act on a difference below this share, however steady the machine is. */
const DIFFERENCE_MIN = 0.03;

/** As much of a reading as a comparison needs. */
interface ComparedFigure {
  readonly id: string;
  readonly unit: string;
  readonly isLowerBetter: boolean;
  readonly median: number;
}

export const comparison = row.scenario({
  command: 'compare',
  description: 'two revisions in turn; what differs by more than noise is marked',
  options,
  steps: (wanted) => wanted.rounds * (wanted.mixes.length + tasksOf(wanted).length),
  measure: (run, wanted) =>
    inTemporaryFolder(async (folder) => {
      run.say(`building ${wanted.before} and ${wanted.after}`);
      const before = await checkOut(wanted.before, join(folder, 'before'));
      const after = await checkOut(wanted.after, join(folder, 'after'));
      try {
        const [one, other] = [before, after].map(({ revision }) => revisionText(revision));
        run.table(TABLE).notes.push(`${one} → ${other}, ${wanted.rounds} rounds, interleaved.`);
        await compareUnits(run, wanted, { before, after });
        for (const mix of wanted.mixes)
          await inTemporaryFolder((worlds) => compareMix(run, wanted, { before, after }, mix, worlds));
      } finally {
        before.remove();
        after.remove();
      }
    }),
});

function tasksOf({ units, players, only, seed }: Wanted) {
  return unitTasks(units, { players: players.slice(0, 1), only, seed, full: false, rules: ['standard-1'] });
}

type Checkouts = Readonly<Record<Side, Checkout>>;

async function compareUnits(run: Run, wanted: Wanted, checkouts: Checkouts): Promise<void> {
  const tasks = tasksOf(wanted);
  const unfit = namesOf(checkouts, ({ units }) => units === undefined);
  if (unfit !== '' && tasks.length > 0) {
    run.table(TABLE).notes.push(`Units are left out: this suite does not compile against ${unfit}.`);
    run.step('units left out', tasks.length * wanted.rounds);
    return;
  }
  for (const task of tasks) {
    const measure = (side: Side) => measureUnits(task, (text) => run.say(`${side}: ${text}`), checkouts[side].units);
    await inTurn(run, wanted, task.group, measure);
  }
}

/** Both servers are up at the same time; one at a time is loaded. */
async function compareMix(run: Run, wanted: Wanted, checkouts: Checkouts, mix: MixName, folder: string): Promise<void> {
  const size = sizeOfWorld(wanted.players[0] ?? row.PLAYERS);
  const worlds = new Map<Side, GalaxydWorld>();
  try {
    for (const side of SIDES) {
      run.say(`setting up a world of ${size.players} bots, ${side}`);
      const { server: program } = checkouts[side];
      const { durability } = wanted;
      const options = { size, pace: MIXES[mix].pace, durability, folder: join(folder, side), program };
      worlds.set(side, await startGalaxydWorld(options));
    }
    await compareWorlds(run, wanted, checkouts, mix, worlds);
  } finally {
    for (const { server } of worlds.values()) await server.stop();
  }
}

async function compareWorlds(
  run: Run,
  wanted: Wanted,
  checkouts: Checkouts,
  mix: MixName,
  worlds: ReadonlyMap<Side, GalaxydWorld>,
): Promise<void> {
  const { rounds, seconds, seed, connections } = wanted;
  const loads = new Map<Side, ClosedLoad>();
  for (const [side, world] of worlds) {
    const load = { ...loadOf(mix, world, seed, connections?.[0]), server: `${TESTED} ${side}`, seconds };
    const [first] = load.requests;
    if (first !== undefined && (await world.client.offers(first))) loads.set(side, load);
  }
  const unfit = namesOf(checkouts, (_, side) => !loads.has(side));
  if (unfit !== '') {
    run.table(TABLE).notes.push(`The mix ${mix} is left out: not offered by ${unfit}.`);
    run.step(`${mix} left out`, rounds);
    return;
  }
  await inTurn(run, wanted, mix, async (side, round) => {
    const load = loads.get(side) as ClosedLoad;
    const measured = await run.loop.measure({ ...load, requests: portionOf(load, round, rounds) });
    run.table(TABLE).addFaults(`${mix}, ${side}, round ${round + 1}`, measured);
    const id = (what: string) => `${mix}: ${what}, ${wanted.players[0]} players, ${load.connections} connections`;
    return [
      { id: id('throughput'), unit: 'requests/s', isLowerBetter: false, median: measured.requestsPerSecond },
      { id: id('p99'), unit: 'ms', isLowerBetter: true, median: measured.p99Ms },
    ];
  });
}

function inTurn(
  run: Run,
  { rounds }: Wanted,
  name: string,
  measure: (side: Side, round: number) => Promise<readonly ComparedFigure[]>,
): Promise<void> {
  const conclude = ([before, after]: readonly Samples<readonly ComparedFigure[]>[]) => {
    const { rows, lonely } = compared(before?.rounds ?? [], after?.rounds ?? []);
    const table = run.table(TABLE);
    table.rows.push(...rows);
    if (lonely.length > 0) table.notes.push(`Only one revision has: ${lonely.join('; ')}.`);
  };
  return run.contest(name, SIDES, { rounds, measure, conclude });
}

function namesOf(checkouts: Checkouts, isMeant: (checkout: Checkout, side: Side) => boolean): string {
  const meant = SIDES.filter((side) => isMeant(checkouts[side], side));
  return meant.map((side) => checkouts[side].revision.name).join(' and ');
}

type Rounds = readonly (readonly ComparedFigure[])[];

/** Pairs the figures of all rounds by their ids. @returns also the ids that only one of the revisions has */
export function compared(before: Rounds, after: Rounds) {
  const valuesOf = (rounds: Rounds, id: string) =>
    rounds.flat().flatMap((figure) => (figure.id === id ? figure.median : []));
  const figures = new Map([...before.flat(), ...after.flat()].map((figure) => [figure.id, figure]));
  const pairs = [...figures.values()].map((figure) => {
    return { figure, values: [valuesOf(before, figure.id), valuesOf(after, figure.id)] as const };
  });
  const isPaired = ({ values: [one, other] }: (typeof pairs)[number]) => one.length === other.length;
  const rows = pairs.filter(isPaired).map(({ figure, values: [one, other] }) => {
    const spreads = [spreadOf(one), spreadOf(other)] as const;
    const [textBefore, textAfter] = spreads.map(
      ({ lower, median, upper }) => `${number(median)} (${number(lower)} to ${number(upper)})`,
    );
    const cells = { reading: figure.id, before: textBefore ?? '', after: textAfter ?? '', unit: figure.unit };
    return { ...cells, ratio: pairedRatio(other, one), 'beyond noise': verdictOf(...spreads, figure.isLowerBetter) };
  });
  return { rows, lonely: pairs.filter((pair) => !isPaired(pair)).map(({ figure }) => figure.id) };
}

/** A difference counts if the inner halves of the rounds do not touch, and the medians differ by enough. */
function verdictOf(before: Spread, after: Spread, isLowerBetter: boolean): 'better' | 'worse' | null {
  const difference = Math.abs(after.median / before.median - 1);
  if (!isBeyondNoise(before, after) || difference < DIFFERENCE_MIN) return null;
  return after.median < before.median === isLowerBetter ? 'better' : 'worse';
}

/**
 * A revision of this repository, built in a folder of its own with the suite of this checkout laid over it, so that both revisions are
 * measured with the same ruler.
 */
interface Checkout {
  readonly revision: Revision;
  /** dist/cli/main.js */
  readonly server: URL;
  /** dist/bench/units/program.js; undefined if the suite does not compile against this revision. */
  readonly units: URL | undefined;
  remove(): void;
}

/**
 * @param name anything git knows a commit by, or THIS_CHECKOUT, which must be built already
 * @param folder of the worktree; must not exist
 * @throws BenchFailed if git does not know the name, or the revision cannot be built
 */
async function checkOut(name: string, folder: string): Promise<Checkout> {
  if (name === THIS_CHECKOUT) return programsOf(ROOT, revisionOf(ROOT), () => {});
  const commit = commitOf(name);
  execFileSync('git', ['-C', ROOT, 'worktree', 'add', '--quiet', '--detach', folder, commit], { stdio: 'pipe' });
  const remove = () => {
    execFileSync('git', ['-C', ROOT, 'worktree', 'remove', '--force', folder], { stdio: 'pipe' });
  };
  const forget = atExit(remove);
  try {
    await install(folder);
    await build(folder);
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    const [line = ''] = (stdout || stderr || String(error)).trim().split('\n', 1);
    throw new BenchFailed(`${name} cannot be built: ${line}`);
  }
  return programsOf(folder, { name, commit: commit.slice(0, 12), isDirty: false }, () => {
    forget();
    remove();
  });
}

/** @throws BenchFailed */
function commitOf(name: string): string {
  try {
    const args = ['-C', ROOT, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
    return execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    throw new BenchFailed(`git knows no commit ${name}`);
  }
}

function programsOf(folder: string, revision: Revision, remove: () => void): Checkout {
  const program = (...path: string[]) => pathToFileURL(join(folder, 'dist', ...path));
  const units = program('bench', 'units', 'program.js');
  return { revision, server: program('cli', 'main.js'), units: existsSync(units) ? units : undefined, remove };
}

/**
 * Our own packages serve both if the program itself needs the same ones: the development packages are the suite's. Only the client of
 * the API is the revision's own.
 */
async function install(folder: string): Promise<void> {
  if (isDeepStrictEqual(dependenciesOf(folder), dependenciesOf(ROOT))) {
    const packages = join(folder, 'node_modules');
    mkdirSync(packages);
    for (const name of readdirSync(join(ROOT, 'node_modules'))) {
      const isClient = name === CLIENT_PACKAGE;
      symlinkSync(
        isClient ? join(folder, 'clients', 'typescript') : join(ROOT, 'node_modules', name),
        join(packages, name),
      );
    }
    return;
  }
  await execute('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], {
    cwd: folder,
    maxBuffer: OUTPUT_BYTES_MAX,
  });
}

function dependenciesOf(folder: string): unknown {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies;
}

/** The revision builds itself. Then its suite gives way to this one, if that compiles against the revision. */
async function build(folder: string): Promise<void> {
  await run(folder, [join('tools', 'run.mjs'), 'build']);
  const suite = join(folder, 'bench');
  rmSync(suite, { recursive: true, force: true });
  const isMade = (path: string) => path.startsWith(join(ROOT, 'bench', 'results'));
  cpSync(join(ROOT, 'bench'), suite, { recursive: true, filter: (path) => !isMade(path) });
  // It must not mix with the suite that the revision had.
  const program = join(folder, 'dist', 'bench');
  rmSync(program, { recursive: true, force: true });
  try {
    await run(folder, [
      join('node_modules', 'typescript', 'bin', 'tsc'),
      '-b',
      'bench',
      '--emitDeclarationOnly',
      'false',
    ]);
  } catch {
    // The compiler also writes files that it found errors in.
    rmSync(program, { recursive: true, force: true });
  }
}

async function run(folder: string, words: readonly string[]): Promise<void> {
  await execute(process.execPath, words, { cwd: folder, maxBuffer: OUTPUT_BYTES_MAX });
}
