// Fifteen world days with 200 bots that build, research, fly and fight, played twice and then replayed: the same world
// each time, to the last bit.
import t from 'tap';
import { existingPlayer } from '../../engine/players/players.js';
import { viewSystem } from '../../engine/queries/galaxy.js';
import { rankPlayers } from '../../engine/queries/players.js';
import { simulateFlight } from '../../engine/queries/simulate-flight.js';
import { STANDARD_1_RULES } from '../../engine/rules/shipped.js';
import { total } from '../support/exact-formulas.js';
import { shortOrLong } from '../support/process/lengths.js';
import { chooseCommand, seededChoice, settleBots } from '../support/random-play.js';
import { DAY_MS, replay, START_MS, WorldStory } from '../support/world-story.js';

/** The number of a colonize_planet command in the log: a colony without a fleet. */
const COLONIZE_PLANET = 6;
const BOTS = 200;
const MOVES = shortOrLong(25_000, 100_000);
const END_MS = START_MS + 15 * DAY_MS;

/** Bots move all through the fifteen days, each of them some times a day; `look` may only read. */
function playFifteenDays(
  seed: number,
  look: (story: WorldStory, move: number) => void = () => undefined,
  moves = MOVES,
): WorldStory {
  const story = new WorldStory({ seed, systemsPerGalaxy: 10 });
  settleBots(story, BOTS);
  const choose = seededChoice(seed);
  const longestWaitMs = Math.floor((2 * (END_MS - story.nowMs)) / moves);
  for (let move = 0; move < moves; move += 1) {
    story.advance(choose(longestWaitMs));
    story.attempt(chooseCommand(story.world, choose));
    look(story, move);
  }
  story.advanceTo(END_MS);
  return story;
}

const played = playFifteenDays(1);
const { engine, world } = played;
const players = [...world.players.values()];

t.test('in fifteen days 200 bots build, research, fly and fight', async (t) => {
  t.equal(players.length, BOTS);
  const accepted = new Map<unknown, number>();
  for (const { row } of played.entries) accepted.set(row[0], (accepted.get(row[0]) ?? 0) + 1);
  t.comment(`entries by command number: ${JSON.stringify([...accepted])}`);
  // Both sides of a battle have its report.
  const reports = players.flatMap(({ number, reports }) =>
    reports.filter(({ attackerNumber }) => attackerNumber === number),
  );
  const battles = reports.flatMap((report) => (report.type === 'combat' ? [report] : []));
  const fought = (outcome: string) =>
    battles.filter((battle) => battle.outcome === outcome && battle.rounds > 0).length;
  const counted = {
    won: fought('attacker_won'),
    held: fought('defender_won'),
    drawn: fought('draw'),
    loot: total(battles.map(({ loot }) => total(loot))),
    'cargo lost': total(battles.map(({ cargoLost }) => total(cargoLost))),
    'spied on': reports.filter(({ type }) => type === 'espionage').length,
    'building levels': total(players.flatMap(({ planets }) => planets.flatMap(({ levels }) => levels))),
    'research levels': total(players.flatMap(({ researchLevels }) => researchLevels)),
    'colonies founded by fleets': world.planets.size - BOTS - (accepted.get(COLONIZE_PLANET) ?? 0),
    'fleets launched': world.lastFleetNumber,
    'shields raised': total(
      [...world.planets.values()].map(({ levels }) => levels[STANDARD_1_RULES.planetaryShield] ?? 0),
    ),
  };
  for (const [what, count] of Object.entries(counted)) t.ok(count > 0, `${what}: ${count}`);
});

t.test('the same script, played again, gives the same world, however much is read meanwhile', async (t) => {
  let looks = 0;
  const again = playFifteenDays(1, (story, move) => {
    if (move % 20 !== 0) return;
    const { world, nowMs } = story;
    const galaxy = 1 + (move % 10);
    const [home] = world.players.get(1 + (move % BOTS))?.planets ?? [];
    const system = viewSystem(world, galaxy, move % 7);
    const target = system?.planets[0];
    if (home === undefined || target === undefined) throw new Error('there is nothing to look at');
    const planned = {
      originKey: home.key,
      targetKey: target.key,
      ships: [1, 2, 3, 4],
      mission: null,
      cargo: [0, 0, 0, 0],
    };
    simulateFlight(world, planned, nowMs + move);
    story.stocks(home);
    if (
      rankPlayers(world, 10).length !== 10 ||
      existingPlayer(world, { name: 'bot-7', nameKey: 'bot-7', isBot: true }) === undefined
    )
      throw new Error('who?');
    if (move % 10_000 === 0) story.engine.stateHash();
    looks += 1;
  });
  t.equal(looks, MOVES / 20);
  t.equal(again.engine.stateHash(), engine.stateHash());
  t.equal(again.engine.seq, engine.seq);
});

t.test('another seed gives another world', async (t) => {
  const few = (seed: number): string => playFifteenDays(seed, undefined, 1_000).engine.stateHash();
  t.not(few(2), few(1));
});

t.test('a replay of the log gives the same world', async (t) => {
  const replayed = replay(played.entries);
  t.equal(replayed.stateHash(), engine.stateHash());
  t.equal(replayed.seq, engine.seq);
  t.equal(replayed.nextDeadlineMs(), engine.nextDeadlineMs());
  t.ok(
    players.every(({ number, points }) => replayed.world.players.get(number)?.points === points),
    'and the same points',
  );
});
