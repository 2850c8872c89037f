// The log of a running server: sentences for people, JSON lines for machines. Only this file imports pino. Lines are written
// synchronously and in this process, so no line is lost, however the process ends.
import { isatty } from 'node:tty';
import { inspect } from 'node:util';
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import { FileOutput, type LineOutput, STANDARD_ERROR, STANDARD_OUTPUT } from './lines.js';

/** What a running server logs: each event by a name that programs may rely on, with its level. */
export const LOG_EVENTS = {
  starting: 'info',
  record_dropped: 'warn',
  world_made: 'info',
  world_recovered: 'info',
  downtime_skipped: 'info',
  snapshot_damaged: 'warn',
  snapshot_taken: 'info',
  snapshot_failed: 'error',
  snapshots_late: 'error',
  world_verified: 'info',
  damage_found: 'error',
  verify_failed: 'warn',
  durability_doubtful: 'warn',
  disk_low: 'error',
  disk_has_room: 'info',
  log_file_lost: 'error',
  log_files_found: 'info',
  native_server_missing: 'warn',
  registration_unattended: 'warn',
  proxy_not_trusted: 'warn',
  admin_keys_read: 'info',
  admin_keys_kept: 'error',
  serving: 'info',
  operator_acted: 'info',
  operator_refused: 'warn',
  operator_unrecorded: 'error',
  blocks_unreadable: 'error',
  role_leading: 'info',
  role_following: 'info',
  role_leaderless: 'warn',
  role_refused: 'error',
  role_paused: 'warn',
  role_resumed: 'info',
  role_handing_over: 'info',
  role_handed_over: 'info',
  store_unreachable: 'warn',
  store_reached: 'info',
  request_failed: 'error',
  timeline_failed: 'error',
  replay_failed: 'error',
  tournament_failed: 'error',
  log_lines_dropped: 'warn',
  stopping: 'info',
  stopped: 'info',
} as const satisfies Record<string, LogLevel>;

type LogLevel = 'info' | 'warn' | 'error';
export type LogEvent = keyof typeof LOG_EVENTS;

type LogFormat = 'json' | 'text';

/** Facts about an event besides its sentence. An Error under `err` keeps its stack trace. */
type LogFacts = Readonly<Record<string, unknown>>;

/** Where every layer logs. */
export interface Log {
  /** @param sentence for people. It must contain no secrets, since only the facts are redacted */
  tell(event: LogEvent, sentence: string, facts?: LogFacts): void;
}

/** A log that survives a full disk, a closed pipe and a stalled reader. */
export interface CountingLog extends Log {
  /** Lines that could not be written since the process started. */
  readonly droppedLines: number;
}

/** Opens the log of this process on standard output. */
export function openLog(chosen: LogFormat | undefined): CountingLog {
  const output = new FileOutput(STANDARD_OUTPUT);
  const format = formatFor(chosen, isatty(STANDARD_OUTPUT));
  return format === 'text' ? new TextLog(output, new FileOutput(STANDARD_ERROR)) : new JsonLog(output);
}

/** @returns the operator's choice. Defaults to sentences on a terminal, else to JSON */
export function formatFor(chosen: LogFormat | undefined, isTerminal: boolean): LogFormat {
  return chosen ?? (isTerminal ? 'text' : 'json');
}

/** Counts the lines that cannot be written, and reports their number before the next line that can. */
abstract class LineLog implements CountingLog {
  #droppedLines = 0;
  #unreportedLines = 0;

  get droppedLines(): number {
    return this.#droppedLines;
  }

  tell(event: LogEvent, sentence: string, facts: LogFacts = {}): void {
    if (this.#reportDropped() && this.write(event, sentence, facts)) return;
    this.#droppedLines += 1;
    this.#unreportedLines += 1;
  }

  /** @returns whether the line was written */
  protected abstract write(event: LogEvent, sentence: string, facts: LogFacts): boolean;

  /** @returns false if there are lines to report and the report cannot be written either */
  #reportDropped(): boolean {
    const droppedLines = this.#unreportedLines;
    if (droppedLines === 0) return true;
    const counted = droppedLines === 1 ? '1 line' : `${droppedLines} lines`;
    const isReported = this.write('log_lines_dropped', `galaxyd could not write ${counted} of its log`, {
      droppedLines,
    });
    if (isReported) this.#unreportedLines = 0;
    return isReported;
  }
}

/** Writes only the sentences. Bugs of the server go to standard error, with their stack trace. */
export class TextLog extends LineLog {
  constructor(
    private readonly output: LineOutput,
    private readonly errorOutput: LineOutput,
  ) {
    super();
  }

  protected override write(_event: LogEvent, sentence: string, facts: LogFacts): boolean {
    if ('err' in facts) return this.#writeError(`${sentence}: ${inspect(facts['err'])}`);
    return this.output.write(sentence);
  }

  #writeError(text: string): boolean {
    return text.split('\n').every((line) => this.errorOutput.write(line));
  }
}

/** Writes one JSON object a line: level, time, event, the facts, and the sentence as `msg`. */
export class JsonLog extends LineLog {
  readonly #logger: Logger;
  #isWritten = false;

  constructor(output: LineOutput) {
    super();
    const stream: DestinationStream = {
      write: (line) => {
        this.#isWritten = output.write(line.trimEnd());
      },
    };
    this.#logger = pino(
      {
        base: null,
        timestamp: stdTimeFunctions.isoTime,
        formatters: { level: (level) => ({ level }) },
        redact: { paths: SECRET_PATHS, censor: '[secret]' },
      },
      stream,
    );
  }

  protected override write(event: LogEvent, sentence: string, facts: LogFacts): boolean {
    this.#isWritten = false;
    this.#logger[LOG_EVENTS[event]]({ event, ...facts }, sentence);
    return this.#isWritten;
  }
}

/** Names of secret values, here and in request headers. */
const SECRETS = ['authorization', 'apiKey', 'adminKey', 'spectatorKey', 'idempotencyKey', '["idempotency-key"]'];
/** Where those names may be in the facts, up to two objects deep. */
const SECRET_PATHS = SECRETS.flatMap((name) => {
  const step = name.startsWith('[') ? name : `.${name}`;
  return [name, `*${step}`, `*.*${step}`];
});
