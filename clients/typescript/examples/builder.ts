// A bot that builds what it can afford, the cheapest first, and sleeps until something changes.
//
//   node dist/examples/builder.js http://127.0.0.1:3000 Ada
//
// With --auth key it prints its API key once; pass it with --key the next time. With --admin-key it moves the manual
// clock of the world instead of sleeping.
import { parseArgs } from 'node:util';
import { type Amounts, earliest, GalaxydClient } from 'galaxyd-client';

/** Events after which more can be built, or paid. Events of what the bot itself starts are not among them. */
const CHANGES: ReadonlySet<string> = new Set([
  ...['building_completed', 'building_cancelled', 'planet_colonized'],
  ...['resources_received', 'resources_granted', 'fleet_returned', 'ships_cancelled'],
]);

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
// The player with exactly this name comes first.
const { body: found } = await galaxyd.get('/api/player', { params: { query: { name, limit: 1 } } });
console.log(`${name} has ${found.players[0]?.points} points`);
// The reader of events would go on.
process.exit(0);

/** Plays until an instant of world time, or for ever. */
async function play(playerId: string, until: string | null): Promise<void> {
  const { body: state } = await galaxyd.get('/api/game/state/{playerId}', { params: { path: { playerId } } });
  const planetIds = new Set(state.planets.map(({ id }) => id));
  const changes = changesOf(playerId, state.lastEventSeq, planetIds);
  const nextChange = async (): Promise<string> => {
    const { value } = await changes.next();
    change = nextChange();
    return value ?? '';
  };
  let change = nextChange();
  for (;;) {
    // What happens from here on may not be in the options that are read below.
    const changed = change;
    const wakes: string[] = [];
    for (const planetId of planetIds) wakes.push(...(await build(planetId)));
    const now = await sleep(changed, earliest([until, ...wakes]));
    if (until !== null && now >= until) return;
  }
}

/** The instants at which something happens that lets the bot build more. */
async function* changesOf(playerId: string, since: number, planetIds: Set<string>): AsyncGenerator<string, undefined> {
  for await (const event of galaxyd.events(playerId, { since, resync: true })) {
    if (event.type === 'planet_colonized') planetIds.add(event.data.planetId);
    if (event.type === 'resync') for (const { id } of event.state.planets) planetIds.add(id);
    else if (CHANGES.has(event.type)) yield event.at;
  }
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

/** Waits for a change, or until an instant; with an admin key, moves the clock to the next thing that happens. @returns world time */
async function sleep(changed: Promise<string>, instant: string | null): Promise<string> {
  if (values['admin-key'] !== undefined) {
    const { nextTimerAt } = (await operator.get('/api/status')).body;
    const to = earliest([nextTimerAt, instant]) ?? '';
    return (await operator.post('/api/admin/clock/advance', { body: { to } })).worldTime;
  }
  if (instant === null) return await changed;
  const alarm = new AbortController();
  const waited = galaxyd.waitUntil(instant, { signal: alarm.signal }).then(
    () => instant,
    (error: unknown) => {
      if (alarm.signal.aborted) return instant;
      throw error;
    },
  );
  const now = await Promise.race([changed, waited]);
  alarm.abort();
  return now;
}

function total(cost: Amounts): number {
  return Object.values(cost).reduce((sum, units) => sum + units, 0);
}
