// The turns of a server with `--clock turns`: runs one game after another, moves the clock from one instant to the next at which
// somebody wants to act, and ends turns whose real time is over. It owns the clock while a game runs. It is state of the process: of
// turns the world contains only what the entrants did and how time passed (decision 24).
import type { Engine } from '../../engine/engine.js';
import { causerOf } from '../../engine/events/kinds.js';
import { hasValidKey } from '../../engine/players/api-keys.js';
import { KeptReplies, type KeptReply } from '../../engine/world/kept-replies.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { type Alarm, NODE_SCHEDULER, type Scheduler } from '../../persistence/time/scheduler.js';
import type { ServedSequencer } from '../../persistence/writer/sequencer.js';
import { TURN_EVENTS_READ_MAX, TURN_RETRY_MS, WORK_SLICE_MS } from '../limits.js';
import type { ReplyStore } from '../pipeline/keyed-execution.js';
import { type EntrantBudget, type TurnEvents, TurnGame, type TurnRefusal, type Wish } from './turn-game.js';

/** What a test may replace. */
export interface TurnClocks {
  /** Runs slices, and measures the real time of a turn. */
  readonly scheduler?: Scheduler;
  /** Monotonic milliseconds. */
  readonly elapsedMs?: () => number;
}

export interface TurnsParts extends TurnClocks {
  readonly engine: Pick<Engine, 'world' | 'nextDeadlineMs'>;
  readonly sequencer: Pick<ServedSequencer, 'nowMs' | 'lastSeq' | 'availability' | 'advanceTo'>;
  /** Once the server stops, time does not move any more. */
  readonly traffic: { readonly isDraining: boolean };
}

export interface TurnsSettings {
  readonly untilMs: number;
  readonly orderSeed: number;
  readonly wakeupsByOthersPerDay: number;
  readonly entrants: readonly EntrantBudget[];
  readonly wallMsPerTurn: number;
}

/** Waits for a turn, or for the end of the game. */
export interface TurnListener {
  /** Must not throw. */
  wake(): void;
}

/** Listens to the end of a game only. */
export const OPERATOR = 0;

/** An alarm for the end of a turn does not keep the process alive. */
const TURN_SCHEDULER: Scheduler = {
  ...NODE_SCHEDULER,
  after: (delayMs, callback, ...given) => setTimeout(callback, delayMs, ...given).unref(),
};

export class Turns {
  readonly replies: ReplyStore;
  readonly #engine: TurnsParts['engine'];
  readonly #sequencer: TurnsParts['sequencer'];
  readonly #traffic: TurnsParts['traffic'];
  readonly #scheduler: Scheduler;
  readonly #elapsedMs: () => number;
  readonly #events: TurnEvents;
  /** Indexed by the number of the player, or OPERATOR. */
  readonly #listeners = new Map<number, Set<TurnListener>>();
  #game: TurnGame | null = null;
  #wallMsPerTurn = 0;
  #turnEndsAtMs = 0;
  #alarm: Alarm | undefined;
  /** True if #proceed will be called. */
  #isProceeding = false;
  #version = 0;

  constructor(parts: TurnsParts) {
    this.#engine = parts.engine;
    this.#sequencer = parts.sequencer;
    this.#traffic = parts.traffic;
    this.#scheduler = parts.scheduler ?? TURN_SCHEDULER;
    this.#elapsedMs = parts.elapsedMs ?? (() => performance.now());
    this.#events = turnEvents(parts.engine.world, parts.sequencer);
    this.replies = new ReplyMemory(parts.sequencer, this);
  }

  /** The last game that has begun; null before the first. */
  get game(): TurnGame | null {
    return this.#game;
  }

  get isRunning(): boolean {
    return this.#game !== null && !this.#game.isOver;
  }

  /** Differs whenever anything but time differs. */
  get version(): number {
    return this.#version;
  }

