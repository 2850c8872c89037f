// Options that the long runs of test/process share.
import { Option } from 'commander';
import { wholeNumber } from '../../../bench/option-values.js';

export const OPTION_MAX = 999_999_999;

/** @param what that the seed decides */
export function seedOption(what: string): Option {
  return new Option('--seed <number>', `${what} (default: another one each time)`)
    .default(Date.now() % 1_000_000, 'drawn')
    .argParser(wholeNumber(1, OPTION_MAX));
}
