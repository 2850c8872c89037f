// The messages of players that are kept, what players have sent lately, and whom they block: maps beside the player table. A player who
// never wrote, read or blocked anything costs nothing here. This file holds no rule of the game.

/** Instead of the number of a receiver: a message to everybody. */
export const EVERYBODY = 0;

/** A message, which never changes. Its text is data of whoever sent it. */
export interface Message {
  /** Counts the messages of the world, from 1 on. */
  readonly number: number;
  readonly atMs: number;
  /** The player may be retired. */
  readonly senderNumber: number;
  /** EVERYBODY, or a player, who may be retired. */
  readonly receiverNumber: number;
  readonly text: string;
}

/** Which of the two players of a message keep it. */
export const KEPT_BY_SENDER = 1;
export const KEPT_BY_RECEIVER = 2;
export const KEPT_BY_BOTH: number = KEPT_BY_SENDER + KEPT_BY_RECEIVER;

/** A message to one player. */
export interface KeptMessage {
  readonly message: Message;
  /** KEPT_BY_SENDER, KEPT_BY_RECEIVER or KEPT_BY_BOTH. */
  readonly keepers: number;
}

/** What a player has sent since the first message of its period. */
export interface Sent {
  /** World time at which the period ends. */
  readonly untilMs: number;
  /** Messages by the number of the player to whom they went, in the order of the first ones. */
  readonly toEach: ReadonlyMap<number, number>;
  readonly broadcasts: number;
}

/** What a player keeps. Both lists are in the order of the messages. */
interface Mailbox {
  readonly received: Message[];
  readonly sent: Message[];
}

const NO_MESSAGES: readonly Message[] = Object.freeze([]);
const NO_NUMBERS: readonly number[] = Object.freeze([]);

export class MessageTable {
  /** Number of the last message; 0 before the first. */
  lastNumber = 0;
  readonly #broadcasts: Message[] = [];
  /** All messages to one player that somebody keeps, in their order. */
  readonly #kept = new Map<number, { readonly message: Message; keepers: number }>();
  readonly #mailboxes = new Map<number, Mailbox>();
  readonly #sent = new Map<number, Sent>();
  readonly #blocked = new Map<number, readonly number[]>();

  /** Messages to everybody that are kept, oldest first. */
  get broadcasts(): readonly Message[] {
    return this.#broadcasts;
  }

  /** Messages to a player that are kept, oldest first. */
  receivedBy(playerNumber: number): readonly Message[] {
    return this.#mailboxes.get(playerNumber)?.received ?? NO_MESSAGES;
  }

  /** Messages of a player to single players that are kept for it, oldest first. */
  sentBy(playerNumber: number): readonly Message[] {
    return this.#mailboxes.get(playerNumber)?.sent ?? NO_MESSAGES;
  }

  /** Null if the player never sent anything; the period may be over. */
  lastSentOf(playerNumber: number): Sent | null {
    return this.#sent.get(playerNumber) ?? null;
  }

  setLastSentOf(playerNumber: number, sent: Sent): void {
    this.#sent.set(playerNumber, sent);
  }

  /** Numbers of the players whom a player blocks, in the order in which it blocked them. Some may be retired. */
  blockedBy(playerNumber: number): readonly number[] {
    return this.#blocked.get(playerNumber) ?? NO_NUMBERS;
  }

  setBlockedBy(playerNumber: number, numbers: readonly number[]): void {
    if (numbers.length === 0) this.#blocked.delete(playerNumber);
    else this.#blocked.set(playerNumber, numbers);
  }

  /** Whether somebody keeps a message to one player. */
  isKept(number: number): boolean {
    return this.#kept.has(number);
  }

  /** All messages to one player that somebody keeps, in their order. */
  kept(): IterableIterator<KeptMessage> {
    return this.#kept.values();
  }

  /** Adds a message to everybody as the newest, and drops the oldest if more than `keptMax` are left. */
  addBroadcast(message: Message, keptMax: number): void {
    this.#broadcasts.push(message);
    while (this.#broadcasts.length > keptMax) this.#broadcasts.shift();
  }

  /** Adds a message to one player as the newest. Of what its players keep the oldest are dropped if more than `keptMax` are left. */
  add(message: Message, keepers: number, keptMax: number): void {
    this.#kept.set(message.number, { message, keepers });
    if (keepers !== KEPT_BY_RECEIVER) {
      const { sent } = this.#mailboxOf(message.senderNumber);
      sent.push(message);
      while (sent.length > keptMax) this.#drop(sent.shift(), KEPT_BY_SENDER);
    }
    if (keepers !== KEPT_BY_SENDER) {
      const { received } = this.#mailboxOf(message.receiverNumber);
      received.push(message);
      while (received.length > keptMax) this.#drop(received.shift(), KEPT_BY_RECEIVER);
    }
  }

  /** Removes what is kept for a player. What others keep of its messages stays. */
  remove(playerNumber: number): void {
    for (const message of this.receivedBy(playerNumber)) this.#drop(message, KEPT_BY_RECEIVER);
    for (const message of this.sentBy(playerNumber)) this.#drop(message, KEPT_BY_SENDER);
    this.#mailboxes.delete(playerNumber);
    this.#sent.delete(playerNumber);
    this.#blocked.delete(playerNumber);
  }

  #mailboxOf(playerNumber: number): Mailbox {
    const present = this.#mailboxes.get(playerNumber);
    if (present !== undefined) return present;
    const mailbox: Mailbox = { received: [], sent: [] };
    this.#mailboxes.set(playerNumber, mailbox);
    return mailbox;
  }

  #drop(message: Message | undefined, keeper: number): void {
    const kept = message === undefined ? undefined : this.#kept.get(message.number);
    if (message === undefined || kept === undefined) throw new Error('a message is kept by nobody');
    kept.keepers -= keeper;
    if (kept.keepers === 0) this.#kept.delete(message.number);
  }
}
