// A player with a small client: it sends one request at a time and, if the outcome is unknown, repeats it with the same
// key until there is an answer.
import type { WorldCommand } from '../../engine/commands/table.js';
import type { ReadonlyWorld } from '../../engine/state.js';
import { grant, recall } from '../support/command-words.js';
import type { Draws } from '../support/process/draws.js';
import { chooseCommand } from '../support/random-play.js';
import { NOBODY, PLENTY } from '../support/world-story.js';
import type { Answer } from './front-desk.js';

/** Worlds are kept small, so that a step is cheap: newcomers appear only in worlds below this size. */
const PLAYERS_FROM = 3;
const PLAYERS_UNTIL = 6;
const TRIES_MAX = 20;

export interface PlayerRequest {
  /** Unique in a run. */
  readonly number: number;
  /** Its idempotency key: its own, or one that others use too. */
  readonly key: string;
  /** More than one: a batch, all of it or nothing on disk. */
  readonly commands: readonly WorldCommand[];
  /** How far the operator first moves a manual clock; 0 for not at all. */
  readonly advanceMs: number;
  /** Undefined as long as its client knows of none. */
  answer: Answer | undefined;
}

export class PlayerBot {
  #pending: PlayerRequest | undefined;
  #isWaiting = false;

  constructor(readonly number: number) {}

  /** Whether the request is on its way, as far as the client knows. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** The request whose outcome it wants to know. */
  get pending(): PlayerRequest | undefined {
    return this.#pending;
  }

  /** Repeats the request of unknown outcome, or else sends a new one. */
  send(next: () => PlayerRequest): PlayerRequest {
    this.#pending ??= next();
    this.#isWaiting = true;
    return this.#pending;
  }

  /** A reply arrived: to this request, or a late one to a request that was answered already. */
  hear(request: PlayerRequest, answer: Answer): void {
    if (request !== this.#pending) return;
    this.#isWaiting = false;
    if (answer.kind === 'turned away') return;
    request.answer = answer;
    this.#pending = undefined;
  }

  /** The connection broke: it is unknown whether the request has taken effect. */
  loseConnection(): void {
    this.#isWaiting = false;
  }
}

/**
 * A move that makes sense in the world as it is, and keeps it small.
 *
 * @param name a name that no player has
 */
export function chooseMove(world: ReadonlyWorld, draws: Draws, name: string): WorldCommand {
  if (world.playerCount < PLAYERS_FROM || (world.playerCount < PLAYERS_UNTIL && draws.oneIn(20))) {
    return { type: 'create_player', name, isBot: true, keyHash: null, nameKey: name };
  }
  if (draws.oneIn(8)) return grant(draws.pick([...world.planets.values()]), PLENTY);
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const command = chooseCommand(world, (bound) => draws.below(bound));
    if (command.type !== 'create_player' && command.type !== 'create_players') return command;
  }
  return recall(NOBODY, NOBODY);
}
