// One connection to PostgreSQL: opened when it is first used, to the host that accepts writes, and again after it was lost.
// Every call has a deadline. It runs one statement or transaction at a time, and never repeats one: the caller decides
// whether it may have taken effect. Only the files of this folder know pg.
import { Socket } from 'node:net';
import type pg from 'pg';
import { asError } from '../../fatal.js';
import {
  POSTGRES_CALL_MAX_MS,
  POSTGRES_CONNECT_MAX_MS,
  POSTGRES_IDLE_MS,
  POSTGRES_PAUSE_MAX_MS,
} from '../../limits.js';
import { StoreRefused } from '../../stores/world-store.js';
import { StoreUnreachable } from '../log.js';
import type { PostgresHost, PostgresPlace } from './postgres-url.js';

/** A row as text of PostgreSQL: numbers of 64 bits are strings of digits. */
export type Row = Readonly<Record<string, unknown>>;

export interface Statement {
  /** The server keeps a statement with a name prepared. */
  readonly name?: string;
  readonly text: string;
}

export interface Result {
  readonly rows: readonly Row[];
  readonly rowCount: number;
}

/** Runs statements of one transaction, one after the other. */
export type Run = (statement: Statement | string, values?: readonly unknown[]) => Promise<Result>;

export interface ConnectionOptions {
  readonly place: PostgresPlace;
  /** Names without a schema are looked up there. */
  readonly schema: string;
  /** What it is for, as the server lists it: `galaxyd log`. */
  readonly purpose: string;
  /** Longest time of a call, with the time to connect; POSTGRES_CALL_MAX_MS by default. */
  readonly callMaxMs?: number;
  /** Whether a lost connection is opened again; true by default. A lock is lost with its connection. */
  readonly reopens?: boolean;
  /** Whether commits need not be durable when they settle; false by default. */
  readonly commitsAsynchronously?: boolean;
  /**
   * Whether it makes a synchronous write as soon as it is open, so that everything that it reads is on the standby too.
   * After a crash the primary shows commits that never reached it. False by default.
   */
  readonly provesReads?: boolean;
  /** Whether it stays open if it is not used for POSTGRES_IDLE_MS; false by default. */
  readonly staysOpen?: boolean;
  /** Called for each notification of a channel that was listened to. */
  readonly onNotification?: () => void;
  /** Called after the connection was lost. */
  readonly onLost?: () => void;
}

/**
 * A commit took effect on the primary, but the wait for its standby was cancelled: it may be visible now and be lost with
 * the primary.
 */
class CommitDoubtful extends StoreUnreachable {}

/** SQLSTATEs of a server that ends, starts, is full, or does not accept writes now. */
const UNAVAILABLE = /^(08...|57P0[123]|53300|25006)$/;
/** Cancelled, by an operator or at the end of its time; or given up because of a lock or another transaction. */
const CANCELLED = /^(57014|55P03|40001|40P01)$/;
/** A session that waits for nobody notices within this time that its client is gone. */
const SESSION_SETTINGS = [
  'client_min_messages=warning',
  'idle_session_timeout=0',
  'client_connection_check_interval=500',
  'default_transaction_isolation=read\\ committed',
  'tcp_keepalives_idle=5',
  'tcp_keepalives_interval=2',
  'tcp_keepalives_count=3',
  'bytea_output=hex',
];

/** Loaded by the first connection. It takes a twentieth of a start, and most worlds are in folders. */
let library: typeof pg | undefined;

interface Link {
  readonly client: pg.Client;
  readonly socket: Socket;
  /** The message of a warning since the statement began. */
  warning: string | undefined;
  isLost: boolean;
  lossReason: Error | undefined;
  /** Timeline of its primary. */
  timeline: number;
}

/** Timeline of the newest primary that any connection to a place has seen: all of them must use the same one. */
const NEWEST_TIMELINES = new WeakMap<PostgresPlace, number>();

