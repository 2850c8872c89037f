// What a swarm of agents sends: mostly reads of their own states, and now and then a command. The commands come in rounds
// that undo each other, so that the load can go on for ever.
import { getRequest, type LoadRequest, postRequest } from '../servers/load-request.js';
import { spread, type WorldNames } from '../servers/world-set-up.js';
import type { SeededDraws } from '../worlds/seeded-draws.js';

/** Agents whose states are read; the world may hold many more. */
const AGENTS_MAX = 4_000;
/** One request in so many is a command. */
const COMMAND_ONE_IN = 5;
/** Per cent of all reads; what is left over reads the catalogue. */
const STATE_SHARE = 70;
const PLANET_SHARE = 15;
const SYSTEM_SHARE = 13;

/** As many requests as it takes to order ships on every worked planet and to cancel them all. */
export function swarmRequests(names: WorldNames, draws: SeededDraws): LoadRequest[] {
  const { workedPlanetIds } = names;
  const commands = [
    ...workedPlanetIds.map((planetId) => postRequest('/api/shipyard/build', { planetId, shipType: 'scout', count: 2 })),
    ...workedPlanetIds.map((planetId) => postRequest('/api/shipyard/cancel', { planetId, shipType: 'scout' })),
  ];
  const agents = spread(names.bots, AGENTS_MAX);
  return commands.flatMap((command) => {
    const reads = Array.from({ length: COMMAND_ONE_IN - 1 }, () => drawRead({ ...names, bots: agents }, draws));
    return [...reads, command];
  });
}

function drawRead({ bots, systemPaths }: WorldNames, draws: SeededDraws): LoadRequest {
  const bot = bots[draws.below(bots.length)];
  if (bot === undefined) throw new Error('a swarm needs bots');
  const choice = draws.below(100);
  if (choice < STATE_SHARE) return getRequest(`/api/game/state/${bot.playerId}`);
  if (choice < STATE_SHARE + PLANET_SHARE) return getRequest(`/api/game/planet/${bot.planetId}`);
  const systemPath = systemPaths[draws.below(systemPaths.length)];
  if (choice < STATE_SHARE + PLANET_SHARE + SYSTEM_SHARE && systemPath !== undefined) return getRequest(systemPath);
  return getRequest('/api/catalog');
}
