// One game of turns, as pure logic: whose turn it is, when time may move and how far, and what is left of each budget. It knows neither
// HTTP nor clocks. Real time reaches it only as overrun(), so everything else follows from what the entrants do (decision 24).
import type { EventKind } from '../../engine/events/kinds.js';
import { drawBelow } from '../../engine/numbers/random.js';
import {
  DEFAULT_SLEEP_MS,
  OVERRUNS_MAX,
  OWN_WAKEUPS_PER_WAKEUP_BY_OTHERS,
  WAKES_BY_OTHERS_APART_MS,
  WAKES_OF_SENDER_APART_MS,
} from '../limits.js';
import { UNASKED_KINDS } from '../schemas/turns.js';

/** The game counts its days from its first instant. */
export const DAY_MS = 24 * 3_600_000;

/** When an entrant wants to act again. */
export interface Wish {
  /** World time in milliseconds; null: only an event wakes it. */
  readonly atMs: number | null;
  /** Kinds of events that wake it. `any`: all but those of UNASKED_KINDS. */
  readonly on: ReadonlySet<EventKind> | 'any';
}

/** An event of an entrant. */
export interface TurnEvent {
  readonly seq: number;
  readonly kind: EventKind;
  /** Number of the player who caused it. */
  readonly causerNumber: number;
}

/** Why an entrant has its turn: the event that has woken it; null if the instant that it wished for has come. */
export type WakeReason = TurnEvent | null;

/** What has begun a turn. */
export interface WakeCause {
  readonly wakeReason: WakeReason;
  /** True if another player has caused it. */
  readonly isWokenByOther: boolean;
}

export interface EntrantBudget {
  readonly playerNumber: number;
  readonly commandsPerDay: number;
  /** Turns per day that it takes by its own wish, or by events that it causes. */
  readonly wakeupsPerDay: number;
}

export interface TurnGameSettings {
  /** World time in milliseconds at which the game begins. */
  readonly startMs: number;
  /** World time in milliseconds at which it is over. */
  readonly untilMs: number;
  readonly orderSeed: number;
  /** Further turns per day by events that others cause; see OWN_WAKEUPS_PER_WAKEUP_BY_OTHERS. */
  readonly wakeupsByOthersPerDay: number;
  readonly entrants: readonly EntrantBudget[];
}

/** What the game reads of the world. */
export interface TurnEvents {
  /** False once the player is retired or has no valid key, so that it could not even end its turn. */
  canAct(playerNumber: number): boolean;
  /** Seq of the last event of a player; 0 before the first. */
  lastSeq(playerNumber: number): number;
  /** Events of a player after a seq, in order. Those that are no longer kept are left out. */
  eventsAfter(playerNumber: number, afterSeq: number): Iterable<TurnEvent>;
}

/** Why a command is refused. */
export type TurnRefusal = 'not_your_turn' | 'command_budget_spent';

export class TurnGame {
  readonly settings: TurnGameSettings;
  readonly entrants: readonly Entrant[];
  readonly #byPlayer: ReadonlyMap<number, Entrant>;
  readonly #events: TurnEvents;
  /** Entrants who still have their turn at this instant, in order. */
  #round: Entrant[] = [];
  #active: Entrant | null = null;
  #nowMs: number;
  #turns = 0;

  /** @param settings players are different from each other */
  constructor(settings: TurnGameSettings, events: TurnEvents) {
    this.settings = settings;
    this.#events = events;
    this.#nowMs = settings.startMs;
    this.entrants = settings.entrants.map((budget) => new Entrant(budget, settings));
    this.#byPlayer = new Map(this.entrants.map((entrant) => [entrant.playerNumber, entrant]));
  }

  /** Number of turns that have begun. One that was withdrawn in it before its first command does not count. */
  get turns(): number {
    return this.#turns;
  }

  /** Whose turn it is; null if nobody has one. */
  get active(): Entrant | null {
    return this.#active;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  get isOver(): boolean {
    return this.#nowMs >= this.settings.untilMs;
  }

