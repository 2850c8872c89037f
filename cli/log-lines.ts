// The log of a running server: sentences for people, JSON lines for machines. The only file that knows pino. Lines are
// written synchronously and in this process, so none is lost, however the process ends.
import { isatty } from 'node:tty';
import { inspect } from 'node:util';
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import { FileOutput, type LineOutput, STANDARD_ERROR, STANDARD_OUTPUT } from './line-output.js';
import { LOG_EVENTS, type LogEvent } from './log-events.js';

export type LogFormat = 'json' | 'text';

/** What is known about an event besides its sentence; an Error under `err` keeps its stack trace. */
export type LogFacts = Readonly<Record<string, unknown>>;

/** A log for the code of every layer. */
export interface Log {
  /** @param sentence for people, without secrets: only the facts are redacted */
  tell(event: LogEvent, sentence: string, facts?: LogFacts): void;
}

/** A log that outlives a full disk, a closed pipe and a stalled reader. */
export interface CountingLog extends Log {
  /** Lines that could not be written since the process started. */
  readonly droppedLines: number;
}

/** The log of this process, to standard output. */
export function openLog(chosen: LogFormat | undefined): CountingLog {
  const output = new FileOutput(STANDARD_OUTPUT);
  const format = formatFor(chosen, isatty(STANDARD_OUTPUT));
  return format === 'text' ? new TextLog(output, new FileOutput(STANDARD_ERROR)) : new JsonLog(output);
}

/** The operator's choice. By default, sentences on a terminal and JSON otherwise. */
export function formatFor(chosen: LogFormat | undefined, isTerminal: boolean): LogFormat {
  return chosen ?? (isTerminal ? 'text' : 'json');
}

/** Counts the lines that cannot be written. Once lines can be written again, the first one reports their number. */
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

  /** @returns false if there is something to report and the report cannot be written either */
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

/** Only the sentences. Bugs of the server go to standard error, with the error that caused them. */
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

  /** A stack trace has many lines. */
  #writeError(text: string): boolean {
    return text.split('\n').every((line) => this.errorOutput.write(line));
  }
}

/** One JSON object a line: level, time, event, the facts, and the sentence as `msg`. */
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
/** The paths of those names in the facts, up to two objects deep. */
const SECRET_PATHS = SECRETS.flatMap((name) => {
  const step = name.startsWith('[') ? name : `.${name}`;
  return [name, `*${step}`, `*.*${step}`];
});
