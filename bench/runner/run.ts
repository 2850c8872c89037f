// What every scenario is measured with: the closed loop, the progress, contests in turn, and the tables that it fills.
import type { ClosedLoop } from '../loads/closed-loop.js';
import { type Failures, failuresOf, type Latencies } from '../loads/load.js';
import type { Progress } from './progress.js';
import { median, pairedRatio, type Spread, spreadOf } from './statistics.js';
import { type Row, Table } from './table.js';

export class Run {
  /** In the order in which they were begun. Whatever ends the run, what they hold then is kept. */
  readonly tables: Table[] = [];

  constructor(
    readonly loop: ClosedLoop,
    private readonly progress: Progress,
  ) {}

  /** Reports work that is not a step. */
  readonly say = (text: string): void => this.progress.say(text);

  /** Reports how many of the scenario's steps are done. */
  step(text: string, count = 1): void {
    this.progress.step(text, count);
  }

  /** The table of a name, which is begun if there is none. */
  table(name: string): Table {
    const known = this.tables.find((table) => table.name === name);
    if (known !== undefined) return known;
    const table = new Table(name);
    this.tables.push(table);
    return table;
  }

  /** Takes the progress away. */
  end(): void {
    this.progress.end();
  }

  /** Measures in turn. Each round is a step. */
  contest<Contestant, Sample>(
    label: string,
    contestants: readonly Contestant[],
    turns: Omit<Turns<Contestant, Sample>, 'onRound'>,
  ): Promise<void> {
    const onRound = (round: number) => this.step(`${label}: round ${round} of ${turns.rounds}`);
    return measureInTurn(contestants, { ...turns, onRound });
  }
}

/** How contestants are measured in turn. */
export interface Turns<Contestant, Sample> {
  readonly rounds: number;
  /** @param round from 0 */
  measure(contestant: Contestant, round: number): Promise<Sample>;
  /** Called after each round. @param round from 1 */
  onRound(round: number): void;
  /**
   * Called once, after the last round, or with the rounds before if one fails.
   *
   * @param measured by contestant, what each whole round measured; one round at least
   */
  conclude(measured: readonly Samples<Sample>[]): void;
}

/** Measures each contestant once a round: A B, B A, so that a drift of the machine touches all of them. */
export async function measureInTurn<Contestant, Sample>(
  contestants: readonly Contestant[],
  { rounds, measure, onRound, conclude }: Turns<Contestant, Sample>,
): Promise<void> {
  const measured = contestants.map((): Sample[] => []);
  let round = 0;
  try {
    for (; round < rounds; round += 1) {
      for (let turn = 0; turn < contestants.length; turn += 1) {
        const index = (turn + round) % contestants.length;
        measured[index]?.push(await measure(contestants[index] as Contestant, round));
      }
      onRound(round + 1);
    }
  } finally {
    if (round > 0) conclude(measured.map((own) => new Samples(own.slice(0, round))));
  }
}

/** Names of what is a number in a sample. */
type Figure<Sample> = { [Name in keyof Sample]: Sample[Name] extends number ? Name : never }[keyof Sample];

/** What one contestant measured, a sample a round. */
export class Samples<Sample> {
  constructor(readonly rounds: readonly Sample[]) {}

  all(figure: Figure<Sample>): number[] {
    return this.rounds.map((sample) => sample[figure] as number);
  }

  median(figure: Figure<Sample>): number {
    return median(this.all(figure));
  }

  spread(figure: Figure<Sample>): Spread {
    return spreadOf(this.all(figure));
  }

  most(figure: Figure<Sample>): number {
    return Math.max(...this.all(figure));
  }

  sum(figure: Figure<Sample>): number {
    return this.all(figure).reduce((sum, value) => sum + value, 0);
  }

  /** Median of the rounds' own ratios to another contestant; null if that was not measured. */
  ratio(figure: Figure<Sample>, base: Samples<Sample> | undefined): number | null {
    return base === undefined ? null : pairedRatio(this.all(figure), base.all(figure));
  }
}

/** The failures of all rounds together. */
export function failuresIn(...measured: readonly Pick<Samples<Failures>, 'rounds'>[]): Failures {
  return failuresOf(measured.flatMap(({ rounds }) => rounds));
}

/** Columns of the medians of latencies. @param of what is written before their names */
export function latencyCells<Name extends keyof Latencies>(
  measured: readonly Pick<Latencies, Name>[],
  names: readonly Name[],
  of = '',
): Row {
  return Object.fromEntries(names.map((name) => [`${of}${TITLES[name]}`, median(measured.map((one) => one[name]))]));
}

const TITLES = { p50Ms: 'p50 ms', p99Ms: 'p99 ms', p999Ms: 'p99.9 ms', maxMs: 'max ms' } as const;
export const ALL_LATENCIES = ['p50Ms', 'p99Ms', 'p999Ms', 'maxMs'] as const;
