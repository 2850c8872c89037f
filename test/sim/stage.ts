// What all parts of a run share: the clock, the draws of the present step, the story, and the counters.
import type { TimeSource } from '../../persistence/time/clock.js';
import { Draws } from '../support/process/draws.js';
import { Story } from './story.js';
import { VirtualTime } from './virtual-time.js';

const LOOKS_PER_MS = 2;

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
  constructor(isStoryKept: boolean, looksPerMs: number = LOOKS_PER_MS) {
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
