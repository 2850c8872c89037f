// How long events took, computed from the instants that the sender of commands and the readers recorded, each in its own process.
import { quantile } from '../reports/statistics.js';
import type { OfferedCallResult, PlanetInstants } from './offered-calls.js';

export interface EventLatencies {
  /** From when the command was due until its event was read by the client. */
  readonly dueP50Ms: number;
  readonly dueP99Ms: number;
  /** From when the reply to the command was read, in one process, until its event was, in another one; below 0 if the event came first. */
  readonly replyP50Ms: number;
  readonly replyP99Ms: number;
}

/**
 * Each command causes one event of the planet's owner, so the n-th accepted command of a planet belongs to the n-th event. Planets
 * of which an event is missing are left out.
 */
export function eventLatencies(
  { dues, replies }: Pick<OfferedCallResult, 'dues' | 'replies'>,
  arrivals: readonly PlanetInstants[],
): EventLatencies {
  const byPlanet = new Map(arrivals.map(({ planetIndex, atMs }) => [planetIndex, atMs]));
  const since = (instants: readonly PlanetInstants[]) =>
    instants.flatMap(({ planetIndex, atMs }) => {
      const arrived = byPlanet.get(planetIndex);
      return arrived?.length === atMs.length ? arrived.map((ms, index) => ms - (atMs[index] as number)) : [];
    });
  const sinceDue = since(dues);
  const sinceReply = since(replies);
  return {
    dueP50Ms: quantile(sinceDue, 0.5),
    dueP99Ms: quantile(sinceDue, 0.99),
    replyP50Ms: quantile(sinceReply, 0.5),
    replyP99Ms: quantile(sinceReply, 0.99),
  };
}
