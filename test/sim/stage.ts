// What all parts of a run share: the clock, the draws of the present step, the story, and the counters.
import { createHash } from 'node:crypto';
import type { TimeSource } from '../../persistence/time/clock.js';
import { Draws } from '../support/process/draws.js';
import { VirtualTime } from '../support/virtual-scheduler.js';

/** What happened, line by line: always hashed, so that two runs can be compared, and kept if it will be read. */
class Story {
  readonly #hash = createHash('sha256');
  readonly #lines: string[] = [];
  readonly #isKept: boolean;

  constructor(isKept: boolean) {
    this.#isKept = isKept;
  }

  tell(line: string): void {
    this.#hash.update(line).update('\n');
    if (this.#isKept) this.#lines.push(line);
  }

  /** Empty if nothing is kept. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** 16 hexadecimal digits that two runs share only if their stories are the same. */
  hash(): string {
    return this.#hash.copy().digest('hex').slice(0, 16);
  }
}

export class Stage {
  readonly time = new VirtualTime();
  /** The source of the world's clock. Time passes within a turn of the event loop too, so that two reads may differ. */
  readonly timeSource: TimeSource = { wallMs: () => this.time.wallMs(), elapsedMs: () => this.#lookMs() };
  readonly story: Story;
  /** The draws of the current step: leaving out a step removes its own draws, and no others. */
  draws: Draws = new Draws(0);
  readonly #counts = new Map<string, number>();

  readonly #looksPerMs: number;

  /** @param looksPerMs one in this many reads of the clock takes a millisecond */
  constructor(isStoryKept: boolean, looksPerMs: number) {
    this.story = new Story(isStoryKept);
    this.#looksPerMs = looksPerMs;
  }

  #lookMs(): number {
    if (this.draws.oneIn(this.#looksPerMs)) this.time.moveTo(this.time.elapsedMs() + 1);
    return this.time.elapsedMs();
  }

  tell(line: string): void {
    this.story.tell(`  ${this.time.elapsedMs()} ms: ${line}`);
  }

  count(what: string, times = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + times);
  }

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }
}
