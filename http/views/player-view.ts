// A player's research (specification, section 11), and players in lists, as plain objects.

import { planetId, playerId, researchId } from '../../engine/terms/ids.js';
import type { ReadonlyPlayer, ReadonlyWorld } from '../../engine/world/state.js';
import { isoText } from '../exchange/iso-time.js';
import type { ResearchEntryBody } from '../schemas/player.js';
import type { BulkPlayersBody, HomeBody, LeaderboardBody } from '../schemas/world.js';

/** The research of a player. An entry exists once that research has been started for the first time. */
export function researchBodies(world: ReadonlyWorld, player: ReadonlyPlayer): ResearchEntryBody[] {
  return world.rules.research.flatMap((_, type) => {
    const isKnown = (player.researchLevels[type] ?? 0) > 0 || player.research?.researchType === type;
    return isKnown ? [researchBody(world, player, type)] : [];
  });
}

/** One entry; its level is 0 until it is completed for the first time. */
export function researchBody(world: ReadonlyWorld, player: ReadonlyPlayer, type: number): ResearchEntryBody {
  const rule = world.rules.research[type];
  if (rule === undefined) throw new Error(`there is no research ${type}`);
  const active = player.research?.researchType === type ? player.research : null;
  return {
    id: researchId(world, player.number, type),
    type: rule.type,
    level: player.researchLevels[type] ?? 0,
    isResearching: active !== null,
    researchFinishAt: active === null ? null : isoText(active.finishAtMs),
  };
}

export function leaderboardBody(world: ReadonlyWorld, ranked: readonly ReadonlyPlayer[]): LeaderboardBody {
  return {
    playerCount: world.playerCount,
    players: ranked.map((player, index) => ({
      rank: index + 1,
      id: playerId(world, player.number),
      name: player.name,
      isBot: player.isBot,
      points: player.points,
      planets: player.planets.length,
      home: homeBody(world, player),
    })),
  };
}

/** Where the first planet of a player is. */
function homeBody({ universe }: ReadonlyWorld, { planets: [first] }: ReadonlyPlayer): HomeBody {
  if (first === undefined) return null;
  const { galaxy, system } = universe.positionOf(first.key);
  return { galaxyIndex: galaxy, index: system, planetId: planetId(universe, first.key) };
}

/** A player in the reply to a bulk creation. */
export function bulkPlayerBody(
  world: ReadonlyWorld,
  player: ReadonlyPlayer,
  created: boolean,
  apiKey: string | undefined,
): BulkPlayersBody['players'][number] {
  const starter = player.planets[0];
  if (starter === undefined) throw new Error(`player ${player.number} has no planet`);
  return {
    id: playerId(world, player.number),
    name: player.name,
    planetId: planetId(world.universe, starter.key),
    created,
    ...(apiKey === undefined ? {} : { apiKey }),
  };
}
