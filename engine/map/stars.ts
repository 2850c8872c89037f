// Names and types of stars. Changing a row changes the stars of existing worlds, so it needs a new rules version.

export interface StarType {
  readonly type: string;
  readonly coolestKelvin: number;
  readonly hottestKelvin: number;
}

/** Harvard spectral classes with their usual surface temperatures. */
export const STAR_TYPES = [
  { type: 'M', coolestKelvin: 2400, hottestKelvin: 3699 },
  { type: 'K', coolestKelvin: 3700, hottestKelvin: 5199 },
  { type: 'G', coolestKelvin: 5200, hottestKelvin: 5999 },
  { type: 'F', coolestKelvin: 6000, hottestKelvin: 7499 },
  { type: 'A', coolestKelvin: 7500, hottestKelvin: 9999 },
  { type: 'B', coolestKelvin: 10_000, hottestKelvin: 29_999 },
  { type: 'O', coolestKelvin: 30_000, hottestKelvin: 50_000 },
] as const satisfies readonly StarType[];

const FIRST = [
  'Al',
  'Be',
  'Cor',
  'Da',
  'El',
  'Far',
  'Gal',
  'Ha',
  'Is',
  'Ka',
  'Lor',
  'Me',
  'Nor',
  'Or',
  'Pra',
  'Sa',
] as const;
const MIDDLE = [
  'ba',
  'de',
  'ga',
  'lo',
  'mi',
  'na',
  'pho',
  'qui',
  'ra',
  'shi',
  'ta',
  'ul',
  've',
  'xa',
  'yo',
  'zu',
] as const;
const LAST = [
  'dan',
  'gor',
  'hal',
  'kar',
  'lis',
  'mos',
  'nar',
  'pis',
  'ris',
  'sul',
  'tar',
  'us',
  'vex',
  'wen',
  'yn',
  'zar',
] as const;

/** Builds a star's name from 32 random bits: three syllables and a number, about four million names in all. */
export function designation(bits: number): string {
  const name = `${FIRST[bits & 15]}${MIDDLE[(bits >>> 4) & 15]}${LAST[(bits >>> 8) & 15]}`;
  return `${name} ${((bits >>> 12) & 1023) + 1}`;
}
