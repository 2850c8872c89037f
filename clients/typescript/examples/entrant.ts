// An entrant of a tournament: waits for its turn, builds what it can pay, and says when the next thing can be paid.
//
//   galaxyd tournament --entrants "greedy,node entrant.js" --days 3 --seeds 5 --out ./cup
//
// The tournament starts it for each game and names the server, the player and its key in the environment.
import { earliest, GalaxydClient } from 'galaxyd-client';

const { GALAXYD_SERVER: baseUrl = '', GALAXYD_PLAYER: playerId = '', GALAXYD_API_KEY: apiKey = '' } = process.env;
const galaxyd = new GalaxydClient({ baseUrl, apiKey });

for (;;) {
  const { body: turn } = await galaxyd.get('/api/turn', { params: { query: { wait: 20 } } });
  if (turn.state === 'over') break;
  if (turn.state === 'waiting') continue;
  const taken = turn.turn === 1 ? await takeSecondPlanet() : 0;
  const wakeAt = await act(turn.commandsLeft - taken);
  await galaxyd.post('/api/turn/end', { body: { wakeAt, wakeOn: ['building_completed', 'resources_received'] } });
}
console.log(`${playerId} has played`);

/** It costs nothing, and is the first option of each planet until it is taken. @returns the number of commands sent */
async function takeSecondPlanet(): Promise<number> {
  const { body: state } = await galaxyd.get('/api/game/state/{playerId}', { params: { path: { playerId } } });
  const planetId = state.planets[0]?.id ?? '';
  const { body } = await galaxyd.get('/api/game/options/{planetId}', { params: { path: { planetId } } });
  const [first] = body.options;
  if (first?.action !== 'second_starter') return 0;
  await galaxyd.perform(first.request);
  return 1;
}

/** Builds on all planets. @returns when more can be paid; null if nothing can be */
async function act(commandsLeft: number): Promise<string | null> {
  const { body: state } = await galaxyd.get('/api/game/state/{playerId}', { params: { path: { playerId } } });
  const wakes: string[] = [];
  let commands = 0;
  for (const { id: planetId } of state.planets) {
    while (commands < commandsLeft) {
      const { body, worldTime } = await galaxyd.get('/api/game/options/{planetId}', { params: { path: { planetId } } });
      const open = body.options.flatMap(({ action, request, reason, affordableAt }) => {
        const isBuilding = action === 'upgrade' || action === 'construct';
        return isBuilding && reason === undefined && affordableAt !== null ? [{ request, affordableAt }] : [];
      });
      const payable = open.find(({ affordableAt }) => affordableAt <= worldTime);
      if (payable === undefined) {
        wakes.push(...open.map(({ affordableAt }) => affordableAt));
        break;
      }
      await galaxyd.perform(payable.request);
      commands += 1;
    }
  }
  return earliest(wakes);
}
