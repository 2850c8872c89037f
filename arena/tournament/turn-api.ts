// The operations of turns, until they are in the generated client.
import type { GalaxydClient, GameEvent, Operation, Reply } from '../galaxyd-client.js';

export interface Turn {
  readonly state: 'active' | 'waiting' | 'over';
}

export interface Turns {
  readonly state: 'idle' | 'running' | 'over';
  readonly worldTime: string;
  readonly until: string | null;
  readonly entrants: readonly {
    readonly playerId: string;
    readonly isWithdrawn: boolean;
    readonly wakeups: number;
    readonly commands: number;
    readonly refusals: Readonly<Record<string, number>>;
    readonly overruns: number;
  }[];
}

export function readTurn(client: GalaxydClient, wait: number): Promise<Reply<Turn>> {
  const operation: Operation<Turn> = { method: 'GET', path: `/api/turn?wait=${wait}` };
  return client.perform(operation);
}

export interface TurnEnd {
  readonly wakeAt: string | null;
  readonly wakeOn: readonly GameEvent['type'][];
}

export function endTurn(client: GalaxydClient, body: TurnEnd): Promise<Reply<Turn>> {
  const operation: Operation<Turn> = { method: 'POST', path: '/api/turn/end', body };
  return client.perform(operation);
}
