// Which groups of units there are, in worlds of how many players each is measured by default, and how one is measured: in a
// fresh process, of this checkout or of another one. Nothing that is measured is loaded here.
import { UNIT_HEAP_MIB } from '../limits.js';
import { measureInChild } from '../processes/child-measurement.js';
import * as row from '../runner/scenario.js';
import { type Reading, RULES_NAMES, type RulesName, type UnitAnswer, type UnitTask } from './unit-case.js';

interface GroupSizes {
  /** Players; a single 0 if the group is not about the size of a world. */
  readonly short: readonly number[];
  readonly full: readonly number[];
}

const ONCE: GroupSizes = { short: [0], full: [0] };

export const UNIT_GROUP_SIZES = {
  commands: { short: [10_000], full: [1_000, 100_000] },
  ticks: { short: [10_000], full: [1_000, 100_000] },
  heap: ONCE,
  codec: ONCE,
  views: ONCE,
  mix: { short: [1_000, 100_000], full: [1_000, 10_000, 100_000, 1_000_000] },
  replay: { short: [10_000], full: [10_000, 100_000] },
  memory: { short: [100_000], full: [1_000_000] },
  plans: { short: [10_000], full: [100_000] },
} as const satisfies Record<string, GroupSizes>;

export type UnitGroupName = keyof typeof UNIT_GROUP_SIZES;
/** Groups whose worlds can have other rules. */
const GROUPS_OF_RULES: ReadonlySet<UnitGroupName> = new Set(['ticks', 'mix', 'replay', 'memory']);
export const UNIT_GROUP_NAMES = Object.keys(UNIT_GROUP_SIZES) as UnitGroupName[];

export interface UnitChoices {
  /** The group's own sizes by default. */
  readonly players: readonly number[] | undefined;
  readonly full: boolean;
  readonly only: string;
  readonly seed: number;
  /** Those of groups that are about none are always `standard-1`. */
  readonly rules: readonly RulesName[];
}

/** One task for each size of world and each of the rules; the given sizes replace the group's own if it has any. */
export function unitTasks(groups: readonly UnitGroupName[], { players, full, only, seed, rules }: UnitChoices) {
  return groups.flatMap((group): UnitTask[] => {
    const sizes: readonly number[] = UNIT_GROUP_SIZES[group][full ? 'full' : 'short'];
    const isSized = sizes[0] !== 0;
    const played: readonly RulesName[] = GROUPS_OF_RULES.has(group) ? rules : ['standard-1'];
    return (isSized ? (players ?? sizes) : sizes).flatMap((size) =>
      played.map((name) => ({ group, only, players: size, isFull: full, seed, rules: name })),
    );
  });
}

export const units = row.scenario({
  command: 'units',
  description: 'functions and parts in a process of their own',
  options: {
    names: row.names(UNIT_GROUP_NAMES),
    full: row.full,
    seed: row.seed,
    players: { ...row.players(), standard: undefined } as row.OptionRow<readonly number[] | undefined>,
    only: row.only,
    rules: row.list('--rules <list>', 'of the worlds of ticks, mix, replay and memory', RULES_NAMES, ['standard-1']),
  },
  steps: (wanted) => unitTasks(wanted.names, wanted).length,
  async measure(run, wanted) {
    for (const task of unitTasks(wanted.names, wanted)) {
      for (const { id, unit, samples, lower, median, upper } of await measureUnits(task, run.say)) {
        // How many fit into a second, if it is a time.
        const perSecond = unit.startsWith('ns per ') ? 1e9 / median : null;
        const cells = {
          unit: id,
          median,
          'inner half': [lower, upper] as const,
          'a second': perSecond,
          of: unit,
          samples,
        };
        run.table('units').rows.push(cells);
      }
      run.step(`${task.group} measured`);
    }
  },
});

const MODULE = new URL('./program.js', import.meta.url);
const NODE_OPTIONS = ['--expose-gc', `--max-old-space-size=${UNIT_HEAP_MIB}`];

/**
 * @param module dist/bench/units/program.js of the checkout to measure; this one's by default
 * @throws Error with the message of the process if it fails
 */
export async function measureUnits(
  task: UnitTask,
  onProgress: (text: string) => void,
  module: URL = MODULE,
): Promise<readonly Reading[]> {
  const options = { onProgress, execArgv: NODE_OPTIONS };
  const { readings, consumed } = await measureInChild<UnitTask, UnitAnswer>(module, task, options);
  if (readings.length > 0 && consumed === 0) throw new Error(`the units ${task.group} gave no result`);
  return readings;
}
