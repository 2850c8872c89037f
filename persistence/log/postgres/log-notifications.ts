// Notifies followers in other processes that the log has grown, over NOTIFY and LISTEN. Never as part of an append: NOTIFY
// takes one lock for the whole server, and an append holds its locks while it waits for the standby. A lost notification
// only delays a follower, since followers also poll.
import { POSTGRES_LISTEN_RETRY_MS, POSTGRES_NOTIFY_EVERY_MS } from '../../limits.js';
import { PostgresConnection } from './connection.js';
import type { PostgresPlace } from './postgres-url.js';

export class LogNotifications {
  readonly #place: PostgresPlace;
  readonly #schema: string;
  readonly #onNotification: () => void;
  #sender: PostgresConnection | undefined;
  #listener: PostgresConnection | undefined;
  /** Whether a notification is being sent, or was sent less than POSTGRES_NOTIFY_EVERY_MS ago. */
  #isResting = false;
  #isDue = false;
  #isClosed = false;
  /** The next attempt to listen. */
  #alarm: NodeJS.Timeout | undefined;

  /** @param onNotification called for each notification, and after some may have been missed */
  constructor(place: PostgresPlace, schema: string, onNotification: () => void) {
    this.#place = place;
    this.#schema = schema;
    this.#onNotification = onNotification;
  }

  /** Notifies the other processes, now or soon. */
  send(): void {
    this.#isDue = true;
    if (!this.#isResting && !this.#isClosed) void this.#sendDue();
  }

  /** Begins to listen. */
  listen(): void {
    if (this.#listener !== undefined || this.#isClosed) return;
    this.#listener = new PostgresConnection({
      place: this.#place,
      schema: this.#schema,
      purpose: 'log follower',
      staysOpen: true,
      onNotification: this.#onNotification,
      onLost: () => this.#listenLater(),
    });
    void this.#listen();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#alarm);
    this.#sender?.abort();
    this.#listener?.abort();
  }

  async #sendDue(): Promise<void> {
    this.#isResting = true;
    this.#isDue = false;
    this.#sender ??= new PostgresConnection({
      place: this.#place,
      schema: this.#schema,
      purpose: 'log notifier',
      commitsAsynchronously: true,
    });
    try {
      await this.#sender.query({ name: 'notify', text: 'SELECT pg_notify($1, $2)' }, [this.#channel, '']);
    } catch {
      // Followers poll.
    }
    const rest = setTimeout(() => {
      this.#isResting = false;
      if (this.#isDue && !this.#isClosed) void this.#sendDue();
    }, POSTGRES_NOTIFY_EVERY_MS);
    rest.unref();
  }

  async #listen(): Promise<void> {
    try {
      await this.#listener?.query(`LISTEN "${this.#channel}"`);
      this.#onNotification();
    } catch {
      this.#listenLater();
    }
  }

  #listenLater(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#alarm);
    this.#alarm = setTimeout(() => void this.#listen(), POSTGRES_LISTEN_RETRY_MS).unref();
  }

  get #channel(): string {
    return `galaxyd ${this.#schema}`;
  }
}
