// The routes of the dashboard: what each hash shows, parsed and formatted by one table. It knows no browser.

/** What the page shows. */
export type Route = Target & Kept;

/** What links keep from one view to the next; null if there is none, and where it does not matter. */
export interface Kept {
  /** Where in a replay: the seq of the last entry. */
  readonly at: number | null;
  /** Number of the game of a tournament. */
  readonly game: number | null;
  /** The player who is followed: the map shows it brightly, and the feed only what it does. */
  readonly player: string | null;
}

export type Target =
  | { readonly view: 'universe' }
  | { readonly view: 'galaxy'; readonly galaxy: number }
  | { readonly view: 'system'; readonly galaxy: number; readonly system: number }
  | { readonly view: 'planet'; readonly galaxy: number; readonly system: number; readonly slot: number }
  | { readonly view: 'leaderboard' }
  /** Null: no player is chosen yet. */
  | { readonly view: 'player'; readonly playerId: string | null }
  /** The filters. A place is a galaxy, a system or a planet, such as `7`, `7:12` or `7:12:5`. */
  | { readonly view: 'feed'; readonly types: readonly string[]; readonly place: string | null }
  | { readonly view: 'operator' }
  /** The standings; or one of the games. */
  | { readonly view: 'tournament'; readonly number: number | null }
  | { readonly view: 'unknown' };

export type ViewName = Target['view'];
export type RouteOf<Name extends ViewName> = Extract<Route, { readonly view: Name }>;

type Values = Readonly<Record<string, string>>;

/** What a value in a path or a query may look like. */
const PATTERNS: Values = {
  galaxy: '\\d{1,9}',
  system: '\\d{1,9}',
  slot: '\\d{1,9}',
  playerId: 'player-\\d{1,15}',
  place: '\\d{1,9}(:\\d{1,9}){0,2}',
  number: '\\d{1,9}',
  seq: '\\d{1,15}',
  word: '[a-z_]{1,40}',
};

/** A path with names in braces, and what it shows. Of the paths of one view, the one with more names comes first. */
interface Row {
  readonly path: string;
  readonly target: (values: Values, query: URLSearchParams) => Target;
}

const ROWS: readonly Row[] = [
  { path: '/', target: () => ({ view: 'universe' }) },
  { path: '/galaxy/{galaxy}', target: (values) => ({ view: 'galaxy', ...numbersOf(values, 'galaxy') }) },
  {
    path: '/galaxy/{galaxy}/system/{system}',
    target: (values) => ({ view: 'system', ...numbersOf(values, 'galaxy', 'system') }),
  },
  {
    path: '/galaxy/{galaxy}/system/{system}/planet/{slot}',
    target: (values) => ({ view: 'planet', ...numbersOf(values, 'galaxy', 'system', 'slot') }),
  },
  { path: '/leaderboard', target: () => ({ view: 'leaderboard' }) },
  { path: '/player/{playerId}', target: ({ playerId = null }) => ({ view: 'player', playerId }) },
  { path: '/player', target: () => ({ view: 'player', playerId: null }) },
  {
    path: '/feed',
    target: (_values, query) => ({
      view: 'feed',
      types:
        query
          .get('types')
          ?.split(',')
          .filter((type) => matching(type, 'word') !== null) ?? [],
      place: matching(query.get('place'), 'place'),
    }),
  },
  { path: '/operator', target: () => ({ view: 'operator' }) },
  { path: '/tournament/games/{number}', target: (values) => ({ view: 'tournament', ...numbersOf(values, 'number') }) },
  { path: '/tournament', target: () => ({ view: 'tournament', number: null }) },
];

const NAME = /\{(\w+)\}/g;

const PATHS = ROWS.map(({ path, target }) => ({
  path,
  target,
  view: target({}, new URLSearchParams()).view,
  names: Array.from(path.matchAll(NAME), ([, name = '']) => name),
  pattern: new RegExp(`^${path.replace(NAME, (_, name: string) => `(?<${name}>${PATTERNS[name]})`)}$`),
}));

/**
 * Parses the hash of an address.
 *
 * @param hash such as `#/galaxy/7`; an empty one is the map
 */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?');
  const parameters = new URLSearchParams(query);
  const target = targetOf(path === '' ? '/' : path, parameters);
  const [at = null, game = null] = ['at', 'game'].map((name) => matching(parameters.get(name), 'seq'));
  const player = matching(parameters.get('player'), 'playerId');
  return { ...target, at: at === null ? null : Number(at), game: game === null ? null : Number(game), player };
}

/** Returns the hash of a route, which parseRoute() reads back. A tournament is the same wherever its replay stands. */
export function formatRoute(route: Target & Partial<Kept>): string {
  const { types = [], place = null } = route.view === 'feed' ? route : {};
  const { game = null, at = null, player = null } = route.view === 'tournament' ? {} : route;
  const values = { types: types.length === 0 ? null : types.join(','), player, place, game, at };
  const query = new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
  );
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  return `#${pathOf(route)}${text === '' ? '' : `?${text}`}`;
}

function targetOf(path: string, query: URLSearchParams): Target {
  for (const { pattern, target } of PATHS) {
    const found = pattern.exec(path);
    if (found !== null) return target(found.groups ?? {}, query);
  }
  return { view: 'unknown' };
}

function pathOf(target: Target): string {
  const values: Readonly<Record<string, unknown>> = { ...target };
  const row = PATHS.find(({ view, names }) => view === target.view && names.every((name) => values[name] !== null));
  return row?.path.replace(NAME, (_, name: string) => String(values[name])) ?? '/';
}

function numbersOf<Name extends string>(values: Values, ...names: readonly Name[]): Record<Name, number> {
  // All names are there.
  return Object.fromEntries(names.map((name) => [name, Number(values[name])])) as Record<Name, number>;
}

/** The text if it has the form of a value, else null. */
function matching(text: string | null, name: string): string | null {
  return text !== null && new RegExp(`^(?:${PATTERNS[name]})$`).test(text) ? text : null;
}
