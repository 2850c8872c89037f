// What is wrong with the server, in words. Each row compares figures with its thresholds (dashboard/limits.ts).
import { THRESHOLDS } from '../../limits.js';
import { formatBytes, formatSeconds } from '../../parts/format.js';
import type { Figures } from './figures.js';

/** `bad`: players notice it. `watch`: they will, if it goes on. */
type Severity = 'bad' | 'watch';

export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = { bad: 'Bad', watch: 'Watch' };

export interface Concern {
  readonly severity: Severity;
  /** A sentence that says what is wrong. */
  readonly text: string;
  /** What to look at, or to do. */
  readonly advice: string;
}

/** A concern that a figure shows. */
interface FigureConcern extends Concern {
  readonly figure: string;
}

interface Row {
  readonly text: (value: number, values: Figures['values']) => string;
  readonly advice: string;
  /** True if less is worse. */
  readonly isFloor?: boolean;
  /** What is compared with the thresholds; by default the figure of this name. */
  readonly from?: (values: Figures['values']) => number | null;
}

type Watched = keyof typeof THRESHOLDS;

const ROWS: Readonly<Record<Watched, Row>> = {
  notDurableSeconds: {
    text: (value) => `Entries have not been durable for ${formatSeconds(value)}.`,
    advice: 'Replies wait for the disk: look at flush time. After 5 s the server ends itself.',
  },
  failuresPerSecond: {
    text: (value) => `${value.toFixed(2)} requests per second fail with a status of 500 or more.`,
    advice: 'See the table of routes, and the log of the server.',
  },
  latencyP99Seconds: {
    text: (value) => `One request in a hundred takes longer than ${formatSeconds(value)}.`,
    advice: 'Compare event loop delay, flush time and the queue of requests.',
  },
  flushP99Seconds: {
    text: (value) => `One flush in a hundred takes longer than ${formatSeconds(value)}.`,
    advice: 'The disk is slow, or shared with something busy.',
  },
  loopDelayP99Seconds: {
    text: (value) => `The event loop is late by ${formatSeconds(value)}.`,
    advice: 'The process has more work than one core can do, or lacks a core.',
  },
  timerLagSeconds: {
    text: (value) => `A timer of the world fired ${formatSeconds(value)} late.`,
    advice: 'Too many timers are due at once, or the process is overloaded.',
  },
  collectionShare: {
    text: (value) => `Garbage collection takes ${(value * 100).toFixed(0)} % of the time.`,
    advice: 'The heap is nearly full: compare heap and memory.',
  },
  diskFreeBytes: {
    text: (value) => `Only ${formatBytes(value)} of the disk are free.`,
    advice: 'Below the limit of --min-free-mib commands are refused.',
    isFloor: true,
  },
  snapshotIsLate: {
    text: () => 'Snapshots cannot keep up with the world.',
    advice: 'A restart will have to replay much of the log.',
  },
  snapshotsFailed: {
    text: (value) => `${value} ${value === 1 ? 'snapshot has' : 'snapshots have'} failed since the start.`,
    advice: 'The log of the server says why. The next one is tried by itself.',
  },
  linesDropped: {
    text: (value) => `${value} lines of the server’s log are lost.`,
    advice: 'What reads standard output is too slow, or gone.',
  },
  cutOffPerSecond: {
    text: () => 'Readers of events are cut off because they do not read.',
    advice: 'Their clients or networks are too slow; they can resume.',
  },
  filesShare: {
    from: ({ filesOpen, filesMax }) => (filesOpen === null || filesMax === null ? null : filesOpen / filesMax),
    text: (_, { filesOpen, filesMax }) => `${filesOpen} of ${filesMax} files and connections are open.`,
    advice: 'Raise the limit of open files.',
  },
  outdatedSnapshotSeconds: {
    from: ({ snapshotAgeSeconds, snapshotSeq, seq }) => ((seq ?? 0) > (snapshotSeq ?? 0) ? snapshotAgeSeconds : null),
    text: (value) => `The newest snapshot is ${formatSeconds(value)} old, and the world goes on.`,
    advice: 'A restart will have to replay everything since then.',
  },
};

/** What the figures say, the worst first. */
export function concernsOf({ values }: Figures): FigureConcern[] {
  const known: Readonly<Record<string, number | null>> = values;
  const concerns = Object.entries(ROWS).flatMap(([figure, { text, advice, from }]): FigureConcern[] => {
    const value = from === undefined ? (known[figure] ?? null) : from(values);
    const severity = severityOf(figure, value);
    return value === null || severity === null ? [] : [{ severity, text: text(value, values), advice, figure }];
  });
  return worstFirst(concerns);
}

export function worstFirst<Some extends Concern>(concerns: readonly Some[]): Some[] {
  return concerns.toSorted((one, other) => Number(other.severity === 'bad') - Number(one.severity === 'bad'));
}

/** How bad a figure is; null if it is in order, not known, or has no thresholds. */
export function severityOf(figure: string, value: number | null): Severity | null {
  if (value === null || !isWatched(figure)) return null;
  const { bad, watch }: Partial<Record<Severity, number>> = THRESHOLDS[figure];
  const passes = (limit = Number.NaN): boolean => (ROWS[figure].isFloor === true ? value < limit : value >= limit);
  if (passes(bad)) return 'bad';
  return passes(watch) ? 'watch' : null;
}

function isWatched(figure: string): figure is Watched {
  return Object.hasOwn(THRESHOLDS, figure);
}
