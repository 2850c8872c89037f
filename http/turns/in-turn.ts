// What a game of turns changes for everybody else: a command of a player is taken only if it is the player's turn and its budget has
// a command left, and nobody registers, changes keys or moves the clock while a game runs.
import type { Exchange } from '../exchange/exchange.js';
import { isoText } from '../exchange/iso-time.js';
import { sendProblem } from '../exchange/problems.js';
import type { Restrictions } from '../game/game-ports.js';
import { type BoundRoute, isTakenInTurn } from '../pipeline/route.js';
import type { Turns } from './turns.js';

/** The same route, which is refused out of turn if it is a command of a player, and may end a turn if it is one of the operator. */
export function inTurn(turns: Turns, bound: BoundRoute): BoundRoute {
  const { isCommand, access } = bound.route;
  if (isCommand && access === 'admin') {
    const handle = (exchange: Exchange, body: unknown): void => {
      bound.handle(exchange, body);
      turns.operatorActed();
    };
    return { ...bound, handle };
  }
  if (!isTakenInTurn(bound.route)) return bound;
  const handle = (exchange: Exchange, body: unknown): void => {
    if (!takesCommand(turns, exchange)) return;
    bound.handle(exchange, body);
    const { callerNumber, problemCode, status } = exchange;
    if (problemCode !== '') turns.commandRefused(callerNumber, problemCode, status >= 500);
  };
  return { ...bound, handle };
}

/** @returns false if it is refused; the exchange is answered then */
function takesCommand(turns: Turns, exchange: Exchange): boolean {
  const refusal = turns.takeCommand(exchange.callerNumber);
  if (refusal === null) return true;
  const dayEndMs = turns.game?.dayEndMs ?? 0;
  if (refusal === 'not_your_turn') sendProblem(exchange, refusal);
  else
    sendProblem(exchange, refusal, {
      detail: `No commands are left until the next day begins at ${isoText(dayEndMs)}.`,
    });
  return false;
}

/** What is forbidden while a game runs, beside what always is. */
export class TurnRestrictions implements Restrictions {
  constructor(
    private readonly turns: Pick<Turns, 'isRunning'>,
    private readonly always: Restrictions,
  ) {}

  get isRegistrationClosed(): boolean {
    return this.always.isRegistrationClosed || this.turns.isRunning;
  }

  /** New keys are random, so the world would differ from that of the same game played again. */
  get keyFault(): string | null {
    return this.turns.isRunning ? 'Players cannot change their keys in a game of turns.' : this.always.keyFault;
  }

  get pauseFault(): string | null {
    return this.always.pauseFault;
  }

  get clockFault(): string | null {
    return this.turns.isRunning ? 'The game of turns that is running moves the clock.' : this.always.clockFault;
  }
}
