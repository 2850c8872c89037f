// What is wrong with the server, in words. Each row compares figures with its thresholds (dashboard/limits.ts).
import { BAD, SNAPSHOT_AGE_WATCH_SECONDS, WATCH } from '../../limits.js';
import { formatBytes, formatSeconds } from '../../parts/format.js';
import type { FigureName, Figures } from './figures.js';

/** `bad`: players notice it. `watch`: they will, if it goes on. */
export type Severity = 'bad' | 'watch';

export interface Concern {
  readonly severity: Severity;
  /** A sentence that says what is wrong. */
  readonly text: string;
  /** What to look at, or to do. */
  readonly advice: string;
  /** The figure that shows it; null for none. */
  readonly figure: FigureName | null;
}

interface Row {
  readonly figure: FigureName;
  readonly text: (value: number) => string;
  readonly advice: string;
  /** True if less is worse. */
  readonly isFloor?: boolean;
}

const ROWS: readonly Row[] = [
  {
    figure: 'notDurableSeconds',
    text: (value) => `Entries have not been durable for ${formatSeconds(value)}.`,
    advice: 'Replies wait for the disk: look at flush time. After 5 s the server ends itself.',
  },
  {
    figure: 'failuresPerSecond',
    text: (value) => `${value.toFixed(2)} requests per second fail with a status of 500 or more.`,
    advice: 'See the table of routes, and the log of the server.',
  },
  {
    figure: 'latencyP99Seconds',
    text: (value) => `One request in a hundred takes longer than ${formatSeconds(value)}.`,
    advice: 'Compare event loop delay, flush time and the queue of requests.',
  },
  {
    figure: 'flushP99Seconds',
    text: (value) => `One flush in a hundred takes longer than ${formatSeconds(value)}.`,
    advice: 'The disk is slow, or shared with something busy.',
  },
  {
    figure: 'loopDelayP99Seconds',
    text: (value) => `The event loop is late by ${formatSeconds(value)}.`,
    advice: 'The process has more work than one core can do, or lacks a core.',
  },
  {
    figure: 'timerLagSeconds',
    text: (value) => `A timer of the world fired ${formatSeconds(value)} late.`,
    advice: 'Too many timers are due at once, or the process is overloaded.',
  },
  {
    figure: 'collectionShare',
    text: (value) => `Garbage collection takes ${(value * 100).toFixed(0)} % of the time.`,
    advice: 'The heap is nearly full: compare heap and memory.',
  },
  {
    figure: 'diskFreeBytes',
    text: (value) => `Only ${formatBytes(value)} of the disk are free.`,
    advice: 'Below the limit of --min-free-mib commands are refused.',
    isFloor: true,
  },
  {
    figure: 'snapshotIsLate',
    text: () => 'Snapshots cannot keep up with the world.',
    advice: 'A restart will have to replay much of the log.',
  },
  {
    figure: 'snapshotsFailed',
    text: (value) => `${value} ${value === 1 ? 'snapshot has' : 'snapshots have'} failed since the start.`,
    advice: 'The log of the server says why. The next one is tried by itself.',
  },
  {
    figure: 'linesDropped',
    text: (value) => `${value} lines of the server’s log are lost.`,
    advice: 'What reads standard output is too slow, or gone.',
  },
  {
    figure: 'cutOffPerSecond',
    text: () => 'Readers of events are cut off because they do not read.',
    advice: 'Their clients or networks are too slow; they can resume.',
  },
];

/** What the figures say, the worst first. */
export function concernsOf({ values }: Figures): Concern[] {
  const concerns = ROWS.flatMap(({ figure, text, advice, isFloor = false }): Concern[] => {
    const value = values[figure];
    const severity = value === null ? null : severityOf(figure, value, isFloor);
    return value === null || severity === null ? [] : [{ severity, text: text(value), advice, figure }];
  });
  const { filesOpen, filesMax } = values;
  if (filesOpen !== null && filesMax !== null && filesOpen > filesMax * WATCH.filesShare)
    concerns.push({
      severity: filesOpen > filesMax * BAD.filesShare ? 'bad' : 'watch',
      text: `${filesOpen} of ${filesMax} files and connections are open.`,
      advice: 'Raise the limit of open files.',
      figure: 'filesOpen',
    });
  const { snapshotAgeSeconds, snapshotSeq, seq } = values;
  const isOld = snapshotAgeSeconds !== null && snapshotAgeSeconds >= SNAPSHOT_AGE_WATCH_SECONDS;
  if (isOld && (seq ?? 0) > (snapshotSeq ?? 0))
    concerns.push({
      severity: 'watch',
      text: `The newest snapshot is ${formatSeconds(snapshotAgeSeconds)} old, and the world goes on.`,
      advice: 'A restart will have to replay everything since then.',
      figure: 'snapshotAgeSeconds',
    });
  return concerns.sort((one, other) => Number(other.severity === 'bad') - Number(one.severity === 'bad'));
}

/** How bad a value is; null if it is in order. */
export function severityOf(figure: FigureName, value: number, isFloor = false): Severity | null {
  const passes = (limit: number | undefined): boolean =>
    limit !== undefined && (isFloor ? value < limit : value >= limit);
  const [bad, watch]: readonly Partial<Record<FigureName, number>>[] = [BAD, WATCH];
  if (passes(bad?.[figure])) return 'bad';
  return passes(watch?.[figure]) ? 'watch' : null;
}
