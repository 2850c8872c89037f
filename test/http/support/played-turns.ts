// Plays a game of turns without a world: entrants who follow a script, and a world that is a list of events. What must hold for every
// game is checked on the way, by a bookkeeping of its own.
import type { EventKind } from '../../../engine/events/kinds.js';
import { DAY_MS, type Entrant, TurnGame, type TurnGameSettings, type Wish } from '../../../http/turns/turn-game.js';

export const HOUR_MS = 3_600_000;

/** What an entrant does in one turn. */
export interface Move {
  readonly commands: number;
  /** Its commands send a fleet to this entrant, who has an event at once. */
  readonly hits: number | null;
  /** Null: it does not end its turn. */
  readonly wish: { readonly afterMs: number | null; readonly on: readonly EventKind[] | 'any' } | null;
}

export interface Script {
  readonly orderSeed: number;
  readonly days: number;
  readonly entrants: readonly {
    readonly commandsPerDay: number;
    readonly wakeupsPerDay: number;
    readonly moves: readonly Move[];
  }[];
  /** Events of the world: when, and of which entrant. */
  readonly events: readonly { readonly atMs: number; readonly entrant: number; readonly kind: EventKind }[];
  /** Who is gone after which of its turns, and whether that is noticed at once or when it has its next turn. */
  readonly gone: { readonly entrant: number; readonly afterTurn: number; readonly isNoticedLate: boolean } | null;
}

export interface PlayedTurn {
  readonly atMs: number;
  readonly entrant: number;
  readonly commands: number;
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
  readonly #events: EventKind[][];
  /** The wish of each entrant at its last turn, with the number of its events then. */
  readonly #wishes: { wish: Wish; seen: number }[];
  readonly #pending: Script['events'][number][];
  #nowMs = 0;

  constructor(private readonly script: Script) {
    this.#events = script.entrants.map(() => []);
    this.#wishes = script.entrants.map(() => ({ wish: { atMs: 0, on: new Set<EventKind>() }, seen: 0 }));
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
      entrants,
    };
    this.game = new TurnGame(settings, {
      canAct: () => true,
      lastSeq: (player) => this.#of(player).length,
      hasEvent: (player, afterSeq, kinds) =>
        this.#of(player)
          .slice(afterSeq)
          .some((kind) => kinds.has(kind)),
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

  #of(player: number): EventKind[] {
    return this.#events[player - 1] as EventKind[];
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
      if (isSlept && !this.#isWithdrawn(index)) this.faults.push(`time passes the wish of ${index} at ${wish.atMs}`);
    }
    this.#nowMs = toMs;
    while (this.#pending[0] !== undefined && this.#pending[0].atMs <= toMs) {
      const { entrant, kind } = this.#pending.shift() as Script['events'][number];
      this.#events[entrant]?.push(kind);
    }
    this.game.movedTo(toMs);
  }

  #checkNobodyIsAwake(): void {
    for (const [index, { wakeupsPerDay }] of this.script.entrants.entries()) {
      if (this.#isWithdrawn(index) || this.#turnsToday(index) >= wakeupsPerDay) continue;
      if (this.#isDue(index)) this.faults.push(`time moves at ${this.#nowMs} although ${index} is awake`);
    }
  }

  #takeTurn(entrant: Entrant): void {
    const index = entrant.playerNumber - 1;
    const { moves, wakeupsPerDay } = this.script.entrants[index] as Script['entrants'][number];
    const move = moves[(entrant.wakeups - 1) % moves.length] as Move;
    if (entrant.isLeaving || entrant.isWithdrawn) this.faults.push(`${index} has a turn, but was withdrawn`);
    if (this.#turnsToday(index) >= wakeupsPerDay) this.faults.push(`${index} has too many turns`);
    if (!this.#isDue(index)) this.faults.push(`${index} is woken at ${this.#nowMs} without a reason`);
    const { gone } = this.script;
    if (gone?.entrant === index && entrant.wakeups > gone.afterTurn) {
      this.game.withdraw(entrant.playerNumber);
      return;
    }
    this.turns.push({ atMs: this.#nowMs, entrant: index, commands: this.#command(entrant, move) });
    if (move.hits !== null && move.hits !== index) this.#events[move.hits]?.push('incoming_fleet');
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
        if (this.game.end(other.playerNumber, this.game.defaultWish)) this.faults.push('another one ends the turn');
      }
    }
    return taken;
  }

  #endTurn(entrant: Entrant, { wish }: Move): void {
    const index = entrant.playerNumber - 1;
    const seen = this.#of(entrant.playerNumber).length;
    const given: Wish =
      wish === null
        ? this.game.defaultWish
        : {
            atMs: wish.afterMs === null ? null : this.#nowMs + wish.afterMs,
            on: wish.on === 'any' ? 'any' : new Set(wish.on),
          };
    this.#wishes[index] = { wish: given, seen };
    if (wish === null) this.game.overrun();
    else if (!this.game.end(entrant.playerNumber, given)) this.faults.push(`${index} cannot end its turn`);
  }

  /** Whether what an entrant has wished has happened. */
  #isDue(index: number): boolean {
    const { wish, seen } = this.#wishes[index] as { wish: Wish; seen: number };
    const { on } = wish;
    if (wish.atMs !== null && wish.atMs <= this.#nowMs) return true;
    return (this.#events[index] ?? []).slice(seen).some((kind) => on === 'any' || on.has(kind));
  }

  #turnsToday(index: number): number {
    const day = Math.floor(this.#nowMs / DAY_MS);
    return this.turns.filter(({ atMs, entrant }) => entrant === index && Math.floor(atMs / DAY_MS) === day).length;
  }

  #isWithdrawn(index: number): boolean {
    return this.game.entrants[index]?.isWithdrawn === true;
  }
}
