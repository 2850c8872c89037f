// The addresses of the dashboard: what is formatted is parsed back, and what a stranger puts into a link is only ever a number, an
// id or a word.
import t from 'tap';
import { formatRoute, parseRoute, type Route } from '../../dashboard/routes.js';

const at = null;
const ROUTES: readonly (readonly [hash: string, route: Route])[] = [
  ['#/', { view: 'universe', at }],
  ['#/?at=120', { view: 'universe', at: 120 }],
  ['#/galaxy/7', { view: 'galaxy', galaxy: 7, at }],
  ['#/galaxy/7/system/12', { view: 'system', galaxy: 7, system: 12, at }],
  ['#/galaxy/7/system/0/planet/5?at=9', { view: 'planet', galaxy: 7, system: 0, slot: 5, at: 9 }],
  ['#/leaderboard', { view: 'leaderboard', at }],
  ['#/player', { view: 'player', playerId: null, at }],
  ['#/player/player-12', { view: 'player', playerId: 'player-12', at }],
  ['#/feed', { view: 'feed', types: [], player: null, place: null, at }],
  [
    '#/feed?types=battle,fleet_launched&player=player-3&place=7:12&at=4',
    { view: 'feed', types: ['battle', 'fleet_launched'], player: 'player-3', place: '7:12', at: 4 },
  ],
  ['#/operator', { view: 'operator', at }],
];

t.test('each route has one address', async (t) => {
  for (const [hash, route] of ROUTES) {
    t.same(parseRoute(hash), route, hash);
    t.equal(formatRoute(route), hash);
  }
  t.same(parseRoute(''), { view: 'universe', at });
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
  ])
    t.same(parseRoute(hash), { view: 'unknown', at }, hash);
  t.same(parseRoute('#/feed?types=<img>,battle&player=<b>&place=7:x&at=-1'), {
    view: 'feed',
    types: ['battle'],
    player: null,
    place: null,
    at,
  });
});
