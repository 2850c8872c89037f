// What a tool is: a name, words for the model, the shape of its input, and what it does with the API. A tool keeps nothing between
// two calls.
import type { z } from 'zod';
import type { GalaxydClient } from './galaxyd-client.js';

/** Whom and what the tools of a process act for. */
export interface Session {
  readonly galaxyd: GalaxydClient;
  readonly playerId: string;
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
  /** False if it can change the world. */
  readonly isRead: boolean;
  /** @throws GalaxydProblem, NoReply, and the reason of the signal */
  run(session: Session, input: Input, signal: AbortSignal): Promise<Answer>;
}
