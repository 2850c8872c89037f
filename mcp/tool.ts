// What a tool is: a name, words for the model, the shape of its input, and what it does with the API. Between two calls nothing is kept
// but which turn the model knows of.
import type { z } from 'zod';
import type { GalaxydClient } from './galaxyd-client.js';

/** Whom and what the tools of a process act for. */
export interface Session {
  readonly galaxyd: GalaxydClient;
  readonly playerId: string;
  /** Number of the turn that the model knows it has; `present` if it has acted in it; null if it knows of none. */
  knownTurn: number | 'present' | null;
}

export interface Answer {
  readonly text: string;
  /** True if nothing of what was asked for was done. */
  readonly isRefusal?: boolean;
}

export interface Tool<Input = never> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** False if it can change the world, or end a turn. */
  readonly isRead: boolean;
  /** Whether it can undo or spend something; by default, if it is no read. */
  readonly isDestructive?: boolean;
  /** @throws GalaxydProblem, NoReply, and the reason of the signal */
  run(session: Session, input: Input, signal: AbortSignal): Promise<Answer>;
}
