// A small line without axes: the shape of the last minutes, from 0 to the largest value. The newest value is at the right edge.

interface SparklineProps {
  /** Null for a gap. */
  readonly values: readonly (number | null)[];
  /** Values for which there is room. */
  readonly length: number;
}

const HEIGHT = 30;

export function Sparkline({ values, length }: SparklineProps) {
  const most = Math.max(...values.map((value) => value ?? 0), Number.MIN_VALUE);
  const left = length - values.length;
  let isDrawing = false;
  let path = '';
  values.forEach((value, index) => {
    if (value !== null)
      path += `${isDrawing ? 'L' : 'M'}${left + index} ${(HEIGHT - 1 - (value / most) * (HEIGHT - 3)).toFixed(1)}`;
    isDrawing = value !== null;
  });
  return (
    <svg class="sparkline" viewBox={`0 0 ${length - 1} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={path} vector-effect="non-scaling-stroke" />
    </svg>
  );
}
