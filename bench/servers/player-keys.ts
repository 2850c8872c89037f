// API keys for players of a world that was set up without any, and requests that carry them.
import { forEachAtOnce, type GameClient, type LoadRequest, planetAskedFor } from './game-client.js';
import type { BotName } from './world-set-up.js';

export class PlayerKeys {
  readonly #byPlayer = new Map<string, string>();
  readonly #ownerOfPlanet: ReadonlyMap<string, string>;

  private constructor(bots: readonly BotName[]) {
    this.#ownerOfPlanet = new Map(bots.map(({ playerId, planetId }) => [planetId, playerId]));
  }

  /**
   * Gives each player a key.
   *
   * @param client with the admin key, of a server with --auth key
   * @param bots whose planets requests may name instead of their player
   */
  static async issue(client: GameClient, playerIds: readonly string[], bots: readonly BotName[]): Promise<PlayerKeys> {
    const keys = new PlayerKeys(bots);
    await forEachAtOnce([...new Set([...playerIds, ...bots.map(({ playerId }) => playerId)])], async (playerId) => {
      const { apiKey } = await client.post<{ apiKey: string }>(`/api/admin/player/${playerId}/key`, {});
      keys.#byPlayer.set(playerId, apiKey);
    });
    return keys;
  }

  /** The header of a player. @throws Error if it has no key */
  headersOf(playerId: string): Readonly<Record<string, string>> {
    const key = this.#byPlayer.get(playerId);
    if (key === undefined) throw new Error(`${playerId} has no key`);
    return { authorization: `Bearer ${key}` };
  }

  /** The same request with the key of the player that its path names, or whose planet its body names. */
  sign(request: LoadRequest): LoadRequest {
    const planetId = planetAskedFor(request) ?? '';
    const playerId = /player-\d+/.exec(request.path)?.[0] ?? this.#ownerOfPlanet.get(planetId) ?? '';
    return { ...request, headers: { ...request.headers, ...this.headersOf(playerId) } };
  }
}
