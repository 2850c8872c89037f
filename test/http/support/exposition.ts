// Reads the Prometheus text format as strictly as it is specified (exposition format 0.0.4), so that text that only a
// lenient reader accepts fails here.

export type MetricType = 'counter' | 'gauge' | 'histogram';

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  /** Values by sample: the name with its labels, as they are written. */
  readonly samples: ReadonlyMap<string, number>;
}

const HELP = /^# HELP ([a-z_][a-z0-9_]*) ((?:[^\\\n]|\\\\|\\n)+)$/;
const TYPE = /^# TYPE ([a-z_][a-z0-9_]*) (counter|gauge|histogram)$/;
const LABEL = String.raw`[a-z_][a-z0-9_]*="(?:[^"\\\n]|\\\\|\\"|\\n)*"`;
const SAMPLE = new RegExp(String.raw`^([a-z_][a-z0-9_]*)((?:\{${LABEL}(?:,${LABEL})*\})?) (\S+)$`);
const NUMBER = /^(-?\d+(\.\d+)?(e[+-]?\d+)?)$/;

/** @throws Error naming the first line that is not well-formed */
export function parseExposition(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, Family>();
  for (const block of text.slice(0, -1).split('\n\n')) {
    const family = parseFamily(block.split('\n'));
    if (families.has(family.name)) throw new Error(`${family.name} occurs twice`);
    if (family.type === 'histogram') requireSoundHistogram(family);
    families.set(family.name, family);
  }
  return families;
}

function parseFamily(lines: readonly string[]): Family {
  const [, name = '', help = ''] = matched(HELP, lines[0]);
  const [, typed, type] = matched(TYPE, lines[1]);
  if (typed !== name) throw new Error(`the type of ${typed} follows the help of ${name}`);
  const samples = new Map<string, number>();
  const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
  for (const line of lines.slice(2)) {
    const [, metric, labels = '', value = ''] = matched(SAMPLE, line);
    if (!suffixes.some((suffix) => metric === name + suffix)) throw new Error(`${line} stands below ${name}`);
    if (!NUMBER.test(value)) throw new Error(`${line} has no number`);
    if (type !== 'gauge' && Number(value) < 0) throw new Error(`${line} is below zero`);
    if (samples.has(metric + labels)) throw new Error(`${metric}${labels} occurs twice`);
    samples.set(metric + labels, Number(value));
  }
  return { name, help, type: type as MetricType, samples };
}

/** Buckets come in ascending order, never fall, and end with +Inf, which is the count; a sum goes with each. */
function requireSoundHistogram({ name, samples }: Family): void {
  let lastBound = Number.NEGATIVE_INFINITY;
  let lastCount = 0;
  for (const [sample, value] of samples) {
    const [, bound, rest = ''] = /_bucket\{le="([^"]*)",?(.*)\}$/.exec(sample) ?? [];
    if (bound === undefined) continue;
    const upper = bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound);
    if (!(upper > lastBound) || value < lastCount) throw new Error(`${sample} is out of order`);
    lastBound = upper;
    lastCount = value;
    if (upper < Number.POSITIVE_INFINITY) continue;
    const labels = rest === '' ? '' : `{${rest}}`;
    if (samples.get(`${name}_count${labels}`) !== value) throw new Error(`${name}${labels}: +Inf is not the count`);
    if (!samples.has(`${name}_sum${labels}`)) throw new Error(`${name}${labels} has no sum`);
    lastBound = Number.NEGATIVE_INFINITY;
    lastCount = 0;
  }
  if (lastBound !== Number.NEGATIVE_INFINITY) throw new Error(`${name} does not end with +Inf`);
}

function matched(pattern: RegExp, line = ''): RegExpExecArray {
  const match = pattern.exec(line);
  if (match === null) throw new Error(`not in the format: ${line}`);
  return match;
}
