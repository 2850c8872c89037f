// Progress of a copy, on standard error: what it reads and writes, then how far it is behind the server that it follows.
import type { CopyProgress, FollowReport } from '../persistence/upkeep/copy.js';
import { COPY_LINE_EVERY_MS, COPY_PATIENCE_MS } from './limits.js';
import { ProgressLine } from './progress-line.js';
import { RecoveryProgressBar } from './recovery-progress.js';

export class CopyLines {
  readonly #bar = new RecoveryProgressBar();
  readonly #line = new ProgressLine(COPY_LINE_EVERY_MS);
  readonly #from: string;
  readonly #stops: boolean;
  #state: FollowReport['state'] | null = null;
  #stateSinceMs = 0;
  #isImpatient = false;

  /**
   * @param from label of the source
   * @param stops whether the copy has the server stopped
   */
  constructor(from: string, stops: boolean) {
    this.#from = from;
    this.#stops = stops;
  }

  readonly onProgress: CopyProgress = (...progress) => {
    // Later ones are of a few records each.
    if (this.#state === null) this.#bar.show(...progress);
  };

  readonly onReport = ({ seq, behindEntries, state }: FollowReport): void => {
    if (this.#state === null) this.#begin(seq);
    if (state !== this.#state) {
      this.#state = state;
      this.#stateSinceMs = performance.now();
    }
    if (state === 'in_use') this.#complain();
    const place = `at seq ${seq.toLocaleString('en')}, ${behindEntries.toLocaleString('en')} entries behind`;
    this.#line.show(() => ({ onTerminal: `follows ${this.#from}: ${place}`, elsewhere: `follows: ${place}` }));
  };

  /** Says something that stays. */
  tell(sentence: string): void {
    this.#line.tell(sentence);
  }

  end(): void {
    this.#bar.end();
    this.#line.end();
  }

  #begin(seq: number): void {
    this.#bar.end();
    const next = this.#stops ? '' : '; stop the server when you like, and the copy ends with it';
    this.#line.tell(`copied and verified ${this.#from} up to seq ${seq}, and follows its server${next}`);
  }

  /** A server may need some seconds to answer what it has begun. */
  #complain(): void {
    if (this.#isImpatient || performance.now() - this.#stateSinceMs < COPY_PATIENCE_MS) return;
    this.#isImpatient = true;
    this.#line.tell(`waits: a process still serves ${this.#from}, or has taken over there; stop all of them`);
  }
}
