// A small real world for tests of what bots share. It has the rules standard-2 and a manual clock, and is served in this process. A test
// wakes a player and uses its Plan like a bot.
import type { Test } from 'tap';
import { type BotKind, type Catalog, NEVER, type Player } from '../../../arena/bot.js';
import { Plan } from '../../../arena/bots/support/plan.js';
import type { GameEvent, Operation, Problem, Result } from '../../../arena/galaxyd-client.js';
import { type Caller, PlayingBot } from '../../../arena/player-port.js';
import { STANDARD_2_RULES } from '../../../engine/rules/shipped.js';
import type { GameClient } from '../../http/support/game-client.js';
import { firstPlanet, type Play } from '../../http/support/play.js';
import { begin } from '../../http/support/serving.js';

export type Counts = Readonly<Record<string, number>>;

/** A player of a test, with the planet that it began with. */
export interface Owner {
  readonly playerId: string;
  readonly planetId: string;
}

export class BotWorld {
  readonly #lastSeqs = new Map<string, number>();

  private constructor(
    readonly play: Play,
    readonly catalog: Catalog,
  ) {}

  static async begin(t: Test, speed = 1, rules = STANDARD_2_RULES): Promise<BotWorld> {
    const settings = { rules, systemsPerGalaxy: 4, speed };
    const { play, client } = await begin(t, { settings });
    return new BotWorld(play, await client.read<Catalog>('/api/catalog'));
  }

  /** Creates a player, which has only what rules and grants give it. */
  async owner(name: string, ships: Counts = {}, stocks: object = {}): Promise<Owner> {
    const player = await this.play.newcomer(name);
    const planetId = firstPlanet(player).id;
    await this.equip(planetId, ships);
    if (Object.keys(stocks).length > 0) await this.play.grant(planetId, stocks);
    return { playerId: player.id, planetId };
  }

  /** Puts ships on a planet, and grants their cost. */
  async equip(planetId: string, ships: Counts): Promise<void> {
    for (const [type, count] of Object.entries(ships)) {
      await this.raise(planetId, this.catalog.roles.shipyard, 1);
      const rule = this.catalog.ships.find((ship) => ship.type === type);
      const cost = Object.entries(rule?.cost ?? {}).map(([resource, units]) => [resource, units * count]);
      await this.play.grant(planetId, Object.fromEntries(cost));
      await this.play.ships(planetId, type, count);
    }
  }

  /** Raises a building to a level, and grants the cost. */
  async raise(planetId: string, buildingType: string, level: number): Promise<void> {
    const rule = this.catalog.buildings.find(({ type }) => type === buildingType);
    for (;;) {
      const { buildings } = await this.play.planet(planetId);
      const now = buildings.find(({ type }) => type === buildingType)?.level ?? 0;
      if (now >= level) return;
      const [iron, silver, ember, h2, energy] = rule?.costs[now] ?? [];
      await this.play.grant(planetId, { iron, silver, ember, h2, energy });
      const action = now === 0 ? 'construct' : 'upgrade';
      await this.play.client.command(`/api/building/${action}`, { planetId, buildingType });
      await this.play.advance(Math.ceil((rule?.seconds[now] ?? 0) / this.catalog.speed));
    }
  }

  /** The second planet that the rules give to a player. */
  async starter({ playerId }: Owner): Promise<string> {
    const path = `/api/game/planet/starter/${playerId}`;
    return (await this.play.client.command<{ id: string }>(path, undefined, 201)).id;
  }

  /** Another planet for a player, in the system of a planet. */
  async colony({ playerId }: Owner, beside: string): Promise<string> {
    const planetId = await this.play.neighbour(beside);
    await this.play.client.command(`/api/game/planet/${planetId}/colonize`, { playerId }, 201);
    return planetId;
  }

  /** Lets a player act like a bot that is woken now. Commands must be accepted. @returns what `act` returns */
  async wake<Result>({ playerId }: Owner, act: (plan: Plan) => Promise<Result> | Result): Promise<Result> {
    const results: Result[] = [];
    const kind: BotKind = {
      name: 'scripted',
      summary: '',
      make: () => ({
        async wake(port) {
          const plan = new Plan(port, await port.state());
          results.push(await act(plan));
          await plan.carryOut();
          return NEVER;
        },
      }),
    };
    const caller = new PlayCaller(this.play.client, await this.#now());
    const seat = new PlayingBot({ kind, playerId, playerName: playerId, seed: 1, catalog: this.catalog, caller });
    await seat.wake(await this.#news(playerId));
    if (caller.refusals.length > 0) throw new Error(`commands were refused: ${caller.refusals}`);
    return results[0] as Result;
  }

  state({ playerId }: Owner): Promise<Player> {
    return this.play.state(playerId);
  }

  async #now(): Promise<string> {
    return (await this.play.client.request('GET', '/api/status')).headers['x-world-time'] ?? '';
  }

  /** The events of a player since its last wake. */
  async #news(playerId: string): Promise<readonly GameEvent[]> {
    const since = this.#lastSeqs.get(playerId) ?? 0;
    const path = `/api/event/player/${playerId}?since=${since}`;
    const { events, lastSeq } = await this.play.client.read<{ events: GameEvent[]; lastSeq: number }>(path);
    this.#lastSeqs.set(playerId, lastSeq);
    return events;
  }
}

/** Sends each operation as a request of its own, and checks the reply against the route table. */
class PlayCaller implements Caller {
  readonly refusals: string[] = [];

  constructor(
    readonly client: GameClient,
    public worldTime: string,
  ) {}

  async call<Body>({ method, path, body }: Operation<Body>): Promise<Result<Body>> {
    const { status, body: reply } = await this.client.request(method, path, body === undefined ? {} : { body });
    if (status < 400) return { ok: true, status, body: reply as Body };
    const problem = reply as Problem;
    this.refusals.push(`${path} ${problem.code}`);
    return { ok: false, status, code: problem.code, problem };
  }

  async callAll(operations: readonly Operation[]): Promise<readonly Result<unknown>[]> {
    const results: Result<unknown>[] = [];
    for (const operation of operations) results.push(await this.call(operation));
    return results;
  }
}
