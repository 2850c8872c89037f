// Reads the values of command line options, with their bounds.
import { InvalidArgumentError } from 'commander';
import { SECONDS_MIN } from './limits.js';

/** Makes a parser of whole numbers from `lowest` to `highest`. */
export function wholeNumber(lowest: number, highest: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= lowest && value <= highest) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${lowest} to ${highest}.`);
  };
}

/** Makes a parser of such numbers, separated by commas. */
export function wholeNumbers(lowest: number, highest: number): (text: string) => number[] {
  const parse = wholeNumber(lowest, highest);
  return (text) => text.split(',').map(parse);
}

/** Makes a parser of seconds, up to tenths of them: from 0.1 to `highest`. */
export function seconds(highest: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}(\.\d)?$/.test(text) ? Number(text) : Number.NaN;
    if (value >= SECONDS_MIN && value <= highest) return value;
    throw new InvalidArgumentError(`It must be a number of seconds from ${SECONDS_MIN} to ${highest}, such as 1.5.`);
  };
}

/** A share above 0, up to 1. */
export function share(text: string): number {
  const value = /^(0?\.\d{1,3}|1(\.0)?)$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0) return value;
  throw new InvalidArgumentError('It must be a number above 0 and at most 1, such as 0.5.');
}

/** Makes a parser of names, separated by commas; `none` is the empty list. */
export function namesOf<Name extends string>(known: readonly Name[]): (text: string) => Name[] {
  return (text) => {
    const names = text === 'none' ? [] : text.split(',');
    const unknown = names.find((name) => !known.some((one) => one === name));
    if (unknown === undefined) return names as Name[];
    throw new InvalidArgumentError(`There is no ${unknown}; there are: ${known.join(', ')}.`);
  };
}
