// How a swarm is divided among kinds of bots: `greedy:5,raider:2` means five of one to two of the other. The same numbers give the
// same bots with the same names, so that a swarm finds its bots again.
import type { BotKind } from '../bot.js';
import { BOTS, botNamed } from '../bots/index.js';
import { MIX_WEIGHT_MAX } from '../limits.js';

export interface Share {
  readonly kind: BotKind;
  readonly weight: number;
}

/** A text that is no mix. The message is a sentence for the user. */
export class BadMix extends Error {
  override readonly name = 'BadMix';
}

/** @throws BadMix */
export function mixOf(text: string): Share[] {
  const shares = text.split(',').map((part) => shareOf(part.trim()));
  const names = shares.map(({ kind }) => kind.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new BadMix(`It names ${twice} twice.`);
  return shares;
}

function shareOf(part: string): Share {
  const [name = '', weight = '1', ...rest] = part.split(':');
  const kind = botNamed(name);
  if (kind === undefined) {
    throw new BadMix(`There is no bot "${name}". There are ${BOTS.map((one) => one.name).join(', ')}.`);
  }
  const value = /^\d{1,4}$/.test(weight) && rest.length === 0 ? Number(weight) : 0;
  if (value >= 1 && value <= MIX_WEIGHT_MAX) return { kind, weight: value };
  throw new BadMix(`The weight of ${name} must be a whole number from 1 to ${MIX_WEIGHT_MAX}, as in ${name}:5.`);
}

/**
 * How many bots each kind gets: in proportion to the weights, and the last ones to the largest remainders.
 *
 * @returns kinds with at least one bot, in the order of the mix
 */
export function division(mix: readonly Share[], bots: number): { readonly kind: BotKind; readonly count: number }[] {
  const total = mix.reduce((sum, { weight }) => sum + weight, 0);
  const counts = mix.map(({ weight }) => Math.floor((bots * weight) / total));
  let left = bots - counts.reduce((sum, count) => sum + count, 0);
  const remainders = mix.map(({ weight }, index) => ({ index, remainder: (bots * weight) % total }));
  remainders.sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of remainders) {
    if (left === 0) break;
    counts[index] = (counts[index] ?? 0) + 1;
    left -= 1;
  }
  return mix.map(({ kind }, index) => ({ kind, count: counts[index] ?? 0 })).filter(({ count }) => count > 0);
}
