// What all parts of a run share: the clock, the draws of the present step, the story, and what is counted.
import { Draws } from '../support/process/draws.js';
import { Story } from './story.js';
import { VirtualTime } from './virtual-time.js';

export class Stage {
  readonly time = new VirtualTime();
  readonly story: Story;
  /** Those of the step that is being run: a step that is left out takes its chances with it, and no others. */
  draws: Draws = new Draws(0);
  readonly #counts = new Map<string, number>();

  constructor(isStoryKept: boolean) {
    this.story = new Story(isStoryKept);
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
