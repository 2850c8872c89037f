// Ships and resources as text: `3 fighters, 1 transport`, `467 iron, 277 silver`.
import { formatCount, formatShipsOf } from './format.js';

/** Types that are named before the rest is only counted. */
const TYPES_SHOWN = 3;

/** Ships of a type, in either form of the API. */
export type ShipsOfType =
  | { readonly type: string; readonly count: number }
  | { readonly shipType: string; readonly count: number };

interface ShipsTextProps {
  readonly ships: readonly ShipsOfType[];
  /** Shown if there are none. */
  readonly none?: string;
  /** Names every type. */
  readonly isWhole?: boolean;
}

export function ShipsText({ ships, none = 'no ships', isWhole = false }: ShipsTextProps) {
  const texts = ships.map((some) => formatShipsOf(typeOf(some), some.count));
  if (texts.length === 0) return <span class="is-unknown">{none}</span>;
  const shown = isWhole ? texts : texts.slice(0, TYPES_SHOWN);
  const others = ships.slice(shown.length).reduce((sum, { count }) => sum + count, 0);
  return (
    <span class="count" title={others > 0 ? texts.join(', ') : undefined}>
      {shown.join(', ')}
      {others > 0 && ` and ${formatCount(others)} more`}
    </span>
  );
}

interface CargoTextProps {
  readonly amounts: Readonly<Record<string, number>>;
  /** Written before the amounts, if there are any. */
  readonly before?: string;
  /** Shown if there are none; nothing by default. */
  readonly none?: string;
}

export function CargoText({ amounts, before = '', none = '' }: CargoTextProps) {
  const texts = Object.entries(amounts).flatMap(([resource, units]) =>
    units > 0 ? [`${formatCount(units)} ${resource}`] : [],
  );
  if (texts.length === 0) return <>{none}</>;
  return (
    <>
      {before}
      <span class="count">{texts.join(', ')}</span>
    </>
  );
}

export function typeOf(ships: ShipsOfType): string {
  return 'type' in ships ? ships.type : ships.shipType;
}
