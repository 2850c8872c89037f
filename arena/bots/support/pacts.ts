// Pacts with neighbours: proposals to those who are near, and answers to the proposals of others.
import type { Planet, PlayerPort } from '../../bot.js';
import { operation, type Shapes } from '../../galaxyd-client.js';
import { byDistance, type GalaxyMap } from './galaxy-map.js';
import { hoursBetween, type Plan } from './plan.js';

type Pact = Shapes['Pact'];
type PactKind = Pact['kind'];

/** Other players, the nearest first, to whom pacts are proposed. */
const NEIGHBOURS = 8;
/** A player who has not accepted is asked again after this time, at speed 1, and only so often. */
const ASK_AGAIN_HOURS = 30;
const ASKED_MAX = 3;

/** With whom a player makes pacts of which kinds. */
export interface Diplomacy {
  readonly kinds: readonly PactKind[];
  readonly isWelcome: (playerId: string) => boolean;
  /** Whether it proposes pacts. Otherwise it only answers. */
  readonly proposes: boolean;
}

export class Pacts {
  /** When a pact was last proposed to each player, and how often nobody accepted. */
  readonly #asked = new Map<string, { readonly at: string; readonly times: number }>();
  /** Pacts in force and proposals, as they were last read. */
  #pacts: readonly Pact[] = [];

  /** Partners whose pact of a kind began since the last wake. */
  newPartners({ playerId, events }: Pick<PlayerPort, 'playerId' | 'events'>, kind: PactKind): string[] {
    return events.flatMap((event) =>
      event.type === 'pact_began' && event.data.kind === kind ? [otherIn(event.data, playerId)] : [],
    );
  }

  /** Reads the pacts of the player. */
  async learn(port: PlayerPort): Promise<void> {
    if (port.catalog.pacts === undefined) return;
    const params = { path: { playerId: port.playerId } };
    this.#pacts = await port.read(operation.get('/api/game/pacts/{playerId}', { params }));
  }

  /** Answers the proposals that learn() has read, and makes new ones. */
  async negotiate(plan: Plan, galaxyMap: GalaxyMap, { kinds, isWelcome, proposes }: Diplomacy): Promise<void> {
    const { port, state } = plan;
    const rules = port.catalog.pacts;
    const [home] = state.planets;
    if (rules === undefined || home === undefined) return;
    const { playerId } = port;
    let room =
      rules.openMax - this.#pacts.filter((pact) => pact.state === 'in_force' || pact.proposerId === playerId).length;
    for (const { id, kind, state: stage, proposerId } of this.#pacts) {
      if (stage !== 'proposed' || proposerId === playerId) continue;
      const accepts = room > 0 && kinds.includes(kind) && isWelcome(proposerId);
      if (accepts) room -= 1;
      const params = { path: { pactId: id } };
      const body = { playerId };
      const answer = accepts
        ? operation.post('/api/pact/{pactId}/accept', { params, body })
        : operation.post('/api/pact/{pactId}/decline', { params, body });
      plan.command(home, answer);
    }
    if (!proposes) return;
    for (const partnerId of await neighboursOf(plan, galaxyMap, home)) {
      const missing = kinds.filter((kind) => this.#pactWith(playerId, partnerId, kind) === undefined);
      if (missing.length === 0 || missing.length > room || !isWelcome(partnerId) || !this.#mayAsk(plan, partnerId))
        continue;
      room -= missing.length;
      const durationSeconds = Math.floor(rules.durationSecondsMax / port.catalog.speed);
      for (const kind of missing) {
        plan.command(home, operation.post('/api/pact', { body: { playerId, partnerId, kind, durationSeconds } }));
      }
    }
  }

  /** The partners of the pacts of non-aggression in force of which nobody has given notice. */
  partners(playerId: string): string[] {
    return this.#pacts
      .filter(
        ({ kind, state, cancelledBy }) => kind === 'non_aggression' && state === 'in_force' && cancelledBy === null,
      )
      .map((pact) => otherIn(pact, playerId));
  }

  /** Gives notice of all pacts with a player. */
  cancel(plan: Plan, partnerId: string): void {
    const { playerId } = plan.port;
    const [home] = plan.state.planets;
    if (home === undefined) return;
    for (const pact of this.#pacts) {
      if (pact.state !== 'in_force' || pact.cancelledBy !== null || otherIn(pact, playerId) !== partnerId) continue;
      const params = { path: { pactId: pact.id } };
      plan.command(home, operation.post('/api/pact/{pactId}/cancel', { params, body: { playerId } }));
    }
  }

  #pactWith(playerId: string, partnerId: string, kind: PactKind): Pact | undefined {
    return this.#pacts.find((pact) => pact.kind === kind && otherIn(pact, playerId) === partnerId);
  }

  /** Whether a player may be asked now. Then it counts as asked. */
  #mayAsk({ port: { now, catalog } }: Plan, partnerId: string): boolean {
    const before = this.#asked.get(partnerId);
    if (before !== undefined) {
      if (before.times >= ASKED_MAX || hoursBetween(before.at, now) * catalog.speed < ASK_AGAIN_HOURS) return false;
    }
    this.#asked.set(partnerId, { at: now, times: (before?.times ?? 0) + 1 });
    return true;
  }
}

const otherIn = ({ proposerId, partnerId }: Pick<Pact, 'proposerId' | 'partnerId'>, playerId: string): string =>
  proposerId === playerId ? partnerId : proposerId;

async function neighboursOf(plan: Plan, galaxyMap: GalaxyMap, home: Planet): Promise<string[]> {
  const { port } = plan;
  const places = byDistance(port, home, await galaxyMap.placesAround(port, home));
  const owners = places.flatMap(({ ownerId }) => (ownerId === null || ownerId === port.playerId ? [] : [ownerId]));
  return [...new Set(owners)].slice(0, NEIGHBOURS);
}
