// What a bot is, and its port to the world. A bot owns no clock, no connection and no loop: its runner wakes it, and it returns when
// it wants to be woken again (decision 25). Read next: bots/greedy.ts, player-port.ts.
import { type GameEvent, type Operation, operation, type Result, type Shapes } from './galaxyd-client.js';
import type { Random } from './random.js';

export type Catalog = Shapes['Catalog'];
export type Player = Shapes['Player'];
export type Planet = Shapes['Planet'];
export type Options = Shapes['PlanetOptions'];
export type Option = Options['options'][number];

export type PlanetPlan = Shapes['Plan'];
/** One thing that a plan starts. */
export type PlanStep = PlanetPlan['steps'][number];

/** Replaces the whole plan of a planet. Without steps, it removes the plan. For act(). */
export function planOperation(planetId: string, steps: readonly PlanStep[]): Operation<PlanetPlan> {
  return operation.put('/api/plan/planet/{planetId}', {
    params: { path: { planetId } },
    body: { steps: [...steps], onBlocked: 'wait' },
  });
}

/** Plays one player. Its behaviour depends only on its memory, on `port.random` and on what it reads. */
export interface Bot {
  /** Acts. Called repeatedly, never while a call is in progress. @returns when the bot wants to be woken again */
  wake(port: PlayerPort): Promise<Wish>;
}

/** A kind of bot: a row of the table in bots/index.ts. */
export interface BotKind {
  readonly name: string;
  /** What the bot does, in a sentence. */
  readonly summary: string;
  readonly make: () => Bot;
}

/** When a bot wants to be woken: at an instant or by an event, whichever comes first. */
export interface Wish {
  /** World time. Null if only events wake the bot. */
  readonly at: string | null;
  /** Types of events of its player that wake the bot. */
  readonly on: readonly GameEvent['type'][];
}

/** The wish of a bot that has nothing left to do. */
export const NEVER: Wish = { at: null, on: [] };

/** What a player of a game of turns may still do until its next day begins. */
export interface Budget {
  readonly commandsLeft: number;
  readonly wakeupsLeft: number;
  /** World time. */
  readonly dayEndsAt: string;
}

/** Everything that a bot can see and do in a world, for one player. */
export interface PlayerPort {
  readonly playerId: string;
  /** Seeded with the seed of the run and the name of the player. */
  readonly random: Random;
  /** GET /api/catalog, read once per world. */
  readonly catalog: Catalog;
  /** What has happened to the player since the last wake, in order. Empty at the first wake. */
  readonly events: readonly GameEvent[];
  /** Null if commands and wakes are not limited. */
  readonly budget: Budget | null;
  /** World time of the latest reply; before the first reply, of the wake. */
  readonly now: string;

  /** The player with all its planets, fleets and research. Read once per wake, and again after act(). */
  state(): Promise<Player>;

  /** What can be started on a planet. Options of several planets that are requested at once are read together. */
  options(planetId: string): Promise<Options>;

  /** What is left of the plan of a planet, and the state of its lanes. Read together like options(). */
  plan(planetId: string): Promise<PlanetPlan>;

  /**
   * Any other read, or /api/fleet/simulate. Reads that are requested at once are sent together.
   *
   * @throws GalaxydProblem if the server refuses
   */
  read<Body>(operation: Operation<Body>): Promise<Body>;

  /**
   * Sends commands together, in order. A refused command does not stop the others.
   *
   * @returns the result of each, without bodies
   */
  act(operations: readonly Operation[]): Promise<readonly Result<unknown>[]>;
}
