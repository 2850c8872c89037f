// How handlers change the world: whether a command can be taken now, and what becomes of it.
import type { CommandResult, WorldCommand } from '../../engine/commands/table.js';
import { isRefusal, type Refusal } from '../../engine/terms/rejections.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import type { ServedSequencer } from '../../persistence/writer/sequencer.js';
import type { Exchange } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import type { Gate } from '../replica/gate.js';
import type { Replies } from './replies.js';

export interface CommandsParts {
  readonly world: Pick<ReadonlyWorld, 'pausedAtMs'>;
  readonly sequencer: Pick<ServedSequencer, 'availability' | 'submit' | 'advanceTo' | 'pauseClock' | 'resumeClock'>;
  readonly gate: Gate;
  readonly replies: Replies;
  readonly traffic: { readonly isDraining: boolean };
}

export class Commands {
  readonly #world: CommandsParts['world'];
  readonly #sequencer: CommandsParts['sequencer'];
  readonly #gate: Gate;
  readonly #replies: Replies;
  readonly #traffic: CommandsParts['traffic'];

  constructor({ world, sequencer, gate, replies, traffic }: CommandsParts) {
    this.#world = world;
    this.#sequencer = sequencer;
    this.#gate = gate;
    this.#replies = replies;
    this.#traffic = traffic;
  }

  /** False if no command can be taken now; the exchange is answered then. */
  admits(exchange: Exchange): boolean {
    if (!this.#isOpen(exchange)) return false;
    if (this.#world.pausedAtMs === null || exchange.isOperators) return true;
    this.#replies.refuse(exchange, 'world_paused');
    return false;
  }

  /** The same, except that a world may be paused. */
  #isOpen(exchange: Exchange): boolean {
    const availability = this.#traffic.isDraining ? 'shutting_down' : this.#sequencer.availability();
    if (availability === 'open') return true;
    if (availability === 'not_leader' || availability === 'handing_over') this.#gate.refuseCommand(exchange);
    else sendProblem(exchange, availability);
    return false;
  }

  /** Carries out a command. @returns null if it was refused; the exchange is answered then */
  submit<C extends WorldCommand>(exchange: Exchange, command: C): CommandResult<C> | null {
    if (!this.admits(exchange)) return null;
    const outcome = this.attempt(command);
    if (!isRefusal(outcome)) {
      exchange.countCommand();
      return outcome;
    }
    this.#replies.refuseAs(exchange, outcome);
    return null;
  }

  /** Carries out a command that admits() has let through. */
  attempt<C extends WorldCommand>(command: C): CommandResult<C> | Refusal {
    return this.#sequencer.submit(command);
  }

  /** Moves a manual clock; admits() has said that this is possible. */
  advanceTo(toMs: number): void {
    this.#sequencer.advanceTo(toMs);
  }

  /** Stops a real clock; admits() has said that this is possible. */
  pauseClock(): void {
    this.#sequencer.pauseClock();
  }

  /** Lets it go on. */
  resumeClock(): void {
    this.#sequencer.resumeClock();
  }

  /**
   * Whether this process can do what its role is for; the exchange is answered if not.
   *
   * @param isLeaderWanted true if a standby is not ready, either
   */
  isReady(exchange: Exchange, isLeaderWanted: boolean): boolean {
    return !isLeaderWanted && this.#gate.isStandby && !this.#traffic.isDraining
      ? this.#gate.isReadyToRead(exchange)
      : this.#isOpen(exchange);
  }
}
