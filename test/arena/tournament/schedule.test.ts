// The schedule: what it is derived from, and that starts are balanced; and that the server reads whatever a tournament writes.
import t from 'tap';
import * as arena from '../../../arena/limits.js';
import type { Settings, TournamentEntrant } from '../../../arena/tournament/result.js';
import { gamesOf, scheduleOf, tournamentDigest } from '../../../arena/tournament/schedule.js';
import * as http from '../../../http/limits.js';

const settings: Settings = {
  rules: { name: 'standard-1', version: 1, digest: '0123456789abcdef' },
  variation: null,
  days: 3,
  seeds: [1, 2],
  rounds: 6,
  commandsPerDay: 100,
  wakeupsPerDay: 24,
  wakeupsByOthersPerDay: 4,
  wallSecondsPerTurn: 30,
  speed: 1,
  systemsPerGalaxy: 300,
  keySecret: 'secret-of-a-test-tournament',
};

const entrant = (label: string): TournamentEntrant => ({
  label,
  kind: 'bot',
  source: 'idler',
  programDigest: null,
  commandsPerDay: 100,
  wakeupsPerDay: 24,
});
const entrants = ['a', 'b', 'c', 'd'].map(entrant);

t.test('each seed is played in each round, and each entrant starts equally often in each place', async (t) => {
  const games = scheduleOf(settings, entrants);
  t.same(
    games.map(({ number, seed, round }) => [number, seed, round]),
    [1, 2].flatMap((seed) => [1, 2, 3, 4, 5, 6].map((round) => [(seed - 1) * 6 + round, seed, round])),
  );
  for (const { label } of entrants) {
    const places = [0, 1, 2, 3].map((place) => games.filter(({ starts }) => starts[place] === label).length);
    t.same(places, [3, 3, 3, 3], label);
  }
  t.same(scheduleOf(settings, entrants), games, 'it is the same each time');
  const reordered = Object.fromEntries(Object.entries(settings).reverse()) as unknown as Settings;
  t.same(scheduleOf(reordered, entrants), games, 'whatever the order of the members is');
});

t.test('every setting changes the order seeds and the keys of every game', async (t) => {
  const games = scheduleOf(settings, entrants);
  const others: readonly Settings[] = [
    { ...settings, variation: 7 },
    { ...settings, variation: 'each' },
    { ...settings, days: 4 },
    { ...settings, commandsPerDay: 101 },
    { ...settings, wakeupsPerDay: 25 },
    { ...settings, wakeupsByOthersPerDay: 5 },
    { ...settings, wallSecondsPerTurn: 31 },
    { ...settings, speed: 1.001 },
    { ...settings, systemsPerGalaxy: 301 },
    { ...settings, keySecret: 'secret-of-a-test-tournamenT' },
    { ...settings, seeds: [1, 3] },
    { ...settings, playersPerGame: 4 },
    { ...settings, setting: { name: 'melee', version: '0.1', digest: '00' } },
    { ...settings, rules: { ...settings.rules, digest: '0123456789abcdee' } },
  ];
  const schedules = [
    ...others.map((other) => scheduleOf(other, entrants)),
    scheduleOf(settings, [...entrants.slice(0, 3), { ...entrant('d'), wakeupsPerDay: 1 }]),
    scheduleOf(settings, [...entrants.slice(0, 3), { ...entrant('d'), source: 'random' }]),
  ];
  for (const [index, other] of schedules.entries()) {
    for (const [number, game] of other.entries()) {
      t.not(game.orderSeed, games[number]?.orderSeed, `${index}`);
      t.not(game.keySecret, games[number]?.keySecret, `${index}`);
    }
  }
  const secrets = new Set(games.map(({ keySecret }) => keySecret));
  t.equal(secrets.size, games.length, 'no key of one game is valid in another');
  t.notOk([...secrets].some((secret) => secret.includes(settings.keySecret)));
});

t.test('the digest is that of settings and entrants alone', async (t) => {
  const changed = entrants.map((one) => ({ ...one, programDigest: '00' }));
  t.equal(tournamentDigest(settings, changed), tournamentDigest(settings, entrants), 'without their programs');
  t.match(tournamentDigest(settings, entrants), /^[0-9a-f]{64}$/);
  t.equal(tournamentDigest(settings, entrants), tournamentDigest({ ...settings }, [...entrants]));
});

// The arena imports nothing of the server, so both define these limits.
t.test('a tournament has the same limits as the schema of its result', async (t) => {
  t.same(
    [arena.ENTRANTS_MAX, arena.GAMES_MAX, arena.SOURCE_LENGTH_MAX],
    [http.TOURNAMENT_ENTRANTS_MAX, http.TOURNAMENT_GAMES_MAX, http.TOURNAMENT_SOURCE_LENGTH_MAX],
  );
  t.same(
    [arena.KEY_SECRET_LENGTH_MIN, arena.KEY_SECRET_LENGTH_MAX],
    [http.KEY_SECRET_LENGTH_MIN, http.KEY_SECRET_LENGTH_MAX],
  );
  t.equal(arena.VERIFIED_TEXT_BYTES_MAX, http.TOURNAMENT_RESULT_BYTES_MAX);
  const drawn = Math.ceil((arena.DRAWN_SECRET_BYTES * 4) / 3);
  t.ok(
    drawn >= http.KEY_SECRET_LENGTH_MIN && drawn <= http.KEY_SECRET_LENGTH_MAX,
    'and draws secrets of a fitting length',
  );
});

t.test(
  'with fewer players per game, all games of an instance share its rules, and each plays equally often',
  async (t) => {
    const games = scheduleOf({ ...settings, variation: 'each', rounds: 2, playersPerGame: 3 }, entrants);
    t.equal(games.length, gamesOf({ ...settings, rounds: 2, playersPerGame: 3 }, entrants.length));
    t.same(
      games.map(({ number, seed, round }) => [number, seed, round]),
      Array.from({ length: 16 }, (_, index) => [index + 1, index < 8 ? 1 : 2, Math.floor(index / 4) % 2 === 0 ? 1 : 2]),
    );
    for (const { label } of entrants) t.equal(games.filter(({ starts }) => starts.includes(label)).length, 12, label);
    const variations = [1, 2].map(
      (seed) => new Set(games.filter((one) => one.seed === seed).map((one) => one.variation)),
    );
    t.same(
      variations.map(({ size }) => size),
      [1, 1],
    );
    t.equal(new Set(games.map(({ keySecret }) => keySecret)).size, games.length);
  },
);
