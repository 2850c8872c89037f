// How handlers change the world: whether a command can be taken now, and what becomes of it.
import type { CommandResult, WorldCommand } from '../../engine/commands/table.js';
import { isRefusal, type Refusal } from '../../engine/rejections.js';
import type { ServedSequencer } from '../../persistence/writer/sequencer.js';
import type { Exchange } from '../exchange/exchange.js';
import { sendProblem } from '../exchange/problems.js';
import type { Gate } from '../replica/gate.js';
import type { Replies } from './replies.js';

export interface CommandsParts {
  readonly sequencer: Pick<ServedSequencer, 'availability' | 'submit' | 'advanceTo'>;
  readonly gate: Gate;
  readonly replies: Replies;
  readonly traffic: { readonly isDraining: boolean };
}

export class Commands {
  constructor(private readonly parts: CommandsParts) {}

  /** False if no command can be taken now; the exchange is answered then. */
  admits(exchange: Exchange): boolean {
    const { gate, sequencer, traffic } = this.parts;
    const admission = traffic.isDraining ? 'shutting_down' : sequencer.availability();
    if (admission === 'open') return true;
    if (admission === 'not_leader' || admission === 'handing_over') gate.refuseCommand(exchange);
    else sendProblem(exchange, admission);
    return false;
  }

  /** Carries out a command. @returns null if it was refused; the exchange is answered then */
  submit<C extends WorldCommand>(exchange: Exchange, command: C): CommandResult<C> | null {
    if (!this.admits(exchange)) return null;
    const outcome = this.attempt(command);
    if (!isRefusal(outcome)) return outcome;
    this.parts.replies.refuseAs(exchange, outcome);
    return null;
  }

  /** Carries out a command that admits() has let through. */
  attempt<C extends WorldCommand>(command: C): CommandResult<C> | Refusal {
    return this.parts.sequencer.submit(command);
  }

  /** Moves a manual clock; admits() has said that this is possible. */
  advanceTo(toMs: number): void {
    this.parts.sequencer.advanceTo(toMs);
  }

  /**
   * Whether this process can do what its role is for; the exchange is answered if not.
   *
   * @param isLeaderWanted true if a standby is not ready, either
   */
  isReady(exchange: Exchange, isLeaderWanted: boolean): boolean {
    const { gate, traffic } = this.parts;
    return !isLeaderWanted && gate.isStandby && !traffic.isDraining
      ? gate.isReadyToRead(exchange)
      : this.admits(exchange);
  }
}
