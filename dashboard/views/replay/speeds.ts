// The speeds that the scrubber offers, in words.

export interface Speed {
  /** World seconds per second. */
  readonly factor: number;
  readonly label: string;
}

export const SPEEDS: readonly Speed[] = [
  { factor: 1, label: 'Real time' },
  { factor: 60, label: '1 min/s' },
  { factor: 600, label: '10 min/s' },
  { factor: 3_600, label: '1 h/s' },
  { factor: 21_600, label: '6 h/s' },
  { factor: 86_400, label: '1 day/s' },
];

/** The next faster or slower speed; the same at the end of the list. */
export function speedBeside(factor: number, direction: 1 | -1): number {
  const others = SPEEDS.map((speed) => speed.factor).filter((other) => Math.sign(other - factor) === direction);
  return (direction === 1 ? others[0] : others.at(-1)) ?? factor;
}
