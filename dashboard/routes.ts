// The routes of the dashboard: what each hash shows, parsed and formatted by one table. It knows no browser.

/** What the page shows. */
export type Route = Target & ReplayedPlace;

/** Where in a replay; null otherwise, and where it does not matter. */
export interface ReplayedPlace {
  /** Seq of the last entry. */
  readonly at: number | null;
  /** Number of the game of a tournament. */
  readonly game: number | null;
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
  | {
      readonly view: 'feed';
      readonly types: readonly string[];
      readonly player: string | null;
      readonly place: string | null;
    }
  | { readonly view: 'operator' }
  /** The standings; or one of the games. */
  | { readonly view: 'tournament'; readonly number: number | null }
  | { readonly view: 'unknown' };

export type ViewName = Target['view'];

/** One row of the table: a view that has a path. */
interface Row {
  /** Words, and names of numbers or of a player in braces. */
  readonly path: string;
  readonly target: (values: Values, query: URLSearchParams) => Target;
}

type Values = Readonly<Record<string, string>>;

const numberOf = (values: Values, name: string): number => Number(values[name]);

/** What a value in a path may look like. */
const PATTERNS: Values = {
  galaxy: '\\d{1,9}',
  system: '\\d{1,9}',
  slot: '\\d{1,9}',
  playerId: 'player-\\d{1,15}',
  place: '\\d{1,9}(:\\d{1,9}){0,2}',
  number: '\\d{1,9}',
};

const ROWS: readonly Row[] = [
  { path: '/', target: () => ({ view: 'universe' }) },
  { path: '/galaxy/{galaxy}', target: (values) => ({ view: 'galaxy', galaxy: numberOf(values, 'galaxy') }) },
  {
    path: '/galaxy/{galaxy}/system/{system}',
    target: (values) => ({ view: 'system', galaxy: numberOf(values, 'galaxy'), system: numberOf(values, 'system') }),
  },
  {
    path: '/galaxy/{galaxy}/system/{system}/planet/{slot}',
    target: (values) => ({
      view: 'planet',
      galaxy: numberOf(values, 'galaxy'),
      system: numberOf(values, 'system'),
      slot: numberOf(values, 'slot'),
    }),
  },
  { path: '/leaderboard', target: () => ({ view: 'leaderboard' }) },
  { path: '/player', target: () => ({ view: 'player', playerId: null }) },
  { path: '/player/{playerId}', target: ({ playerId = null }) => ({ view: 'player', playerId }) },
  {
    path: '/feed',
    target: (_values, query) => ({
      view: 'feed',
      types: query.get('types')?.split(',').filter(isWord) ?? [],
      player: matching(query.get('player'), PATTERNS['playerId']),
      place: matching(query.get('place'), PATTERNS['place']),
    }),
  },
  { path: '/operator', target: () => ({ view: 'operator' }) },
  { path: '/tournament', target: () => ({ view: 'tournament', number: null }) },
  {
    path: '/tournament/games/{number}',
    target: (values) => ({ view: 'tournament', number: numberOf(values, 'number') }),
  },
];

const MATCHERS = ROWS.map(({ path, target }) => ({
  target,
  pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>${PATTERNS[name]})`)}$`),
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
  return { ...target, at: countOf(parameters.get('at')), game: countOf(parameters.get('game')) };
}

/** Returns the hash of a route, which parseRoute() reads back. A tournament is the same wherever its replay stands. */
export function formatRoute(route: Target & Partial<ReplayedPlace>): string {
  const query = new URLSearchParams();
  if (route.view === 'feed') {
    if (route.types.length > 0) query.set('types', route.types.join(','));
    if (route.player !== null) query.set('player', route.player);
    if (route.place !== null) query.set('place', route.place);
  }
  const { game = null, at = null } = route.view === 'tournament' ? {} : route;
  if (game !== null) query.set('game', String(game));
  if (at !== null) query.set('at', String(at));
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  return `#${pathOf(route)}${text === '' ? '' : `?${text}`}`;
}

function targetOf(path: string, query: URLSearchParams): Target {
  for (const { pattern, target } of MATCHERS) {
    const found = pattern.exec(path);
    if (found !== null) return target(found.groups ?? {}, query);
  }
  return { view: 'unknown' };
}

function pathOf(route: Target): string {
  switch (route.view) {
    case 'universe':
    case 'unknown':
      return '/';
    case 'galaxy':
      return `/galaxy/${route.galaxy}`;
    case 'system':
      return `/galaxy/${route.galaxy}/system/${route.system}`;
    case 'planet':
      return `/galaxy/${route.galaxy}/system/${route.system}/planet/${route.slot}`;
    case 'player':
      return route.playerId === null ? '/player' : `/player/${route.playerId}`;
    case 'tournament':
      return route.number === null ? '/tournament' : `/tournament/games/${route.number}`;
    default:
      return `/${route.view}`;
  }
}

function isWord(text: string): boolean {
  return /^[a-z_]{1,40}$/.test(text);
}

function countOf(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** The text if it has this form, else null. */
function matching(text: string | null, pattern = ''): string | null {
  return text !== null && new RegExp(`^${pattern}$`).test(text) ? text : null;
}
