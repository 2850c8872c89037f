// Exact integer arithmetic on doubles. A function rounds only if its name says so.

/** Largest divisor whose square a double represents exactly. Smaller divisors need no BigInt. */
const SPLIT_DIVISOR_MAX = 94_906_265;

/**
 * floor(factor x multiplier / divisor), exact for non-negative safe integers even if the product is not one.
 *
 * @throws never; the quotient itself must be a safe integer
 */
export function multiplyDivideFloor(factor: number, multiplier: number, divisor: number): number {
  const product = factor * multiplier;
  if (product <= Number.MAX_SAFE_INTEGER) return Math.floor(product / divisor);
  if (divisor > SPLIT_DIVISOR_MAX) return Number((BigInt(factor) * BigInt(multiplier)) / BigInt(divisor));
  // factor = a x divisor + b, multiplier = c x divisor + d: every partial product below stays exact.
  const a = divideFloor(factor, divisor);
  const c = divideFloor(multiplier, divisor);
  const b = factor - a * divisor;
  const d = multiplier - c * divisor;
  return a * multiplier + b * c + Math.floor((b * d) / divisor);
}

/** floor(value / divisor), exact. The remainder operator (%) on doubles is ten times as slow. */
function divideFloor(value: number, divisor: number): number {
  const quotient = Math.floor(value / divisor);
  // The division may round up to the next integer; it never rounds down past one.
  return quotient * divisor > value ? quotient - 1 : quotient;
}

/** ceil(factor x multiplier / divisor), under the same conditions as multiplyDivideFloor. */
export function multiplyDivideCeil(factor: number, multiplier: number, divisor: number): number {
  const quotient = multiplyDivideFloor(factor, multiplier, divisor);
  const product = factor * multiplier;
  const isExact =
    product <= Number.MAX_SAFE_INTEGER
      ? quotient * divisor === product
      : (BigInt(factor) * BigInt(multiplier)) % BigInt(divisor) === 0n;
  return isExact ? quotient : quotient + 1;
}

export function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** Returns whole amounts that are at most totalMax together: all of them, or each reduced in proportion and rounded down. */
export function shareOf(amounts: readonly number[], totalMax: number): readonly number[] {
  const total = sum(amounts);
  return total <= totalMax ? amounts : amounts.map((units) => multiplyDivideFloor(units, totalMax, total));
}
