// A bot that builds what it can afford, the cheapest first, and sleeps until something changes.
//
//   node dist/examples/builder.js http://127.0.0.1:3000 Ada
//
// With --auth key it prints its API key once; pass it with --key the next time. With --admin-key it moves the manual
// clock of the world instead of sleeping.
import { parseArgs } from 'node:util';
import { type Amounts, earliest, GalaxydClient } from 'galaxyd-client';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { key: { type: 'string' }, until: { type: 'string' }, 'admin-key': { type: 'string' } },
});
const [baseUrl = 'http://127.0.0.1:3000', name = 'Ada'] = positionals;
const operator = new GalaxydClient({ baseUrl, apiKey: values['admin-key'] });
let galaxyd = new GalaxydClient({ baseUrl, apiKey: values.key });

const { body: player } = await galaxyd.post('/api/game/player', { body: { name, isBot: true } });
if ('apiKey' in player) {
  console.log(`the key of ${name}: ${player.apiKey}`);
  galaxyd = new GalaxydClient({ baseUrl, apiKey: player.apiKey });
}
await play(player.id, values.until ?? null);
const { body: leaderboard } = await galaxyd.get('/api/leaderboard');
console.log(`${name} has ${leaderboard.players.find(({ id }) => id === player.id)?.points} points`);

/** Plays until an instant of world time, or for ever. */
async function play(playerId: string, until: string | null): Promise<void> {
  for (;;) {
    const wakeAt = await act(playerId);
    if (wakeAt === null || wakeAt === until || earliest([wakeAt, until]) === until) break;
    await wait(wakeAt);
  }
  if (until !== null) await wait(until);
}

/** Starts all that can be started now. @returns when to act again; null for never */
async function act(playerId: string): Promise<string | null> {
  const readState = () => galaxyd.get('/api/game/state/{playerId}', { params: { path: { playerId } } });
  const wakes: (string | null)[] = [];
  for (const { id } of (await readState()).body.planets) wakes.push(...(await build(id)));
  return earliest([(await readState()).body.nextTimerAt, ...wakes]);
}

/** Starts the cheapest building that can be paid, until there is none. @returns when others can be paid */
async function build(planetId: string): Promise<string[]> {
  for (;;) {
    const { body, worldTime } = await galaxyd.get('/api/game/options/{planetId}', { params: { path: { planetId } } });
    const open = body.options.flatMap((option) => {
      const isBuilding = option.action === 'upgrade' || option.action === 'construct';
      if (!isBuilding || option.reason !== undefined || option.affordableAt === null) return [];
      return [{ ...option, affordableAt: option.affordableAt }];
    });
    const payable = open.filter(({ affordableAt }) => affordableAt <= worldTime);
    const [cheapest] = payable.sort((one, other) => total(one.cost) - total(other.cost));
    if (cheapest === undefined) return open.map(({ affordableAt }) => affordableAt);
    await galaxyd.perform(cheapest.request);
    console.log(`${worldTime} ${cheapest.action} ${cheapest.buildingType}`);
  }
}

/** Waits until an instant of world time; with an admin key, by moving the clock. */
async function wait(instant: string): Promise<void> {
  if (values['admin-key'] === undefined) await galaxyd.waitUntil(instant);
  else await operator.post('/api/admin/clock/advance', { body: { to: instant } });
}

function total(cost: Amounts): number {
  return Object.values(cost).reduce((sum, units) => sum + units, 0);
}