  /** Real time in milliseconds that the present turn has left. */
  get wallMsLeft(): number {
    return Math.max(0, Math.ceil(this.#turnEndsAtMs - this.#elapsedMs()));
  }

  /** Begins a game, with all entrants awake, at the present instant. @throws Error if one is running */
  begin({ wallMsPerTurn, ...settings }: TurnsSettings): void {
    if (this.isRunning) throw new Error('a game of turns is running');
    this.#game = new TurnGame({ ...settings, startMs: this.#sequencer.nowMs }, this.#events);
    this.#wallMsPerTurn = wallMsPerTurn;
    this.#changed();
  }

  /** Ends the turn of a player; see TurnGame.end. @returns false if it has none */
  end(playerNumber: number, wish: Wish | null): boolean {
    if (this.#game?.end(playerNumber, wish) !== true) return false;
    this.#changed();
    return true;
  }

  /** Gives a player no further turn; see TurnGame.withdraw. @returns false if it is in no game */
  withdraw(playerNumber: number): boolean {
    if (this.#game?.withdraw(playerNumber) !== true) return false;
    this.#changed();
    this.#wake(playerNumber);
    return true;
  }

  /** The operator has changed the world. A player that can no longer act loses its turn at once, and not when its real time is over. */
  operatorActed(): void {
    const entrant = this.#game?.active ?? null;
    if (entrant !== null && !this.#events.canAct(entrant.playerNumber)) this.withdraw(entrant.playerNumber);
  }

  /** Takes a command from the budget of a player. @returns why it is refused; null if it is not */
  takeCommand(playerNumber: number): TurnRefusal | null {
    this.#version += 1;
    return this.#game === null ? 'not_your_turn' : this.#game.takeCommand(playerNumber);
  }

  /**
   * A command that takeCommand() let through was refused.
   *
   * @param isServers true if the server could not take it, so that it does not count
   */
  commandRefused(playerNumber: number, code: string, isServers: boolean): void {
    const entrant = this.#game?.entrant(playerNumber);
    if (entrant === undefined) return;
    if (isServers) this.#game?.giveCommandBack(entrant);
    else this.#game?.countRefusal(entrant, code);
  }

  /**
   * Calls `listener.wake()` when a turn of the player begins, when the player is withdrawn, and when a game is over.
   *
   * @param playerNumber or OPERATOR
   * @returns a function that ends it
   */
  listen(playerNumber: number, listener: TurnListener): () => void {
    const others = this.#listeners.get(playerNumber);
    if (others === undefined) this.#listeners.set(playerNumber, new Set([listener]));
    else others.add(listener);
    return () => {
      const left = this.#listeners.get(playerNumber);
      left?.delete(listener);
      if (left?.size === 0) this.#listeners.delete(playerNumber);
    };
  }

  /** What follows happens in another turn of the event loop: a batch or a record of the log may not be complete yet. */
  #changed(): void {
    this.#version += 1;
    if (this.#game?.active === null) this.#scheduler.cancel(this.#alarm);
    this.#proceedSoon();
  }

  #proceedSoon(delayMs = 0): void {
    if (this.#isProceeding) return;
    this.#isProceeding = true;
    if (delayMs === 0) this.#scheduler.soon(this.#proceed);
    else this.#scheduler.after(delayMs, this.#proceed);
  }

  /** Begins the next turn. Time moves until somebody has one, in slices, so that requests are answered in between. */
  readonly #proceed = (): void => {
    this.#isProceeding = false;
    const game = this.#game;
    if (game === null || game.active !== null || this.#traffic.isDraining) return;
    const endMs = this.#elapsedMs() + WORK_SLICE_MS;
    let entrant = game.next();
    for (; entrant === null && !game.isOver; entrant = game.next()) {
      const admission = this.#sequencer.availability();
      if (admission === 'shutting_down') return;
      if (admission !== 'open' || this.#elapsedMs() >= endMs) {
        this.#proceedSoon(admission === 'open' ? 0 : TURN_RETRY_MS);
        return;
      }
      const toMs = Math.min(game.nextWishMs, this.#engine.nextDeadlineMs());
      game.movedTo(this.#sequencer.advanceTo(toMs));
    }
    this.#version += 1;
    if (entrant === null) this.#wakeAll();
    else this.#beginTurn(entrant.playerNumber);
  };

  #beginTurn(playerNumber: number): void {
    this.#turnEndsAtMs = this.#elapsedMs() + this.#wallMsPerTurn;
    this.#alarm = this.#scheduler.after(this.#wallMsPerTurn, this.#overrun);
    this.#wake(playerNumber);
  }

  readonly #overrun = (): void => {
    const entrant = this.#game?.active ?? null;
    if (entrant === null || this.#traffic.isDraining) return;
    this.#game?.overrun();
    this.#changed();
    if (entrant.isWithdrawn) this.#wake(entrant.playerNumber);
  };

  #wake(playerNumber: number): void {
    for (const listener of [...(this.#listeners.get(playerNumber) ?? [])]) listener.wake();
  }

  #wakeAll(): void {
    for (const playerNumber of [...this.#listeners.keys()]) this.#wake(playerNumber);
  }
}

function turnEvents({ players, eventLog }: ReadonlyWorld, clock: Pick<TurnsParts['sequencer'], 'nowMs'>): TurnEvents {
  return {
    canAct(playerNumber) {
      const player = players.get(playerNumber);
      return player !== undefined && hasValidKey(player, clock.nowMs);
    },
    lastSeq: (playerNumber) => eventLog.lastSeq(playerNumber),
    *eventsAfter(playerNumber, afterSeq) {
      const lastSeq = eventLog.lastSeq(playerNumber);
      let seenSeq = Math.max(afterSeq, eventLog.oldestSeq(playerNumber) - 1);
      while (seenSeq < lastSeq) {
        const kept = eventLog.read(playerNumber, seenSeq, TURN_EVENTS_READ_MAX, Number.MAX_SAFE_INTEGER);
        for (const { seq, event } of kept) yield { seq, kind: event.kind, causerNumber: causerOf(event) };
        seenSeq += TURN_EVENTS_READ_MAX;
      }
    },
  };
}

/**
 * Replies to requests with an Idempotency-Key. They are kept in memory, as many as a world keeps, and not in the world: keys are random, so
 * the log and the state of two runs of the same game would differ. A repeated end of a turn does not end the next one.
 */
class ReplyMemory implements ReplyStore {
  /** Bounded as the replies of a world are. Here `seq` only counts them. */
  readonly #kept = new KeptReplies();
  /** Seq of the last entry when each reply was kept. */
  readonly #seqs = new WeakMap<KeptReply, number>();
  #count = 0;

  constructor(
    private readonly sequencer: Pick<ServedSequencer, 'lastSeq'>,
    /** Its version also grows when a turn ends, which is not an entry of the log. */
    private readonly turns: { readonly version: number },
  ) {}

  get changeCount(): number {
    return this.sequencer.lastSeq + this.turns.version;
  }

  find(scope: number, keyDigest: string): KeptReply | undefined {
    const kept = this.#kept.find(scope, keyDigest);
    return kept === undefined ? undefined : { ...kept, seq: this.#seqs.get(kept) ?? 0 };
  }

  keep(reply: Omit<KeptReply, 'seq'>): void {
    this.#count += 1;
    const kept = { ...reply, seq: this.#count };
    this.#kept.add(kept);
    this.#seqs.set(kept, this.sequencer.lastSeq);
  }
}
