// What is answered while a world is recovered: the port is open, and each request gets 503 with how far the recovery is. Nothing of the
// world is known yet, neither its time nor its keys.
import type { RecoveryStep } from '../../persistence/recovery/recovery.js';
import { type ProblemFacts, type RecoveryBody, sendProblem } from '../exchange/problems.js';
import { RECOVERY_RATE_MS_MIN, RECOVERY_RETRY_AFTER_MS_MAX, RETRY_AFTER_MS } from '../limits.js';
import type { Gatekeeper, ReceiverParts } from './receiver.js';

const MS_PER_SECOND = 1_000;

/** How the steps of a recovery are called. It has no others. */
const PHASES: Partial<Readonly<Record<RecoveryStep, RecoveryBody['phase']>>> = {
  rows: 'reading_snapshot',
  entries: 'replaying_log',
};

const SENTENCES: Readonly<Record<RecoveryBody['phase'], (counted: string) => string>> = {
  opening: () => 'The files of the world are being opened.',
  reading_snapshot: (counted) => `The newest snapshot is being read: ${counted} rows.`,
  replaying_log: (counted) => `The log is being replayed: ${counted} entries.`,
};

/** How far a recovery is, and how long it still takes if it goes on as fast. */
export class RecoveryMeter {
  #phase: RecoveryBody['phase'] = 'opening';
  #done = 0;
  #total: number | null = null;
  #beganMs = 0;

  /** @param elapsedMs monotonic milliseconds */
  constructor(private readonly elapsedMs: () => number = () => performance.now()) {}

  /** Receives the progress of the recovery; see RecoveryProgress. */
  readonly note = (step: RecoveryStep, done: number, total: number | undefined): void => {
    const phase = PHASES[step];
    if (phase === undefined) return;
    if (phase !== this.#phase) {
      this.#phase = phase;
      this.#beganMs = this.elapsedMs();
    }
    this.#done = done;
    this.#total = total ?? null;
  };

  get body(): RecoveryBody {
    return { phase: this.#phase, done: this.#done, total: this.#total, secondsLeft: this.#secondsLeft };
  }

  /** Of this phase; null as long as its rate is unknown. */
  get #secondsLeft(): number | null {
    const passedMs = this.elapsedMs() - this.#beganMs;
    if (this.#total === null || this.#done === 0 || passedMs < RECOVERY_RATE_MS_MIN) return null;
    return Math.ceil((passedMs / this.#done) * ((this.#total - this.#done) / MS_PER_SECOND));
  }
}

/** What a receiver needs to answer each request with how far the recovery is. It has no endpoints, so that the world brings its own. */
export function recoveringFront(
  meter: Pick<RecoveryMeter, 'body'>,
): Pick<ReceiverParts, 'endpoints' | 'gatekeeper' | 'sockets'> {
  const gatekeeper: Gatekeeper = {
    ownerOf: ({ peerAddress }) => peerAddress,
    answered() {},
    admits(exchange, cost) {
      // A preflight costs nothing: after it, the page may read the refusal of the request itself.
      if (cost === 0) return true;
      sendProblem(exchange, 'recovering', factsOf(meter.body));
      return false;
    },
  };
  return { endpoints: [], gatekeeper, sockets: NO_SOCKETS };
}

/** The gatekeeper admits no request that opens a WebSocket. */
const NO_SOCKETS: ReceiverParts['sockets'] = {
  admit: () => null,
  open() {
    throw new Error('there is no world yet that a WebSocket could be opened to');
  },
};

function factsOf(recovery: RecoveryBody): ProblemFacts {
  const { phase, done, total, secondsLeft } = recovery;
  const sentence = SENTENCES[phase](total === null ? `${done}` : `${done} of ${total}`);
  const leftMs = (secondsLeft ?? 0) * MS_PER_SECOND;
  const retryAfterMs = Math.min(Math.max(leftMs, RETRY_AFTER_MS), RECOVERY_RETRY_AFTER_MS_MAX);
  return { detail: sentence, recovery, retryAfterMs };
}
