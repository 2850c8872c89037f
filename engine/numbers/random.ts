// Randomness as a pure function of (seed, number, salt): the same on every machine, and without state.

/** The purpose of a draw. Different purposes get independent numbers. */
export const SALTS = {
  planetCount: 1,
  slotChoice: 2,
  starName: 3,
  starType: 4,
  starTemperature: 5,
  starterSlot: 6,
  variation: 7,
  displayName: 8,
  richness: 9,
  asteroids: 10,
  shockType: 11,
  shockNotice: 12,
  starterRichness: 13,
} as const;

/**
 * Derives a well-mixed 32-bit unsigned integer from three safe integers.
 * Source: the finaliser of MurmurHash3 (Appleby, public domain), applied to each half in turn.
 */
export function draw(seed: number, number: number, salt: number): number {
  let hash = mix(lowHalf(seed) ^ 0x9e3779b9);
  hash = mix(hash ^ highHalf(seed));
  hash = mix(hash ^ lowHalf(number));
  hash = mix(hash ^ highHalf(number));
  return mix(hash ^ Math.imul(salt, 0x85ebca6b));
}

/** Derives an integer from 0 to bound - 1. */
export function drawBelow(bound: number, seed: number, number: number, salt: number): number {
  return Math.floor((draw(seed, number, salt) * bound) / 0x1_0000_0000);
}

/** Scrambles 32 bits so that each input bit moves about half of the output bits. */
export function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function lowHalf(value: number): number {
  return value >>> 0;
}

function highHalf(value: number): number {
  return Math.floor(value / 0x1_0000_0000) >>> 0;
}