export class PostgresConnection {
  readonly #options: ConnectionOptions;
  readonly #callMaxMs: number;
  #link: Link | undefined;
  /** The call in progress, after which the next one begins. */
  #last: Promise<unknown> = Promise.resolve();
  #wasOpen = false;
  #isClosed = false;
  #isAborted = false;
  #isBusy = false;
  #idleAlarm: NodeJS.Timeout | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#callMaxMs = options.callMaxMs ?? POSTGRES_CALL_MAX_MS;
  }

  /**
   * Runs one statement, which is a transaction of its own.
   *
   * @throws StoreUnreachable whether it took effect is unknown
   * @throws CommitDoubtful
   * @throws StoreRefused it did not take effect
   */
  query(statement: Statement | string, values?: readonly unknown[]): Promise<Result> {
    return this.#alone((link) => runOn(link, statement, values));
  }

  /**
   * Runs several statements in one transaction.
   *
   * @throws as query() does, and what `work` throws; then nothing took effect
   */
  transaction<T>(work: (run: Run) => Promise<T>): Promise<T> {
    return this.#alone(async (link) => {
      const run: Run = (statement, values) => runOn(link, statement, values);
      await run('BEGIN');
      let result: T;
      try {
        result = await work(run);
      } catch (error) {
        // If that fails, the connection is lost, and the server rolls back.
        if (!link.isLost) await run('ROLLBACK').catch(() => {});
        throw error;
      }
      await run('COMMIT');
      return result;
    });
  }

  /** Closes it after the call in progress; later calls are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last.catch(() => {});
    this.#drop();
  }

  /** Closes it at once; the call in progress is rejected. */
  abort(): void {
    this.#isClosed = true;
    this.#isAborted = true;
    this.#drop();
  }

  #alone<T>(work: (link: Link) => Promise<T>): Promise<T> {
    const deadlineMs = performance.now() + this.#callMaxMs;
    const call = this.#last.then(
      () => this.#run(work, deadlineMs),
      () => this.#run(work, deadlineMs),
    );
    this.#last = call;
    return call;
  }

  async #run<T>(work: (link: Link) => Promise<T>, deadlineMs: number): Promise<T> {
    this.#isBusy = true;
    if (this.#link !== undefined && this.#link.timeline < this.#newestTimeline) this.#drop();
    try {
      return await this.#runOn(this.#link ?? (await this.#open(deadlineMs)), work, deadlineMs);
    } finally {
      this.#isBusy = false;
      this.#idleAlarm?.refresh();
    }
  }

  async #runOn<T>(link: Link, work: (link: Link) => Promise<T>, deadlineMs: number): Promise<T> {
    link.warning = undefined;
    link.socket.ref();
    const alarm = setTimeout(() => lose(link, noAnswer(this.#callMaxMs)), Math.max(deadlineMs - performance.now(), 1));
    try {
      const result = await work(link);
      if (link.warning !== undefined) throw new CommitDoubtful(`${this.#words()}: ${link.warning}`);
      return result;
    } catch (error) {
      throw this.#errorOf(error, link);
    } finally {
      clearTimeout(alarm);
      // A connection that waits for nothing must not keep the process from ending.
      link.socket.unref();
    }
  }

  get #newestTimeline(): number {
    return NEWEST_TIMELINES.get(this.#options.place) ?? 0;
  }

  async #open(deadlineMs: number): Promise<Link> {
    if (this.#isClosed) throw new Error('the connection is closed');
    const { reopens = true, place } = this.#options;
    if (this.#wasOpen && !reopens) throw new StoreUnreachable(`the connection to ${place.label} was lost`);
    const maxMs = Math.ceil(Math.max(Math.min(POSTGRES_CONNECT_MAX_MS, deadlineMs - performance.now()), 1));
    const link = await this.#findPrimary(maxMs);
    // Nobody would close the session any more.
    if (this.#isAborted) {
      end(link);
      throw new Error('the connection is closed');
    }
    this.#wasOpen = true;
    this.#link = link;
    link.client.on('notification', () => this.#options.onNotification?.());
    this.#idleAlarm ??= setTimeout(() => this.#closeIdle(), POSTGRES_IDLE_MS).unref();
    return link;
  }

  /** Asks all hosts at once, and takes the first one that accepts writes. */
  async #findPrimary(maxMs: number): Promise<Link> {
    const { hosts } = this.#options.place;
    let isFound = false;
    const attempts = hosts.map(async (host) => {
      const link = await this.#connect(host, maxMs);
      const alarm = setTimeout(() => lose(link, noAnswer(maxMs)), maxMs);
      try {
        if (isFound) throw new StoreUnreachable('another host was faster');
        await this.#requirePrimary(link, host);
      } catch (error) {
        if (!link.isLost) end(link);
        throw link.lossReason ?? error;
      } finally {
        clearTimeout(alarm);
      }
      if (isFound) end(link);
      isFound = true;
      return link;
    });
    try {
      return await Promise.any(attempts);
    } catch (error) {
      throw this.#unopened(error instanceof AggregateError ? error.errors.map(asError) : [asError(error)]);
    }
  }

  async #connect({ host, port }: PostgresHost, maxMs: number): Promise<Link> {
    const { place, schema, purpose, commitsAsynchronously = false } = this.#options;
    const { user, database, tls } = place;
    const socket = new Socket();
    const callMs = Math.ceil(this.#callMaxMs);
    const settings = [...SESSION_SETTINGS, `search_path="${schema}"`, `statement_timeout=${callMs}`];
    // A process that is stopped in the middle of a transaction must not keep its locks: no other one could lead.
    settings.push(`idle_in_transaction_session_timeout=${POSTGRES_PAUSE_MAX_MS}`);
    if (commitsAsynchronously) settings.push('synchronous_commit=off');
    library ??= (await import('pg')).default;
    const client = new library.Client({
      host,
      port,
      user,
      database,
      password: place.password ?? process.env['PGPASSWORD'] ?? (() => passwordInFile({ host, port, database, user })),
      ssl: tls === 'disable' ? false : { rejectUnauthorized: tls === 'verify-full' },
      application_name: `galaxyd ${purpose}`,
      options: settings.map((setting) => `-c ${setting}`).join(' '),
      connectionTimeoutMillis: maxMs,
      keepAlive: true,
      stream: () => socket,
    });
    const link: Link = { client, socket, warning: undefined, isLost: false, lossReason: undefined, timeline: 0 };
    client.on('error', (error) => this.#onLoss(link, error));
    client.on('end', () => this.#onLoss(link, undefined));
    // Nothing below a warning is sent. Nothing distinguishes one warning from another: its text is in the server's language.
    client.on('notice', ({ message }) => {
      link.warning = message ?? 'it warned';
    });
    try {
      await client.connect();
    } catch (error) {
      socket.destroy();
      throw error;
    }
    return link;
  }

  async #requirePrimary(link: Link, { host, port }: PostgresHost): Promise<void> {
    const { rows } = await runOn(link, IS_PRIMARY);
    if (rows[0]?.['timeline'] === null) throw new StoreUnreachable(`${host}:${port} is a standby`);
    const timeline = Number.parseInt(String(rows[0]?.['timeline']), 16);
    // A primary that was replaced and came back.
    if (timeline < this.#newestTimeline) throw new StoreUnreachable(`${host}:${port} is no longer the primary`);
    NEWEST_TIMELINES.set(this.#options.place, timeline);
    link.timeline = timeline;
    if (this.#options.provesReads !== true) return;
    link.warning = undefined;
    await runOn(link, WRITE_NOTHING);
    if (link.warning !== undefined) throw new CommitDoubtful(link.warning);
  }

  #onLoss(link: Link, reason: Error | undefined): void {
    lose(link, reason ?? new Error('the server closed the connection'));
    if (this.#link !== link) return;
    this.#link = undefined;
    this.#options.onLost?.();
  }

  #closeIdle(): void {
    const { staysOpen = false, reopens = true } = this.#options;
    if (!this.#isBusy && !staysOpen && reopens) this.#drop();
  }

  #drop(): void {
    clearTimeout(this.#idleAlarm);
    this.#idleAlarm = undefined;
    const link = this.#link;
    this.#link = undefined;
    if (link !== undefined) end(link);
  }

  #words(): string {
    return `the database ${this.#options.place.label}`;
  }

  /** What a failed statement means. */
  #errorOf(error: unknown, link: Link): unknown {
    if (isOfServer(error) && CANCELLED.test(error.code ?? '')) {
      return new StoreUnreachable(`${this.#words()} has cancelled it: ${error.message}`, { cause: error });
    }
    if (isOfServer(error) && !UNAVAILABLE.test(error.code ?? '') && error.severity !== 'FATAL') {
      return new StoreRefused(`${this.#words()} refuses it: ${error.message}`, { cause: error });
    }
    if (link.isLost) {
      const reason = link.lossReason ?? asError(error);
      if (this.#link === link) this.#link = undefined;
      return new StoreUnreachable(`${this.#words()} is lost: ${reason.message}`, { cause: error });
    }
    if (isOfServer(error)) {
      // It ends, or it is not the primary any more: the next call looks for the primary again.
      this.#drop();
      return new StoreUnreachable(`${this.#words()} does not accept it now: ${error.message}`, { cause: error });
    }
    return error;
  }

  /** Why no host could be used. A refusal says more than a host that does not answer. */
  #unopened(errors: readonly Error[]): Error {
    const { user, database } = this.#options.place;
    const refusal = errors.find(
      (error) => error instanceof NoPassword || (isOfServer(error) && !UNAVAILABLE.test(error.code ?? '')),
    );
    const reasons = [...new Set(errors.map(({ message }) => message))].join('; ');
    if (refusal === undefined) {
      const message = `no server of ${this.#options.place.label} accepts writes: ${reasons}`;
      return new StoreUnreachable(message, { cause: errors[0] });
    }
    const code = sqlStateOf(refusal) ?? '';
    if (refusal instanceof NoPassword || code.startsWith('28')) {
      const hint = 'the password can be in PGPASSWORD or ~/.pgpass';
      const message = `${this.#words()} does not let the user ${user} in: ${refusal.message}; ${hint}`;
      return new StoreRefused(message, { cause: refusal });
    }
    const what = code === '3D000' ? `has no database ${database}` : `refuses the connection: ${refusal.message}`;
    return new StoreRefused(`${this.#words()} ${what}`, { cause: refusal });
  }
}

/** A commit that changes no table, and waits for the standby as every other. */
const WRITE_NOTHING = "SELECT pg_logical_emit_message(true, 'galaxyd', '')";

/** The timeline of the primary; null on a standby. */
const IS_PRIMARY = `SELECT CASE WHEN pg_is_in_recovery() THEN NULL
  ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END AS timeline`;

/** Whether the server has sent it. */
function isOfServer(error: unknown): error is pg.DatabaseError {
  return library !== undefined && error instanceof library.DatabaseError;
}

/** The SQLSTATE of the error of the server that caused this one; undefined if none did. */
export function sqlStateOf(error: unknown): string | undefined {
  if (isOfServer(error)) return error.code;
  return error instanceof Error && error.cause !== undefined ? sqlStateOf(error.cause) : undefined;
}

/** The password in ~/.pgpass. The client would look there too, with a warning that a later version will not. */
async function passwordInFile(
  place: PostgresHost & { readonly database: string; readonly user: string },
): Promise<string> {
  const { default: pgPass } = await import('pgpass');
  return new Promise((resolve, reject) => {
    pgPass(place, (password) =>
      password === undefined ? reject(new NoPassword('it asks for a password')) : resolve(password),
    );
  });
}

/** The server asks for a password, and there is none. */
class NoPassword extends Error {}

async function runOn(link: Link, statement: Statement | string, values: readonly unknown[] = []): Promise<Result> {
  const { name, text } = typeof statement === 'string' ? { text: statement } : statement;
  const config = name === undefined ? { text, values: [...values] } : { name, text, values: [...values] };
  const { rows, rowCount } = await link.client.query<Record<string, unknown>>(config);
  return { rows, rowCount: rowCount ?? 0 };
}

/** Ends the session and closes the connection; a statement in progress is given up. */
function end(link: Link): void {
  link.isLost = true;
  link.socket.unref();
  link.client.end().catch(() => {});
}

function noAnswer(maxMs: number): Error {
  return new Error(`it did not answer within ${maxMs} ms; a commit also waits for the synchronous standby`);
}

function lose(link: Link, reason: Error): void {
  link.lossReason ??= reason;
  link.isLost = true;
  link.socket.destroy();
}
