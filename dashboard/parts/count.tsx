// A number with separators and digits of equal width.
import { formatCount, formatShort } from './format.js';

interface CountProps {
  /** Null is shown as a dash: the number is not known. */
  readonly value: number | null;
  /** `1.2M` instead of `1,234,567`; the whole number is in the tooltip. */
  readonly isShort?: boolean;
  /** Written after the number. */
  readonly unit?: string;
}

export function Count({ value, isShort = false, unit }: CountProps) {
  if (value === null) return <span class="count is-unknown">–</span>;
  const whole = formatCount(value);
  return (
    <span class="count" title={isShort ? whole : undefined}>
      {isShort ? formatShort(value) : whole}
      {unit !== undefined && <span class="unit"> {unit}</span>}
    </span>
  );
}
