// The turns of the player, in a world in which players act one after another.
import { GalaxydProblem, type Shapes } from './galaxyd-client.js';
import type { Session } from './tool.js';

/** What others do to a player: by default, that ends a wait before its time. */
const FROM_OTHERS: readonly Shapes['GameEvent']['type'][] = [
  'incoming_fleet',
  'combat_report',
  'espionage_detected',
  'resources_received',
];

type Turn = Shapes['Turn'];

/** Whose turn it is. @returns null in a world without turns */
export async function readTurn({ galaxyd }: Session, heldSeconds: number, signal: AbortSignal): Promise<Turn | null> {
  try {
    const { body } = await galaxyd.get('/api/turn', { params: { query: { wait: heldSeconds } }, signal });
    return body;
  } catch (error) {
    const isWithout = error instanceof GalaxydProblem && ['forbidden', 'route_not_found'].includes(error.code);
    if (isWithout) return null;
    throw error;
  }
}

/** Ends the turn. @param until when the next one begins, unless others do something before; undefined: at any event */
export async function endTurn({ galaxyd }: Session, until: string | undefined, signal: AbortSignal): Promise<Turn> {
  const body = until === undefined ? {} : { wakeAt: until, wakeOn: [...FROM_OTHERS] };
  return (await galaxyd.post('/api/turn/end', { body, signal })).body;
}

/** Whether the model knows that it has this turn. */
export function isTurnKnown({ knownTurn }: Session, { turn }: Turn): boolean {
  return knownTurn === 'present' || knownTurn === turn;
}

export function turnText({ state, turn, worldTime, until, commandsLeft, wakeupsLeft, dayEndsAt }: Turn): string {
  if (state === 'over') return `The game is over for you. It is ${worldTime}.`;
  if (state === 'waiting') return `It is not your turn yet: call wait again. It is ${worldTime}.`;
  const left = `${commandsLeft} actions and ${wakeupsLeft} further turns left until ${dayEndsAt}`;
  return `It is your turn, number ${turn}. It is ${worldTime}; the game ends at ${until}. You have ${left}.`;
}
