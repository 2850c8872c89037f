// Reads the text of /metrics: Prometheus text exposition format 0.0.4. It knows no metric by name.

export interface MetricSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples by name. Buckets of a histogram have names of their own, such as `x_bucket`, as in the text. */
export type Exposition = ReadonlyMap<string, readonly MetricSample[]>;

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+([-+]?(?:Inf|NaN|[\d.][\w.+-]*))(?:\s+-?\d+)?$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Reads a text. Comments, and lines that are none of the format, are left out. */
export function parseExposition(text: string): Exposition {
  const samples = new Map<string, MetricSample[]>();
  for (const line of text.split('\n')) {
    const [, name, labels = '', value = ''] = LINE.exec(line) ?? [];
    if (name === undefined) continue;
    const sample = { labels: labelsOf(labels), value: numberOf(value) };
    const known = samples.get(name);
    if (known === undefined) samples.set(name, [sample]);
    else known.push(sample);
  }
  return samples;
}

/** Bounds of buckets are written in the same way. */
export function numberOf(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text);
}

function labelsOf(text: string): Record<string, string> {
  const pairs = Array.from(text.matchAll(LABEL), ([, name = '', value = '']) => [name, unescaped(value)] as const);
  return Object.fromEntries(pairs);
}

function unescaped(value: string): string {
  return value.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
}
