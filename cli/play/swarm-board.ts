// Shows on standard error what a swarm is doing: a live board on a terminal, a line every few seconds elsewhere.
import { isatty } from 'node:tty';
import type { Swarm } from '../../arena/swarm/swarm.js';
import { shownText } from '../../text/foreign-text.js';
import { FileOutput, STANDARD_ERROR } from '../output/lines.js';
import { grouped } from '../output/summaries.js';

const BOARD_EVERY_MS = 1_000;
const LINE_EVERY_MS = 5_000;
const LEADERS = 5;
const REFUSALS_SHOWN = 6;

type Leaders = Awaited<ReturnType<Swarm['leaders']>>;

export class SwarmBoard {
  readonly #output = new FileOutput(STANDARD_ERROR);
  readonly #isTerminal = isatty(STANDARD_ERROR);
  readonly #wanted: number;
  #swarm: Swarm | null = null;
  #timer: NodeJS.Timeout | undefined;
  #shownLines = 0;
  #leaders: Leaders = [];
  #before = { atMs: performance.now(), commands: 0, events: 0 };

  /** @param wanted number of bots that the swarm registers */
  constructor(wanted: number) {
    this.#wanted = wanted;
  }

  begin(swarm: Swarm): void {
    this.#swarm = swarm;
    this.#timer = setInterval(() => void this.#show(), this.#isTerminal ? BOARD_EVERY_MS : LINE_EVERY_MS);
  }

  /** Writes a line that stays. */
  tell(sentence: string): void {
    this.#output.redrawLines(this.#shownLines, [`galaxyd swarm: ${sentence}`]);
    this.#shownLines = 0;
  }

  /** Ends the updates. The last board stays. */
  end(): void {
    clearInterval(this.#timer);
    this.#swarm = null;
    this.#shownLines = 0;
  }

  async #show(): Promise<void> {
    const swarm = this.#swarm;
    if (swarm === null) return;
    if (!this.#isTerminal) {
      this.#output.write(`galaxyd swarm: ${this.#pace(swarm)}`);
      return;
    }
    // The server may be gone.
    this.#leaders = await swarm.leaders(LEADERS).catch(() => this.#leaders);
    if (this.#swarm === null) return;
    const lines = this.#lines(swarm);
    this.#output.redrawLines(this.#shownLines, lines);
    this.#shownLines = lines.length;
  }

  #lines(swarm: Swarm): string[] {
    const { measures, scheduler, kinds } = swarm;
    const { latencyMs, lateMs, errors, interruptions } = measures;
    const refusals = [...measures.refusals].sort(([, a], [, b]) => b - a).slice(0, REFUSALS_SHOWN);
    const width = process.stderr.columns ?? 80;
    return [
      this.#pace(swarm),
      `bots      ${named(Object.entries(kinds))}`,
      `now       ${grouped(scheduler.awake)} act, ${grouped(scheduler.waiting)} wait`,
      `latency   50 % ${latencyMs.p50} ms   90 % ${latencyMs.p90} ms   99 % ${latencyMs.p99} ms   most ${latencyMs.max} ms`,
      `late      50 % ${lateMs.p50} ms   90 % ${lateMs.p90} ms   99 % ${lateMs.p99} ms   most ${lateMs.max} ms`,
      `refusals  ${refusals.length === 0 ? 'none' : named(refusals)}`,
      `faults    ${grouped(interruptions)} interruptions, ${grouped(errors)} errors`,
      ...this.#leaders.map(({ rank, name, points, planets }) => {
        return `${String(rank).padStart(8)}. ${name.padEnd(28)} ${grouped(points).padStart(12)} points ${grouped(planets).padStart(5)} planets`;
      }),
    ].map((line) => shownText(line).slice(0, width - 1));
  }

  /** Rates since the last call. */
  #pace({ scheduler, registered, measures }: Swarm): string {
    const nowMs = performance.now();
    const { commands, events, errors } = measures;
    const before = this.#before;
    this.#before = { atMs: nowMs, commands, events };
    const rate = (count: number): string => grouped(Math.round((count * 1_000) / Math.max(1, nowMs - before.atMs)));
    const bots =
      registered < this.#wanted ? `${grouped(registered)} of ${grouped(this.#wanted)}` : grouped(scheduler.alive);
    const seconds = Math.round(measures.seconds);
    return `${seconds} s: ${bots} bots, ${rate(commands - before.commands)} commands/s, ${rate(events - before.events)} events/s, ${grouped(errors)} errors`;
  }
}

const named = (counts: readonly (readonly [string, number])[]): string =>
  counts.map(([name, count]) => `${name} ${grouped(count)}`).join(', ');
