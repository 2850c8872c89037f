// How a running server tells what happens: sentences for people, JSON lines for machines. The only file that knows pino.
// Lines are written at once and in this process: what was told is out, however the process ends.
import { isatty } from 'node:tty';
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { LOG_EVENTS, type LogEvent } from './log-events.js';

export type LogFormat = 'json' | 'text';

/** What is known about an event besides its sentence; an Error under `err` keeps its stack. */
export type LogFacts = Readonly<Record<string, unknown>>;

/** What programs of every layer above may tell through. */
export interface Log {
  /** @param sentence for people, without secrets: they are only looked for in the facts */
  tell(event: LogEvent, sentence: string, facts?: LogFacts): void;
}

const STANDARD_OUTPUT = 1;

/** The log of this process, to standard output. */
export function openLog(chosen: LogFormat | undefined): Log {
  // Asking for process.stdout instead would make a pipe there non-blocking, and one that is full refuse a line.
  const format = formatFor(chosen, isatty(STANDARD_OUTPUT));
  return format === 'text' ? new TextLog() : new JsonLog(destination({ fd: STANDARD_OUTPUT, sync: true }));
}

/** What the operator chose; else sentences for a terminal, and JSON for anything else. */
export function formatFor(chosen: LogFormat | undefined, isTerminal: boolean): LogFormat {
  return chosen ?? (isTerminal ? 'text' : 'json');
}

/** The sentences alone; mistakes of the server, with what caused them, go to standard error. */
class TextLog implements Log {
  tell(_event: LogEvent, sentence: string, facts: LogFacts = {}): void {
    if ('err' in facts) console.error(`${sentence}:`, facts['err']);
    else console.log(sentence);
  }
}

/** One JSON object a line: level, time, event, the facts, and the sentence as `msg`. */
export class JsonLog implements Log {
  readonly #logger: Logger;

  constructor(stream: DestinationStream) {
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

  tell(event: LogEvent, sentence: string, facts: LogFacts = {}): void {
    this.#logger[LOG_EVENTS[event]]({ event, ...facts }, sentence);
  }
}

/** Names under which keys and the like are kept, here and in the heads of requests. */
const SECRETS = ['authorization', 'apiKey', 'adminKey', 'idempotencyKey', '["idempotency-key"]'];
/** Those names among the facts, and two objects deep. */
const SECRET_PATHS = SECRETS.flatMap((name) => {
  const step = name.startsWith('[') ? name : `.${name}`;
  return [name, `*${step}`, `*.*${step}`];
});
