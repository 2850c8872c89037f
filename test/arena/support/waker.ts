// An entrant that wakes others: it grows, and sends scouts to all rivals all day. Without scouts it does the same, but sends none.
import type { BotKind } from '../../../arena/bot.js';
import { Builder, levelOf, orderShips, soonestToReturn } from '../../../arena/bots/support/building.js';
import { launch } from '../../../arena/bots/support/flights.js';
import { byDistance, GalaxyMap } from '../../../arena/bots/support/galaxy-map.js';
import { Plan } from '../../../arena/bots/support/plan.js';
import { playBot } from '../../../arena/tournament/bot-player.js';

/** Scouts that it has on its planet and under way. */
const SCOUTS = 12;
/** Seconds of world time between two of its turns. */
const NAP_SECONDS = 3_600;

/** Plays the player that the environment names, as a tournament starts it. */
export async function playWaker(sendsScouts: boolean): Promise<void> {
  const { GALAXYD_SERVER: server = '', GALAXYD_PLAYER: playerId = '', GALAXYD_API_KEY: apiKey = '' } = process.env;
  const { signal } = new AbortController();
  await playBot({ kind: waker(sendsScouts), server, playerId, playerName: playerId, apiKey, seed: '', signal });
}

const waker = (sendsScouts: boolean): BotKind => ({
  name: 'waker',
  summary: 'Sends scouts to all rivals all day.',
  make() {
    const builder = new Builder();
    const galaxyMap = new GalaxyMap();
    return {
      async wake(port) {
        const plan = new Plan(port, await port.state());
        const { scout, shipyard } = plan.roles;
        const [home] = plan.state.planets;
        if (home !== undefined && sendsScouts) await sendScouts(plan, galaxyMap);
        await builder.build(plan, (options, planet) => {
          const first = options.find(({ buildingType }) => buildingType === shipyard);
          return levelOf(planet, shipyard) === 0 && first !== undefined
            ? first
            : soonestToReturn(options, planet, port.now);
        });
        const owned = home === undefined ? 0 : plan.ships(home, scout) + plan.state.fleets.length;
        if (home !== undefined && owned < SCOUTS && levelOf(home, shipyard) > 0) orderShips(plan, home, scout, 1);
        plan.wakeIn(NAP_SECONDS);
        return plan.carryOut([]);
      },
    };
  },
});

/** Sends a scout to the nearest planet of each rival. */
async function sendScouts(plan: Plan, galaxyMap: GalaxyMap): Promise<void> {
  const { port, state, roles } = plan;
  const [from] = state.planets;
  if (from === undefined) return;
  const places = byDistance(port, from, await galaxyMap.placesAround(port, from));
  const rivals = new Set(
    places.flatMap(({ ownerId }) => (ownerId === null || ownerId === port.playerId ? [] : [ownerId])),
  );
  const targets = [...rivals].flatMap((rival) => places.find(({ ownerId }) => ownerId === rival)?.planetId ?? []);
  const flights = targets
    .slice(0, plan.ships(from, roles.scout))
    .map((targetId) => ({ from, targetId, mission: 'espionage' as const, ships: [{ type: roles.scout, count: 1 }] }));
  await launch(plan, flights);
}
