// What a bot is, and what it sees of the world. A bot owns no clock, no connection and no loop: its runner wakes it, and
// it answers when it wants to be woken again (decision 25).
import { type GameEvent, type Operation, operation, type Result, type Shapes } from './galaxyd-client.js';
import type { Random } from './random.js';

export type Catalog = Shapes['Catalog'];
export type Player = Shapes['Player'];
export type Planet = Shapes['Planet'];
export type Options = Shapes['PlanetOptions'];
export type Option = Options['options'][number];

export type Plan = Shapes['Plan'];
/** What a plan asks for. An option and a step have the same names: see stepOf(). */
export type PlanStep = Plan['steps'][number];
export type PlanLane = Plan['lanes'][number];

/** Replaces the plan of a planet as a whole; no steps remove it. For act(). */
export function planOperation(
  planetId: string,
  steps: readonly PlanStep[],
  onBlocked: Plan['onBlocked'] = 'wait',
): Operation<Plan> {
  return operation.put('/api/plan/planet/{planetId}', {
    params: { path: { planetId } },
    body: { steps: [...steps], onBlocked },
  });
}

/** The step that does what an option does. */
export function stepOf({ action, request: { body } }: Option): PlanStep {
  const { planetId: _, playerId: __, ...fields } = { planetId: '', playerId: '', ...body };
  return { action, ...fields } as PlanStep;
}

/** Plays one player. What it does depends only on its memory, on `hand.random` and on what it reads. */
export interface Bot {
  /** Acts. Called again and again, never while a call is under way. @returns when it wants to be woken again */
  wake(hand: Hand): Promise<Wish>;
}

/** A kind of bot: a row of the table in bots/index.ts. */
export interface BotKind {
  readonly name: string;
  /** What it does, in a sentence. */
  readonly summary: string;
  readonly make: () => Bot;
}

/** When a bot wants to be woken: at an instant or at an event, whichever comes first. */
export interface Wish {
  /** World time; null if only events wake it. */
  readonly at: string | null;
  /** Kinds of events of its player that wake it. */
  readonly on: readonly GameEvent['type'][];
}

/** The wish of a bot that is done for good. */
export const NEVER: Wish = { at: null, on: [] };

/** What a game of turns lets a player do until its next day begins. */
export interface Budget {
  readonly commandsLeft: number;
  readonly wakeupsLeft: number;
  /** World time. */
  readonly dayEndsAt: string;
}

/** What a bot sees of a world and can do there, for one player. */
export interface Hand {
  readonly playerId: string;
  /** Draws from a seed of the run and the name of the player. */
  readonly random: Random;
  /** GET /api/catalog, read once a world. */
  readonly catalog: Catalog;
  /** What has happened to the player since the last wake, in order; nothing at the first one. */
  readonly events: readonly GameEvent[];
  /** Null if commands and wakes are not counted. */
  readonly budget: Budget | null;
  /** World time of the latest reply, or of the wake. */
  readonly now: string;

  /** The player with all its planets, fleets and research. Read once a wake, and again after act(). */
  state(): Promise<Player>;

  /** What can be started on a planet. Those of several planets asked for at once are read together. */
  options(planetId: string): Promise<Options>;

  /** What is left of the plan of a planet, and how its lanes stand. Sent together like options(). */
  plan(planetId: string): Promise<Plan>;

  /**
   * Any other read, or /api/fleet/simulate. Reads that are asked for at once are sent together.
   *
   * @throws GalaxydProblem if the server refuses
   */
  read<Body>(operation: Operation<Body>): Promise<Body>;

  /**
   * Sends commands together, in order. A refused one does not stop the others.
   *
   * @returns the result of each, without bodies
   */
  act(operations: readonly Operation[]): Promise<readonly Result<unknown>[]>;
}
