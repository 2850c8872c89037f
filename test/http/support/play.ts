// Moves in the game as an agent and its operator make them, so that a test says what it needs and not how to get it.
import type { Static } from 'typebox';
import type { PlanetBody, ShipyardEntryBody } from '../../../http/schemas/planet.js';
import type { LaunchBody, Player, ResearchEntryBody } from '../../../http/schemas/player.js';
import type { BulkPlayersBody, ClockPositionBody, LeaderboardBody } from '../../../http/schemas/world.js';
import type { GameClient } from './game-client.js';

export type PlayerBody = Static<typeof Player>;

/** More than any test spends. */
export const PLENTY = { iron: 1_000_000, silver: 1_000_000, ember: 1_000_000, h2: 1_000_000, energy: 1_000_000 };

export interface StateHash {
  readonly seq: number;
  readonly hash: string;
}

export class Play {
  /** @param admin a client that sends the admin key */
  constructor(
    readonly client: GameClient,
    readonly admin: GameClient,
  ) {}

  /** A new bot. */
  newcomer(name: string): Promise<PlayerBody> {
    return this.client.command<PlayerBody>('/api/game/player', { name, isBot: true }, 201);
  }

  /** A new bot with its starter planet and plenty of everything. */
  async rich(name: string): Promise<{ playerId: string; planetId: string }> {
    const player = await this.newcomer(name);
    const planetId = firstPlanet(player).id;
    await this.grant(planetId);
    return { playerId: player.id, planetId };
  }

  /** Many bots, which the operator creates. */
  bots(count: number, namePrefix: string): Promise<BulkPlayersBody> {
    return this.admin.command<BulkPlayersBody>('/api/admin/players', { count, namePrefix }, 201);
  }

  state(playerId: string): Promise<PlayerBody> {
    return this.client.read<PlayerBody>(`/api/game/state/${playerId}`);
  }

  planet(planetId: string): Promise<PlanetBody> {
    return this.client.read<PlanetBody>(`/api/game/planet/${planetId}`);
  }

  grant(planetId: string, amounts: object = PLENTY): Promise<PlanetBody> {
    return this.admin.command<PlanetBody>(`/api/admin/planet/${planetId}/grant`, amounts);
  }

  advance(seconds: number): Promise<ClockPositionBody> {
    return this.admin.command<ClockPositionBody>('/api/admin/clock/advance', { seconds });
  }

  toNextTimer(): Promise<ClockPositionBody> {
    return this.admin.command<ClockPositionBody>('/api/admin/clock/advance', { nextTimer: true });
  }

  advanceTo(instant: string): Promise<ClockPositionBody> {
    return this.admin.command<ClockPositionBody>('/api/admin/clock/advance', { to: instant });
  }

  hash(): Promise<StateHash> {
    return this.admin.read<StateHash>('/api/admin/state-hash');
  }

  /** Builds a building of level 1 and waits for it. */
  async construct(planetId: string, buildingType: string): Promise<void> {
    await this.client.command('/api/building/construct', { planetId, buildingType });
    await this.advance(60);
  }

  upgrade(planetId: string, buildingType = 'iron_mine'): Promise<PlanetBody> {
    return this.client.command<PlanetBody>('/api/building/upgrade', { planetId, buildingType });
  }

  research(playerId: string, researchType = 'drive_ion'): Promise<ResearchEntryBody> {
    return this.client.command<ResearchEntryBody>('/api/research/start', { playerId, researchType });
  }

  /** Orders ships; the planet needs a shipyard of level 1 and the resources. */
  order(planetId: string, shipType: string, count: number): Promise<ShipyardEntryBody> {
    return this.client.command<ShipyardEntryBody>('/api/shipyard/build', { planetId, shipType, count }, 201);
  }

  /** Orders ships and waits for them. */
  async ships(planetId: string, shipType: string, count: number): Promise<void> {
    await this.advanceTo((await this.order(planetId, shipType, count)).buildFinishAt);
  }

  /** A new bot with a shipyard and ships. */
  async fleetOwner(name: string, ships: Readonly<Record<string, number>>) {
    const owner = await this.rich(name);
    await this.construct(owner.planetId, 'shipyard');
    for (const [shipType, count] of Object.entries(ships)) await this.ships(owner.planetId, shipType, count);
    return owner;
  }

  secondStarter(playerId: string): Promise<PlanetBody> {
    return this.client.command<PlanetBody>(`/api/game/planet/starter/${playerId}`, undefined, 201);
  }

  /** Points of one of the first players. */
  async points(playerId: string): Promise<number> {
    const { players } = await this.client.read<LeaderboardBody>('/api/leaderboard');
    return players.find(({ id }) => id === playerId)?.points ?? 0;
  }

  async brief(playerId: string): Promise<string> {
    return (await this.client.request('GET', `/api/brief/player/${playerId}`)).text;
  }

  /** Another planet of the same system, without an owner. */
  async neighbour(planetId: string): Promise<string> {
    const [, galaxy, system] = planetId.split('-');
    const view = await this.client.read<{ planets: { id: string; owner: unknown }[] }>(
      `/api/game/galaxy/${galaxy}/system/${system}`,
    );
    const free = view.planets.find(({ owner }) => owner === null);
    if (free === undefined) throw new Error('no planet of the system is free');
    return free.id;
  }

  /** Some planet of a system. */
  async anyPlanet(galaxy: number, system: number): Promise<string> {
    const path = `/api/game/galaxy/${galaxy}/system/${system}`;
    const { planets } = await this.client.read<{ planets: { id: string }[] }>(path);
    return planets[0]?.id ?? '';
  }

  launch(body: object): Promise<LaunchBody> {
    return this.client.command<LaunchBody>('/api/fleet/launch', body);
  }
}

export function firstPlanet(player: Pick<PlayerBody, 'planets'>): PlanetBody {
  const [planet] = player.planets;
  if (planet === undefined) throw new Error('a player without planets');
  return planet;
}
