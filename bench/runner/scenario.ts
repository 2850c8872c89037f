// What a scenario is: one command of the bench, with the options that it takes. The rows of options that several share are here.

import * as limits from '../limits.js';
import type { LoaderName } from '../loads/closed-loop.js';
import { namesOf, seconds, share, wholeNumber, wholeNumbers } from '../option-values.js';
import type { Run } from './run.js';

export interface Scenario<Rows extends OptionRows = OptionRows> {
  /** Its word on the command line. */
  readonly command: string;
  readonly description: string;
  readonly options: Rows;
  /** How many steps measure() reports. */
  steps(wanted: Values<Rows>): number;
  /** Fills tables of the run. @throws BenchFailed */
  measure(run: Run, wanted: Values<Rows>): Promise<void>;
}

/** An option of a command, or an operand if `flags` does not begin with a dash. Commander chooses its name in Values. */
export interface OptionRow<Value> {
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  parse?(text: string): Value;
  readonly standard: Value;
  /** Replaces the standard value if `--full` is given. */
  readonly full?: Value;
}

export type OptionRows = Readonly<Record<string, OptionRow<unknown>>>;
export type Values<Rows extends OptionRows> = {
  readonly [Name in keyof Rows]: Rows[Name] extends OptionRow<infer Value> ? Value : never;
};

/** Infers the types of a scenario's options. */
export function scenario<Rows extends OptionRows>(one: Scenario<Rows>): Scenario<Rows> {
  return one;
}

/** The names that a command takes; those of `standard` are measured if none is given. */
export function names<Name extends string>(choices: readonly Name[], standard = choices): OptionRow<readonly Name[]> {
  return { flags: '[names...]', description: 'what is measured', choices, standard };
}

export function list<Name extends string>(
  flags: string,
  what: string,
  known: readonly Name[],
  standard = known,
): OptionRow<readonly Name[]> {
  return { flags, description: `${what}: ${known.join(', ')}, or none`, parse: namesOf(known), standard };
}

export function number<Standard extends number | undefined>(
  flags: string,
  description: string,
  highest: number,
  standard: Standard,
  lowest = 1,
): OptionRow<number | Standard> {
  return { flags, description, parse: wholeNumber(lowest, highest), standard };
}

/** Sizes of the world. Scenarios with a single world take the first. */
export function players(standard: readonly number[] = [PLAYERS], full = standard): OptionRow<readonly number[]> {
  const parse = wholeNumbers(2, limits.PLAYERS_MAX);
  return { flags: '--players <list>', description: 'sizes of the world, separated by commas', parse, standard, full };
}

/** Connections to open. A single world takes the first number; the mix has numbers of its own by default. */
export function connections(standard?: readonly number[], full = standard): OptionRow<readonly number[] | undefined> {
  const parse = wholeNumbers(1, limits.CONNECTIONS_MAX);
  return { flags: '--connections <list>', description: 'numbers of them, separated by commas', parse, standard, full };
}

export function closedSeconds(standard: number, full = standard): OptionRow<number> {
  return secondsUpTo(limits.CLOSED_LOOP_SECONDS_MAX, standard, full);
}

export function openSeconds(standard: number, full = standard): OptionRow<number> {
  return secondsUpTo(limits.OPEN_LOOP_SECONDS_MAX, standard, full);
}

function secondsUpTo(highest: number, standard: number, full: number): OptionRow<number> {
  return { flags: '--seconds <number>', description: 'of each load', parse: seconds(highest), standard, full };
}

export function rounds(standard = limits.ROUNDS_DEFAULT, lowest = 1): OptionRow<number> {
  return number('--rounds <number>', 'number of rounds of each median', limits.ROUNDS_MAX, standard, lowest);
}

export function rate<Standard extends number | undefined>(standard: Standard): OptionRow<number | Standard> {
  return number('--rate <number>', 'requests a second', limits.RATE_MAX, standard);
}

export function shareOf(standard: number): OptionRow<number> {
  const description = 'of the measured maximum, if no rate is given';
  return { flags: '--share <number>', description, parse: share, standard };
}

/** Players of the only world of the short form. */
export const PLAYERS = 10_000;
export const full: OptionRow<boolean> = {
  flags: '--full',
  description: 'all sizes and longer runs: an hour and more instead of minutes',
  standard: false,
};
export const seed = number('--seed <number>', 'seed of all choices', limits.SEED_MAX, 1, 0);
export const loader: OptionRow<LoaderName | undefined> = {
  flags: '--loader <name>',
  description: 'defaults to wrk if it is installed',
  choices: ['wrk', 'own'],
  standard: undefined,
};
export const durability: OptionRow<'durable' | 'relaxed'> = {
  flags: '--durability <kind>',
  description: 'of the server',
  choices: ['durable', 'relaxed'],
  standard: 'durable',
};
export const only: OptionRow<string> = {
  flags: '--only <text>',
  description: 'only units whose names contain this',
  standard: '',
};