  /** World time in milliseconds at which the next day of the game begins. */
  get dayEndMs(): number {
    return this.settings.startMs + (this.#day + 1) * DAY_MS;
  }

  entrant(playerNumber: number): Entrant | undefined {
    return this.#byPlayer.get(playerNumber);
  }

  commandsLeft({ commandsPerDay, commandsSpent }: Entrant): number {
    return commandsPerDay - commandsSpent.on(this.#day);
  }

  wakeupsLeft({ wakeupsPerDay, wakeupsSpent }: Entrant): number {
    return wakeupsPerDay - wakeupsSpent.on(this.#day);
  }

  wakeupsByOthersLeft({ wakeupsByOthersPerDay, wakeupsByOthersSpent }: Entrant): number {
    return wakeupsByOthersPerDay - wakeupsByOthersSpent.on(this.#day);
  }

  /**
   * Begins the next turn of this instant, if nobody has one.
   *
   * @returns whose turn it is; null if nobody is awake, so that time must move, or the game is over
   */
  next(): Entrant | null {
    while (this.#active === null && !this.isOver) {
      if (this.#round.length === 0) this.#round = this.#awakeInOrder();
      const entrant = this.#round.shift();
      if (entrant === undefined) return null;
      if (entrant.isLeaving || !this.#events.canAct(entrant.playerNumber)) entrant.isWithdrawn = true;
      else this.#begin(entrant);
    }
    return this.#active;
  }

  /**
   * World time in milliseconds that must not be passed without calling next(): somebody wants to act then, or the game is over. It is
   * later than now unless somebody is awake.
   */
  get nextWishMs(): number {
    let nextMs = this.settings.untilMs;
    for (const entrant of this.entrants) {
      if (entrant.isWithdrawn) continue;
      const ownMs = entrant.wake === null ? entrant.wakeAtMs : this.#nowMs;
      const byOthersMs = entrant.wakeByOthers?.atMs ?? Number.POSITIVE_INFINITY;
      nextMs = Math.min(nextMs, this.#laterThanNow(ownMs), this.#laterThanNow(byOthersMs));
    }
    return nextMs;
  }

  /** A wake that is due without a turn left waits for the next day. */
  #laterThanNow(atMs: number): number {
    return atMs > this.#nowMs ? atMs : this.dayEndMs;
  }

  /**
   * Time has moved, and everything that was due by then has happened.
   *
   * @param nowMs not after nextWishMs, and not after the next deadline of the world
   */
  movedTo(nowMs: number): void {
    this.#nowMs = nowMs;
  }

  /**
   * Ends the turn of an entrant.
   *
   * @param wish null: at any event, or a day later. If another player has woken the entrant, its wish from before stays
   * @returns false if it is not its turn
   */
  end(playerNumber: number, wish: Wish | null): boolean {
    const entrant = this.#active;
    if (entrant === null || entrant.playerNumber !== playerNumber) return false;
    entrant.overrunsInRow = 0;
    this.#sleep(entrant, wish);
    return true;
  }

  /** Ends the present turn, whose real time is over. The third in a row withdraws the entrant. */
  overrun(): void {
    const entrant = this.#active;
    if (entrant === null) return;
    entrant.overruns += 1;
    entrant.overrunsInRow += 1;
    if (entrant.overrunsInRow >= OVERRUNS_MAX) entrant.isWithdrawn = true;
    this.#sleep(entrant, null);
  }

  /**
   * Gives an entrant no further turn. Its present turn ends. If it has no turn now, that takes effect where the next one would begin, and
   * a turn without a command is not counted: so the game does not depend on when the operator has noticed that the entrant is gone.
   *
   * @returns false if no such player is in the game
   */
  withdraw(playerNumber: number): boolean {
    const entrant = this.#byPlayer.get(playerNumber);
    if (entrant === undefined) return false;
    entrant.isLeaving = true;
    if (entrant !== this.#active || this.isOver) return true;
    entrant.isWithdrawn = true;
    if (entrant.commandsInTurn === 0) {
      this.#turns -= 1;
      entrant.wakeups -= 1;
      if (entrant.isWokenByOther) entrant.wakeupsByOthers -= 1;
      (entrant.isWokenByOther ? entrant.wakeupsByOthersSpent : entrant.wakeupsSpent).giveBack();
    }
    this.#active = null;
    return true;
  }

  /** Takes a command from the budget of an entrant. @returns why it is refused; null if it is not */
  takeCommand(playerNumber: number): TurnRefusal | null {
    const entrant = this.#active;
    if (entrant === null || entrant.playerNumber !== playerNumber || this.isOver) return 'not_your_turn';
    if (this.commandsLeft(entrant) <= 0) {
      this.countRefusal(entrant, 'command_budget_spent');
      return 'command_budget_spent';
    }
    entrant.commandsSpent.take(this.#day);
    entrant.commands += 1;
    entrant.commandsInTurn += 1;
    return null;
  }

  /** Gives the last command back to the active entrant: the server could not take it. */
  giveCommandBack(entrant: Entrant): void {
    entrant.commandsSpent.giveBack();
    entrant.commands -= 1;
    entrant.commandsInTurn -= 1;
  }

  countRefusal(entrant: Entrant, code: string): void {
    entrant.refusals.set(code, (entrant.refusals.get(code) ?? 0) + 1);
  }

  get #day(): number {
    return Math.floor((this.#nowMs - this.settings.startMs) / DAY_MS);
  }

  #begin(entrant: Entrant): void {
    const { wake, wakeByOthers } = entrant;
    this.#turns += 1;
    entrant.wakeups += 1;
    entrant.commandsInTurn = 0;
    entrant.isWokenByOther = wake === null || this.wakeupsLeft(entrant) <= 0;
    if (entrant.isWokenByOther && wakeByOthers !== null) {
      entrant.wakeReason = wakeByOthers.event;
      entrant.wakeupsByOthers += 1;
      entrant.wakeupsByOthersSpent.take(this.#day);
      entrant.lastWakeByOthersMs = this.#nowMs;
      entrant.lastWakesMs.set(wakeByOthers.event.causerNumber, this.#nowMs);
    } else {
      entrant.wakeReason = wake?.event ?? null;
      entrant.wakeupsSpent.take(this.#day);
    }
    this.#active = entrant;
  }

  #sleep(entrant: Entrant, wish: Wish | null): void {
    if (wish !== null || !entrant.isWokenByOther) {
      const { atMs, on } = wish ?? { atMs: this.#nowMs + DEFAULT_SLEEP_MS, on: 'any' };
      entrant.wakeAtMs = atMs ?? Number.POSITIVE_INFINITY;
      entrant.wakeOn = on;
      entrant.wake = null;
    }
    entrant.wakeByOthers = null;
    entrant.seenSeq = this.#events.lastSeq(entrant.playerNumber);
    this.#active = null;
  }

  /** Entrants who are awake and may have a turn today, in the order of their turns. */
  #awakeInOrder(): Entrant[] {
    const awake = this.entrants.filter((entrant) => this.#isAwake(entrant));
    return shuffled(awake, this.settings.orderSeed, this.#turns);
  }

  #isAwake(entrant: Entrant): boolean {
    if (entrant.isWithdrawn) return false;
    this.#lookAtEvents(entrant);
    if (entrant.wakeAtMs <= this.#nowMs) entrant.wake ??= { event: null };
    if (entrant.wake !== null && this.wakeupsLeft(entrant) > 0) return true;
    const { wakeByOthers } = entrant;
    return wakeByOthers !== null && wakeByOthers.atMs <= this.#nowMs && this.wakeupsByOthersLeft(entrant) > 0;
  }

  /** Notes what new events make of the sleep of an entrant. */
  #lookAtEvents(entrant: Entrant): void {
    const { playerNumber, seenSeq, wakeOn } = entrant;
    const lastSeq = this.#events.lastSeq(playerNumber);
    if (lastSeq <= seenSeq) return;
    entrant.seenSeq = lastSeq;
    for (const event of this.#events.eventsAfter(playerNumber, seenSeq)) {
      if (!(wakeOn === 'any' ? !UNASKED_KINDS.includes(event.kind) : wakeOn.has(event.kind))) continue;
      if (event.causerNumber === playerNumber) entrant.wake ??= { event };
      else this.#noteWakeByOther(entrant, event);
    }
  }

  /** The first wake that others may cause counts. It is due at once, unless they have caused another one shortly before. */
  #noteWakeByOther(entrant: Entrant, event: TurnEvent): void {
    const ofSenderMs = entrant.lastWakesMs.get(event.causerNumber) ?? Number.NEGATIVE_INFINITY;
    const atMs = Math.max(
      this.#nowMs,
      entrant.lastWakeByOthersMs + WAKES_BY_OTHERS_APART_MS,
      ofSenderMs + WAKES_OF_SENDER_APART_MS,
    );
    if (entrant.wakeByOthers === null || atMs < entrant.wakeByOthers.atMs) entrant.wakeByOthers = { atMs, event };
  }
}

/** An entrant, its budgets and its counts. Only the game changes it. */
export class Entrant implements WakeCause {
  readonly playerNumber: number;
  readonly commandsPerDay: number;
  readonly wakeupsPerDay: number;
  readonly wakeupsByOthersPerDay: number;
  readonly commandsSpent = new DailyCount();
  readonly wakeupsSpent = new DailyCount();
  readonly wakeupsByOthersSpent = new DailyCount();
  /** World time in milliseconds at which it wants to wake. */
  wakeAtMs: number;
  wakeOn: Wish['on'] = new Set();
  /** Set if its wish is due. It may have to wait for its turn, or for the next day. */
  wake: { readonly event: WakeReason } | null = null;
  /** The next wake that another player causes, and the world time in milliseconds from which it is due. */
  wakeByOthers: { readonly atMs: number; readonly event: TurnEvent } | null = null;
  /** World time in milliseconds of the last turn that another player has caused, and of the last one by each player. */
  lastWakeByOthersMs = Number.NEGATIVE_INFINITY;
  readonly lastWakesMs = new Map<number, number>();
  /** Why it has its present turn, or had its last one. */
  wakeReason: WakeReason = null;
  /** True if another player has caused that turn. */
  isWokenByOther = false;
  /** Seq of the last event that was looked at. */
  seenSeq = 0;
  /** True if it gets no further turn. */
  isLeaving = false;
  /** True once it has lost one. */
  isWithdrawn = false;
  wakeups = 0;
  /** Of them, those that others have caused. */
  wakeupsByOthers = 0;
  commands = 0;
  commandsInTurn = 0;
  overruns = 0;
  overrunsInRow = 0;
  /** Counts by code. */
  readonly refusals = new Map<string, number>();

  /** @param settings it is awake from the start of the game on */
  constructor(
    { playerNumber, commandsPerDay, wakeupsPerDay }: EntrantBudget,
    { startMs, wakeupsByOthersPerDay }: Pick<TurnGameSettings, 'startMs' | 'wakeupsByOthersPerDay'>,
  ) {
    this.playerNumber = playerNumber;
    this.commandsPerDay = commandsPerDay;
    this.wakeupsPerDay = wakeupsPerDay;
    this.wakeupsByOthersPerDay = Math.min(
      wakeupsByOthersPerDay,
      Math.floor(wakeupsPerDay / OWN_WAKEUPS_PER_WAKEUP_BY_OTHERS),
    );
    this.wakeAtMs = startMs;
  }
}

/** A count that begins anew each day of the game. */
class DailyCount {
  #day = 0;
  #count = 0;

  on(day: number): number {
    return day === this.#day ? this.#count : 0;
  }

  take(day: number): void {
    this.#count = this.on(day) + 1;
    this.#day = day;
  }

  /** Takes back what was taken last. */
  giveBack(): void {
    this.#count -= 1;
  }
}

/** Fisher–Yates, with draws from (seed, turn, position). */
function shuffled(entrants: Entrant[], seed: number, turn: number): Entrant[] {
  for (let last = entrants.length - 1; last > 0; last -= 1) {
    const other = drawBelow(last + 1, seed, turn, last);
    const entrant = entrants[last] as Entrant;
    entrants[last] = entrants[other] as Entrant;
    entrants[other] = entrant;
  }
  return entrants;
}
