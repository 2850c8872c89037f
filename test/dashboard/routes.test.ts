// The addresses of the dashboard: what is formatted is parsed back, and what a stranger puts into a link is only ever a number, an
// id or a word.
import t from 'tap';
import { formatRoute, parseRoute, type Route } from '../../dashboard/routes.js';

const at = null;
const game = null;
const player = null;
const ROUTES: readonly (readonly [hash: string, route: Route])[] = [
  ['#/', { view: 'universe', at, game, player }],
  ['#/?at=120', { view: 'universe', at: 120, game, player }],
  ['#/galaxy/7', { view: 'galaxy', galaxy: 7, at, game, player }],
  ['#/galaxy/7/system/12', { view: 'system', galaxy: 7, system: 12, at, game, player }],
  ['#/galaxy/7/system/0/planet/5?at=9', { view: 'planet', galaxy: 7, system: 0, slot: 5, at: 9, game, player }],
  ['#/leaderboard', { view: 'leaderboard', at, game, player }],
  ['#/player', { view: 'player', playerId: null, at, game, player }],
  ['#/player/player-12', { view: 'player', playerId: 'player-12', at, game, player }],
  ['#/feed', { view: 'feed', types: [], place: null, at, game, player }],
  [
    '#/feed?types=battle,fleet_launched&player=player-3&place=7:12&at=4',
    { view: 'feed', types: ['battle', 'fleet_launched'], place: '7:12', at: 4, game, player: 'player-3' },
  ],
  ['#/galaxy/7?player=player-3', { view: 'galaxy', galaxy: 7, at, game, player: 'player-3' }],
  ['#/galaxy/7?game=3&at=120', { view: 'galaxy', galaxy: 7, at: 120, game: 3, player }],
  ['#/tournament', { view: 'tournament', number: null, at, game, player }],
  ['#/tournament/games/12', { view: 'tournament', number: 12, at, game, player }],
  ['#/operator', { view: 'operator', at, game, player }],
];

t.test('each route has one address', async (t) => {
  for (const [hash, route] of ROUTES) {
    t.same(parseRoute(hash), route, hash);
    t.equal(formatRoute(route), hash);
  }
  t.same(parseRoute(''), { view: 'universe', at, game, player });
});

t.test('a tournament is the same wherever its replay stands', async (t) => {
  t.equal(formatRoute({ view: 'tournament', number: 3, at: 120, game: 2, player: 'player-3' }), '#/tournament/games/3');
});

t.test('other addresses show no page, and bring nothing along', async (t) => {
  for (const hash of [
    '#/galaxy/x',
    '#/galaxy/1e9',
    '#/galaxy/7/',
    '#/player/<b>',
    '#/player/player-1%2F..',
    '#//',
    '#/nowhere',
    '#/tournament/games/',
    '#/tournament/games/x',
  ])
    t.same(parseRoute(hash), { view: 'unknown', at, game, player }, hash);
  t.same(parseRoute('#/feed?types=<img>,battle&player=<b>&place=7:x&at=-1'), {
    view: 'feed',
    types: ['battle'],
    place: null,
    at,
    game,
    player,
  });
});
