// Reads the values of the bench's flags, with their bounds.
import { InvalidArgumentError } from 'commander';

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

/** A share above 0, up to 1. */
export function share(text: string): number {
  const value = /^(0?\.\d{1,3}|1(\.0)?)$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0) return value;
  throw new InvalidArgumentError('It must be a number above 0 and at most 1, such as 0.5.');
}

export function isOneOf<Name extends string>(known: readonly Name[], text: string): text is Name {
  return known.some((name) => name === text);
}

/** Makes a parser of one of several names. */
export function nameOf<Name extends string>(known: readonly Name[]): (text: string) => Name {
  return (text) => {
    if (isOneOf(known, text)) return text;
    throw new InvalidArgumentError(`There is no ${text}; there are: ${known.join(', ')}.`);
  };
}
