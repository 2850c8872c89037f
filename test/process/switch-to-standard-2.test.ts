// A world that began with standard-1 is switched to standard-2 in mid-game by its operator, on a real server: points are counted
// anew, planets take plans and follow them, players write to each other, and neither SIGKILL nor a snapshot nor a restore changes any of it.
import { join } from 'node:path';
import t from 'tap';
import type { PointsRules } from '../../engine/rules/rule-set.js';
import { STANDARD_1_RULES, STANDARD_2_RULES } from '../../engine/rules/shipped.js';
import { STANDARD_2 } from '../../engine/rules/standard-2.js';
import { playerId } from '../../engine/terms/ids.js';
import type { ReadonlyPlayer, ReadonlyWorld } from '../../engine/world/state.js';
import type { MessagesBody } from '../../http/schemas/diplomacy.js';
import type { LeaderboardBody, RulesIdentityBody } from '../../http/schemas/world.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import type { Client } from '../support/process/client.js';
import { drawSeed } from '../support/process/draws.js';
import { playFifteenDays } from '../support/process/fifteen-days.js';
import { GalaxydProcess } from '../support/process/galaxyd-process.js';
import { shortOrLong } from '../support/process/lengths.js';
import { ADMIN_KEY, manualArgs, start, stateOf, statusOf } from '../support/process/operator.js';
import { replayLog } from '../support/process/replayed-log.js';
import { serveRestored } from '../support/process/restored-server.js';
import { SequentialPlayer } from '../support/process/sequential-player.js';
import { verifiedHash } from '../support/process/verified-hash.js';

const HOURS = shortOrLong(8, 120);
const BOTS = 6;
/** Planets that get a plan. */
const PLANNED = 3;

/** What a planned planet is to do. */
const STEPS = [
  { action: 'upgrade', buildingType: 'iron_mine' },
  { action: 'upgrade', buildingType: 'silver_mine' },
  { action: 'construct', buildingType: 'laser_battery' },
  { action: 'research', researchType: 'administration' },
] as const;

interface Plan {
  readonly steps: readonly object[];
}

t.test('a world changes from standard-1 to standard-2 in mid-game', async (t) => {
  const seed = drawSeed(t);
  const place = await temporaryFolder(t);
  const folder = join(place, 'world');
  const args = manualArgs(folder);
  const player = await SequentialPlayer.begin({
    start: () => GalaxydProcess.start(t, { args: [...args, '--rules', 'standard-1'] }),
    adminKey: ADMIN_KEY,
    killAfterMs: () => null,
  });
  await playFifteenDays(player, { seed, hours: HOURS, bots: BOTS, rules: STANDARD_1_RULES.set });
  const before = await player.read<LeaderboardBody>('/api/leaderboard');
  await player.finish();

  const first = await start(t, { args, rules: null });
  const switched = await first.client.post<RulesIdentityBody>('/api/admin/rules', STANDARD_2_RULES.set);
  t.match(switched, { status: 200, body: { name: 'standard-2' } });
  const after = (await first.client.get<LeaderboardBody>('/api/leaderboard')).body;
  t.notSame(pointsIn(after), pointsIn(before), 'points are different under the new rules');
  const planned = await planPlanets(first.client, after);
  const plans = await plansOf(first.client, planned);
  const [reader = '', writer = ''] = after.players.map(({ id }) => id);
  await speak(first.client, writer, reader);
  const said = await messagesOf(first.client, reader);
  t.equal(said.messages.length, 2);
  const switchedHash = await stateOf(first.client);
  await first.galaxyd.kill();

  const second = await start(t, { args, rules: null });
  t.same(await stateOf(second.client), switchedHash, 'after a kill the world has the new rules and the plans');
  t.same((await statusOf(second.client)).rules, switched.body);
  t.same(await plansOf(second.client, planned), plans);
  t.same(await messagesOf(second.client, reader), said);
  t.equal((await second.client.post('/api/admin/clock/advance', { seconds: 86_400 })).status, 200);
  const left = await plansOf(second.client, planned);
  t.ok(stepsIn(left) < stepsIn(plans), `${stepsIn(plans) - stepsIn(left)} steps were started in a day`);
  t.equal((await second.client.post('/api/admin/snapshot')).status, 201);
  const last = await stateOf(second.client);
  const leaders = (await second.client.get<LeaderboardBody>('/api/leaderboard')).body;
  await second.galaxyd.kill();
  t.equal(await verifiedHash(folder), last.hash, 'log and snapshot agree');
  const { engine } = await replayLog(folder);
  for (const { id, points } of leaders.players) t.equal(points, recounted(engine.world, id), `points of ${id}`);

  const third = await serveRestored(t, folder, join(place, 'restored'), last);
  t.same(await plansOf(third, planned), left, 'with what is left of the plans');
  t.same((await messagesOf(third, reader)).messages, said.messages, 'and what was said');
});

