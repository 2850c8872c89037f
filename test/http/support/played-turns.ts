// Plays a game of turns without a world: entrants who follow a script, and a world that is a list of events. What must hold for every
// game is checked on the way, by a bookkeeping of its own.
import type { EventKind } from '../../../engine/events/kinds.js';
import { UNASKED_KINDS } from '../../../http/schemas/turns.js';
import {
  DAY_MS,
  type Entrant,
  TurnGame,
  type TurnGameSettings,
  type WakeReason,
  type Wish,
} from '../../../http/turns/turn-game.js';

export const HOUR_MS = 3_600_000;
/** What decision 24 says of turns that others cause. */
const APART_MS = 10 * 60_000;
const OF_SENDER_APART_MS = 6 * HOUR_MS;

/** What an entrant does in one turn. */
export interface Move {
  readonly commands: number;
  /** Its commands send a fleet to this entrant, who has an event at once. */
  readonly hits: number | null;
  /** `default`: it says nothing. Null: it does not end its turn. */
  readonly wish: { readonly afterMs: number | null; readonly on: readonly EventKind[] | 'any' } | 'default' | null;
}

export interface Script {
  readonly orderSeed: number;
  readonly days: number;
  readonly wakeupsByOthersPerDay: number;
  readonly entrants: readonly {
    readonly commandsPerDay: number;
    readonly wakeupsPerDay: number;
    readonly moves: readonly Move[];
  }[];
  /** Events of the world: when, of which entrant, and who has caused them. */
  readonly events: readonly {
    readonly atMs: number;
    readonly entrant: number;
    readonly by: number;
    readonly kind: EventKind;
  }[];
  /** Who is gone after which of its turns, and whether that is noticed at once or when it has its next turn. */
  readonly gone: { readonly entrant: number; readonly afterTurn: number; readonly isNoticedLate: boolean } | null;
}

export interface PlayedTurn {
  readonly atMs: number;
  readonly entrant: number;
  readonly commands: number;
  /** Who has caused it; null if the entrant has. */
  readonly by: number | null;
}

interface Happened {
  readonly kind: EventKind;
  readonly by: number;
}

interface Outcome {
  readonly turns: readonly PlayedTurn[];
  readonly game: TurnGame;
  readonly faults: readonly string[];
}

/** Plays a script to its end. */
export function playTurns(script: Script): Outcome {
  const run = new Run(script);
  run.play();
  return { turns: run.turns, game: run.game, faults: run.faults };
}

class Run {
  readonly game: TurnGame;
  readonly turns: PlayedTurn[] = [];
  readonly faults: string[] = [];
  /** The events of each entrant so far. */
  readonly #events: Happened[][];
  /** The wish of each entrant, with the number of its events at its last turn, and whether the wish was due then. */
  readonly #wishes: { wish: Wish; seen: number; wasDue: boolean }[];
  readonly #pending: Script['events'][number][];
  #nowMs = 0;

