// Whom a player trusts, from events alone: who attacked it, who gave notice of pacts, with whomever, and who attacked a partner after that.
// What others say does not count.
import type { PlayerPort } from '../../bot.js';
import { type EventData, GalaxydProblem, type GameEvent, operation, type Shapes } from '../../galaxyd-client.js';
import { hoursBetween } from './plan.js';

/** How long a wrong is remembered, at speed 1. */
const MEMORY_HOURS = 120;
/** An attack within this time of a notice to the same player is a betrayal, at speed 1. It is remembered to the end. */
const BETRAYAL_HOURS = 48;
/** Public events that are read in a wake. Older ones are left out. */
const EVENTS_AT_ONCE = 500;

export type Battle = EventData<'battle'>;

export class Trust {
  /** When each player last did a wrong: attacked the player of this record, or gave notice of a pact. */
  readonly #wrongs = new Map<string, string>();
  readonly #betrayers = new Set<string>();
  /** When each player gave notice to each other one. */
  readonly #notices = new Map<string, string>();
  /** Of the last public event that was read. */
  #publicSeq = 0;
  #battles: readonly Battle[] = [];

  /** Learns from the events of the player, and from the public ones. @returns whom it trusted until they wronged the player itself */
  async learn(port: PlayerPort): Promise<string[]> {
    const wrongs = port.events.flatMap((event) => wrongdoerIn(port.playerId, event));
    const lost = new Set(wrongs.map(({ playerId }) => playerId).filter((playerId) => this.trusts(port, playerId)));
    for (const { playerId, at } of wrongs) this.#wrongs.set(playerId, at);
    if (port.catalog.pacts === undefined) return [...lost];
    const news = await this.#publicEvents(port);
    for (const event of news) this.#hear(port, event);
    this.#battles = news.flatMap((event) => (event.type === 'battle' ? [event.data] : []));
    return [...lost];
  }

  /** What anybody has fought between the last call of learn() and the one before. */
  get battles(): readonly Battle[] {
    return this.#battles;
  }

  trusts({ now, catalog }: PlayerPort, playerId: string): boolean {
    const at = this.#wrongs.get(playerId);
    const isForgotten = at === undefined || hoursBetween(at, now) * catalog.speed >= MEMORY_HOURS;
    return isForgotten && !this.#betrayers.has(playerId);
  }

  /** The public events since the last wake. If there are too many, the older ones are left out. */
  async #publicEvents(port: PlayerPort): Promise<readonly GameEvent[]> {
    const { events, lastSeq } = await publicEventsAfter(port, this.#publicSeq);
    const since = lastSeq - EVENTS_AT_ONCE;
    const isCut = since > this.#publicSeq;
    this.#publicSeq = lastSeq;
    return isCut ? (await publicEventsAfter(port, since)).events : events;
  }

  #hear({ catalog }: PlayerPort, event: GameEvent): void {
    if (event.type === 'pact' && event.data.change === 'cancelled' && event.playerId !== null) {
      this.#wrongs.set(event.playerId, event.at);
      this.#notices.set(`${event.playerId} ${event.data.otherId}`, event.at);
    }
    if (event.type === 'battle') {
      const { attackerId, defenderId } = event.data;
      const noticeAt = this.#notices.get(`${attackerId} ${defenderId}`);
      const isBetrayal = noticeAt !== undefined && hoursBetween(noticeAt, event.at) * catalog.speed < BETRAYAL_HOURS;
      if (isBetrayal) this.#betrayers.add(attackerId);
    }
  }
}

/** A page of public events. Those that are no longer kept are left out. */
async function publicEventsAfter(port: PlayerPort, since: number): Promise<Shapes['EventPage']> {
  try {
    return await port.read(operation.get('/api/event/world', { params: { query: { since } } }));
  } catch (error) {
    if (!(error instanceof GalaxydProblem) || error.code !== 'events_expired') throw error;
    return publicEventsAfter(port, (error.problem.oldestSeq ?? 1) - 1);
  }
}

/** Who has attacked a player, or given it notice of a pact. */
function wrongdoerIn(playerId: string, event: GameEvent): { readonly playerId: string; readonly at: string }[] {
  const { at } = event;
  if (event.type === 'pact_cancelled' && event.data.cancelledBy !== playerId)
    return [{ playerId: event.data.cancelledBy, at }];
  if (event.type === 'combat_report' && event.data.attackerId !== playerId && event.data.defenderId === playerId)
    return [{ playerId: event.data.attackerId, at }];
  return [];
}