/** Hands the home planets of the first players a plan. @returns the ids of these planets */
async function planPlanets(client: Client, { players }: LeaderboardBody): Promise<string[]> {
  const homes = players.flatMap(({ home }) => (home === null ? [] : [home.planetId])).slice(0, PLANNED);
  for (const planetId of homes) {
    const { status } = await client.put(`/api/plan/planet/${planetId}`, { steps: STEPS, onBlocked: 'skip' });
    if (status !== 200) throw new Error(`the plan of ${planetId} is answered with ${status}`);
  }
  return homes;
}

/** A player writes to another one, who answers and wants to hear no more, and to everybody. */
async function speak(client: Client, writer: string, reader: string): Promise<void> {
  const block = { playerId: reader, blockedPlayerId: writer, blocked: true };
  for (const [path, body] of [
    ['/api/message', { playerId: writer, to: reader, text: 'Peace?' }],
    ['/api/message', { playerId: reader, to: writer, text: 'No.' }],
    ['/api/message/block', block],
    ['/api/message', { playerId: writer, to: 'all', text: 'Who else?' }],
  ] as const) {
    const { status } = await client.post(path, body);
    if (status !== 200) throw new Error(`${JSON.stringify(body)} is answered with ${status}`);
  }
}

async function messagesOf(client: Client, id: string): Promise<MessagesBody> {
  return (await client.get<MessagesBody>(`/api/message/player/${id}`)).body;
}

async function plansOf(client: Client, planetIds: readonly string[]): Promise<Plan[]> {
  const plans: Plan[] = [];
  for (const id of planetIds) plans.push((await client.get<Plan>(`/api/plan/planet/${id}`)).body);
  return plans;
}

function stepsIn(plans: readonly Plan[]): number {
  return plans.reduce((sum, { steps }) => sum + steps.length, 0);
}

function pointsIn({ players }: LeaderboardBody): Record<string, number> {
  return Object.fromEntries(players.map(({ id, points }) => [id, points]));
}

/** The points of a player, counted from the costs of everything that it has: nothing here knows what the engine has added up. */
function recounted(world: ReadonlyWorld, id: string): number {
  const { points }: { readonly points: PointsRules } = STANDARD_2;
  const player = [...world.players.values()].find(({ number }) => playerId(world, number) === id) as ReadonlyPlayer;
  const shipUnits = (ships: readonly number[]): number =>
    ships.reduce((sum, count, type) => sum + count * total(STANDARD_2.ships[type]?.cost ?? []), 0);
  let hundredths = 0n;
  for (const { levels, ships } of player.planets) {
    for (const [type, level] of levels.entries()) {
      for (let built = 1; built <= level; built += 1) {
        hundredths += BigInt(total(STANDARD_2_RULES.buildingCost(type, built)) * 100);
      }
    }
    hundredths += BigInt(shipUnits(ships) * points.shipPercent);
  }
  for (const { ships } of player.fleets) hundredths += BigInt(shipUnits(ships) * points.shipPercent);
  hundredths += BigInt(player.destroyedUnits * points.destroyedPercent);
  return Number(hundredths / 100n);
}

function total(units: readonly number[]): number {
  return units.reduce((sum, count) => sum + count, 0);
}