  constructor(private readonly script: Script) {
    this.#events = script.entrants.map(() => []);
    this.#wishes = script.entrants.map(() => ({
      wish: { atMs: 0, on: new Set<EventKind>() },
      seen: 0,
      wasDue: false,
    }));
    this.#pending = [...script.events].sort((a, b) => a.atMs - b.atMs);
    const entrants = script.entrants.map(({ commandsPerDay, wakeupsPerDay }, index) => ({
      playerNumber: index + 1,
      commandsPerDay,
      wakeupsPerDay,
    }));
    const settings: TurnGameSettings = {
      startMs: 0,
      untilMs: script.days * DAY_MS,
      orderSeed: script.orderSeed,
      wakeupsByOthersPerDay: script.wakeupsByOthersPerDay,
      entrants,
    };
    this.game = new TurnGame(settings, {
      canAct: () => true,
      lastSeq: (player) => this.#of(player).length,
      eventsAfter: (player, afterSeq) =>
        this.#of(player)
          .slice(afterSeq)
          .map(({ kind, by }, index) => ({ seq: afterSeq + index + 1, kind, causerNumber: by + 1 })),
    });
  }

  play(): void {
    for (;;) {
      const entrant = this.game.next();
      if (entrant !== null) this.#takeTurn(entrant);
      else if (this.game.isOver) return;
      else this.#moveTime();
    }
  }

  #of(player: number): Happened[] {
    return this.#events[player - 1] as Happened[];
  }

  /** Moves time to the next wish, or the next event of the world, as the server does. */
  #moveTime(): void {
    const { nextWishMs } = this.game;
    if (!(nextWishMs > this.#nowMs)) throw new Error('time does not move');
    this.#checkNobodyIsAwake();
    const toMs = Math.min(nextWishMs, this.#pending[0]?.atMs ?? Number.POSITIVE_INFINITY);
    for (const [index, { wish }] of this.#wishes.entries()) {
      // One who is due already waits for the next day.
      const isSlept = wish.atMs !== null && wish.atMs < toMs && !this.#isDue(index);
      if (this.#isWithdrawn(index)) continue;
      if (isSlept) this.faults.push(`time passes the wish of ${index} at ${wish.atMs}`);
      const byOthersMs = Math.min(...this.#wantedByOthers(index).map(({ by }) => this.#earliestMs(index, by)));
      const isPassed = byOthersMs > this.#nowMs && byOthersMs < toMs;
      if (isPassed && this.#byOthersToday(index) < this.#byOthersPerDay(index))
        this.faults.push(`time passes ${byOthersMs}, when others wake ${index}`);
    }
    this.#nowMs = toMs;
    while (this.#pending[0] !== undefined && this.#pending[0].atMs <= toMs) {
      const { entrant, by, kind } = this.#pending.shift() as Script['events'][number];
      this.#events[entrant]?.push({ kind, by });
    }
    this.game.movedTo(toMs);
  }

  #checkNobodyIsAwake(): void {
    for (const [index, { wakeupsPerDay }] of this.script.entrants.entries()) {
      if (this.#isWithdrawn(index)) continue;
      if (this.#byOthersToday(index) < this.#byOthersPerDay(index) && this.#causersDue(index).length > 0)
        this.faults.push(`time moves at ${this.#nowMs} although others have woken ${index}`);
      if (this.#ownTurnsToday(index) < wakeupsPerDay && this.#isDue(index))
        this.faults.push(`time moves at ${this.#nowMs} although ${index} is awake`);
    }
  }

  #takeTurn(entrant: Entrant): void {
    const index = entrant.playerNumber - 1;
    const { moves, wakeupsPerDay } = this.script.entrants[index] as Script['entrants'][number];
    const move = moves[(entrant.wakeups - 1) % moves.length] as Move;
    if (entrant.isLeaving || entrant.isWithdrawn) this.faults.push(`${index} has a turn, but was withdrawn`);
    const isOwn = this.#isDue(index) && this.#ownTurnsToday(index) < wakeupsPerDay;
    if (entrant.isWokenByOther === isOwn) this.faults.push(`${index} pays for a wake that is not its own`);
    const by = isOwn ? null : this.#causerOf(index, entrant.wakeReason);
    const { gone } = this.script;
    if (gone?.entrant === index && entrant.wakeups > gone.afterTurn) {
      this.game.withdraw(entrant.playerNumber);
      return;
    }
    this.turns.push({ atMs: this.#nowMs, entrant: index, commands: this.#command(entrant, move), by });
    if (move.hits !== null && move.hits !== index) this.#events[move.hits]?.push({ kind: 'incoming_fleet', by: index });
    this.#endTurn(entrant, move);
    if (gone?.entrant === index && entrant.wakeups === gone.afterTurn && !gone.isNoticedLate) {
      this.game.withdraw(entrant.playerNumber);
    }
  }

  #command({ playerNumber }: Entrant, { commands }: Move): number {
    let taken = 0;
    for (let command = 0; command < commands; command += 1) {
      const refusal = this.game.takeCommand(playerNumber);
      if (refusal === null) taken += 1;
      for (const other of this.game.entrants) {
        if (other.playerNumber === playerNumber) continue;
        if (this.game.takeCommand(other.playerNumber) !== 'not_your_turn') this.faults.push('two have a turn');
        if (this.game.end(other.playerNumber, null)) this.faults.push('another one ends the turn');
      }
    }
    return taken;
  }

  #endTurn(entrant: Entrant, { wish }: Move): void {
    const index = entrant.playerNumber - 1;
    const seen = this.#of(entrant.playerNumber).length;
    const given: Wish | null =
      wish === null || wish === 'default'
        ? null
        : {
            atMs: wish.afterMs === null ? null : this.#nowMs + wish.afterMs,
            on: wish.on === 'any' ? 'any' : new Set(wish.on),
          };
    if (given === null && this.turns.at(-1)?.by !== null) {
      const { wish: earlier } = this.#wishes[index] as { wish: Wish };
      this.#wishes[index] = { wish: earlier, seen, wasDue: this.#isDue(index) };
    } else {
      this.#wishes[index] = { wish: given ?? { atMs: this.#nowMs + DAY_MS, on: 'any' }, seen, wasDue: false };
    }
    if (wish === null) this.game.overrun();
    else if (!this.game.end(entrant.playerNumber, given)) this.faults.push(`${index} cannot end its turn`);
  }

  /** Whether what an entrant has wished has happened, without what others have done. */
  #isDue(index: number): boolean {
    const { wish, wasDue } = this.#wishes[index] as { wish: Wish; wasDue: boolean };
    if (wasDue || (wish.atMs !== null && wish.atMs <= this.#nowMs)) return true;
    return this.#wanted(index).some(({ by }) => by === index);
  }

  /** Events that an entrant wants to wake for, since its last turn. */
  #wanted(index: number): Happened[] {
    const { wish, seen } = this.#wishes[index] as { wish: Wish; seen: number };
    const { on } = wish;
    const isWanted = (kind: EventKind): boolean => (on === 'any' ? !UNASKED_KINDS.includes(kind) : on.has(kind));
    return (this.#events[index] ?? []).slice(seen).filter(({ kind }) => isWanted(kind));
  }

  #wantedByOthers(index: number): Happened[] {
    return this.#wanted(index).filter(({ by }) => by !== index);
  }

  /** When another one may cause the next turn of an entrant. */
  #earliestMs(index: number, by: number): number {
    const caused = this.turns.filter((turn) => turn.entrant === index && turn.by !== null);
    const ofSender = caused.filter((turn) => turn.by === by);
    const lastMs = (turns: readonly PlayedTurn[]): number => turns.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY;
    return Math.max(lastMs(caused) + APART_MS, lastMs(ofSender) + OF_SENDER_APART_MS);
  }

  #causersDue(index: number): number[] {
    const due = this.#wantedByOthers(index).filter(({ by }) => this.#earliestMs(index, by) <= this.#nowMs);
    return due.map(({ by }) => by);
  }

  /** Who has woken an entrant as the game says. It must be somebody who may. */
  #causerOf(index: number, reason: WakeReason): number {
    const by = (reason?.causerNumber ?? 0) - 1;
    if (!this.#causersDue(index).includes(by)) this.faults.push(`${by} may not wake ${index} at ${this.#nowMs}`);
    if (this.#byOthersToday(index) >= this.#byOthersPerDay(index)) this.faults.push(`others wake ${index} too often`);
    return by;
  }

  #byOthersPerDay(index: number): number {
    const { wakeupsPerDay } = this.script.entrants[index] as Script['entrants'][number];
    return Math.min(this.script.wakeupsByOthersPerDay, Math.floor(wakeupsPerDay / 6));
  }

  #today(index: number): PlayedTurn[] {
    const day = Math.floor(this.#nowMs / DAY_MS);
    return this.turns.filter(({ atMs, entrant }) => entrant === index && Math.floor(atMs / DAY_MS) === day);
  }

  #ownTurnsToday(index: number): number {
    return this.#today(index).filter(({ by }) => by === null).length;
  }

  #byOthersToday(index: number): number {
    return this.#today(index).filter(({ by }) => by !== null).length;
  }

  #isWithdrawn(index: number): boolean {
    return this.game.entrants[index]?.isWithdrawn === true;
  }
}
