// Examples for the documents: one small world of seed 1, in every shape of the API. A test checks each of them against
// its schema, and those of players, planets and buildings against the replies of a server.
import { STANDARD_1_RULES } from '../../engine/rules/shipped.js';
import { rulesIdentity } from '../../persistence/rules-identity.js';
import { PROBLEMS, type ProblemCode, problemType } from '../exchange/problems.js';
import { catalogBody } from '../views/catalog-view.js';

const OWNER = { id: 'player-1', name: 'ada', isBot: true };

export const RULES_IDENTITY = rulesIdentity(STANDARD_1_RULES);

export const BUILDINGS_IDLE = [
  { id: 'planet-1-0-26.zentrale', type: 'zentrale', level: 1, constructionQueue: [] },
  { id: 'planet-1-0-26.iron_mine', type: 'iron_mine', level: 1, constructionQueue: [] },
  { id: 'planet-1-0-26.silver_mine', type: 'silver_mine', level: 1, constructionQueue: [] },
  { id: 'planet-1-0-26.fusion_plant', type: 'fusion_plant', level: 1, constructionQueue: [] },
];

export const SHIP_ORDER = { shipType: 'scout', count: 2, isBuilding: true, buildFinishAt: '2000-01-01T00:00:40.000Z' };

export const SHIPYARD = { queue: [SHIP_ORDER], stock: [{ shipType: 'transport', count: 1 }] };

export const PLANET = {
  id: 'planet-1-0-26',
  name: 'Cordedan 957 26',
  slot: 26,
  iron: 500,
  silver: 250,
  ember: 0,
  h2: 100,
  energy: 100,
  system: { galaxyIndex: 1, index: 0 },
  production: { iron: 85, silver: 55, ember: 0, h2: 6, energy: 53 },
  nextTimerAt: null,
  visibility: 'full',
  buildings: BUILDINGS_IDLE,
  planetShips: [],
  shipyardQueue: [],
  owner: OWNER,
};

/** What GET / returns, but for the version. */
export const START = {
  name: 'galaxyd',
  version: '0.1.0',
  description: 'A multiplayer space-conquest world that is played by programs.',
  links: {
    docs: '/docs',
    openapi: '/openapi.json',
    llms: '/llms.txt',
    status: '/api/status',
    catalog: '/api/catalog',
    errors: '/api/errors',
    limits: '/api/limits',
    leaderboard: '/api/leaderboard',
    health: '/healthz',
    readiness: '/readyz',
    metrics: '/metrics',
  },
};

const [ZENTRALE, IRON_MINE, ...OTHER_BUILDINGS] = BUILDINGS_IDLE;

export const PLANET_UPGRADING = {
  ...PLANET,
  iron: 425,
  silver: 232,
  nextTimerAt: '2000-01-01T00:04:00.000Z',
  buildings: [
    ZENTRALE,
    {
      ...IRON_MINE,
      constructionQueue: [
        {
          queueId: 'queue-1',
          targetLevel: 2,
          startedAt: '2000-01-01T00:00:00.000Z',
          upgradeFinishAt: '2000-01-01T00:04:00.000Z',
        },
      ],
    },
    ...OTHER_BUILDINGS,
  ],
};

export const PLANET_CONSTRUCTING = {
  ...PLANET,
  iron: 300,
  silver: 150,
  nextTimerAt: '2000-01-01T00:01:00.000Z',
  buildings: [
    ...BUILDINGS_IDLE,
    {
      id: 'planet-1-0-26.shipyard',
      type: 'shipyard',
      level: 0,
      constructionQueue: [
        {
          queueId: 'queue-1',
          targetLevel: 1,
          startedAt: '2000-01-01T00:00:00.000Z',
          upgradeFinishAt: '2000-01-01T00:01:00.000Z',
        },
      ],
    },
  ],
};

export const RESEARCH_ENTRY = {
  id: 'player-1.drive_ion',
  type: 'drive_ion',
  level: 0,
  isResearching: true,
  researchFinishAt: '2000-01-01T00:02:00.000Z',
};

export const FLEET = {
  id: 'fleet-1',
  mission: 'transport',
  launchedAt: '2000-01-01T00:00:00.000Z',
  arrivesAt: '2000-01-01T00:00:15.000Z',
  returnsAt: '2000-01-01T00:00:30.000Z',
  ships: [{ type: 'transport', count: 1 }],
  playerId: 'player-1',
  originPlanetId: 'planet-1-0-26',
  targetPlanetId: 'planet-1-0-7',
  state: 'outbound',
  drive: 'combustion',
  distance: 15,
  flightSeconds: 15,
  h2Cost: 1,
  resources: { iron: 100, silver: 50, ember: 0, h2: 0 },
  recalledAt: null,
};

export const LAUNCH = { fleet: FLEET, distance: 15, drive: 'combustion', flightSeconds: 15, h2Cost: 1 };

export const SIMULATION = {
  results: [
    { drive: 'combustion', flightSeconds: 15, h2Cost: 1, distance: 15, flightType: 'intraSystem', possible: true },
    {
      drive: 'ion',
      flightSeconds: 6,
      h2Cost: 2,
      distance: 15,
      flightType: 'intraSystem',
      possible: false,
      reason: { code: 'no_drive_available', detail: 'The drive ion needs the research drive_ion.' },
    },
  ],
  distance: 15,
  flightType: 'intraSystem',
};

export const PLAYER = {
  ...OWNER,
  planets: [PLANET],
  fleets: [],
  research: [RESEARCH_ENTRY],
  nextTimerAt: RESEARCH_ENTRY.researchFinishAt,
};

export const CREATED_PLAYER = { ...OWNER, planets: [PLANET], fleets: [], research: [], nextTimerAt: null };

const PUBLIC = { system: { galaxyIndex: 1, index: 0 }, visibility: 'public' };

export const PLAYER_KEY = {
  playerId: 'player-1',
  apiKey: 'gxd_6Dyo1ZcDPBGkUwQNrJAUtzI1DTgLYUZCyoHmyNgk4gY',
  expiresAt: '2000-01-31T00:00:00.000Z',
};

export const SYSTEM = {
  galaxy: { id: 'galaxy-1', index: 1 },
  system: { id: 'system-1-0', index: 0, star: { name: 'Cordedan 957', type: 'yellow dwarf', temperature: 5600 } },
  planets: [
    { ...PUBLIC, id: 'planet-1-0-26', name: 'Cordedan 957 26', slot: 26, owner: OWNER },
    { ...PUBLIC, id: 'planet-1-0-7', name: 'Cordedan 957 7', slot: 7, owner: null },
  ],
};

/** The first two systems of a galaxy of two. */
export const GALAXY = {
  galaxy: { id: 'galaxy-1', index: 1 },
  systems: [
    {
      id: 'system-1-0',
      index: 0,
      planets: 10,
      free: 9,
      freeSlots: [3, 7, 8, 10, 14, 15, 24, 27, 28],
      owners: [{ playerId: 'player-1', slots: [26] }],
    },
    {
      id: 'system-1-1',
      index: 1,
      planets: 14,
      free: 14,
      freeSlots: [1, 3, 7, 8, 13, 16, 18, 19, 21, 22, 24, 25, 28, 29],
      owners: [],
    },
  ],
};

export const BRIEF = [
  '# "ada" (player-1) at 2000-01-01T00:00:00.000Z',
  '',
  '402 points, rank 1 of 1. 1 planets. Next change by itself: none.',
  '',
  '## Research',
  'Done: none. Nothing in progress. Can start, at no cost: drive_ion 1, drive_hyper 1, drive_nexus 1, drive_interdim 1',
  '',
  '## Planets',
  '- **planet-1-0-26**: iron 500 (85), silver 250 (55), ember 0 (0), h2 100 (6), energy 100 (53)',
  '  Buildings: zentrale 1, iron_mine 1, silver_mine 1, fusion_plant 1',
  '  Can start: silver_mine 2 (60 iron 30 silver), iron_mine 2 (75 iron 18 silver), fusion_plant 2 (93 iron 37 silver)',
  '',
  'To act: `GET /api/game/options/PLANET` lists everything that can be started, each with its request; `POST /api/batch` sends many. Stocks grow by the amount in brackets per hour. Instants are world time, UTC.',
  '',
].join('\n');

/** Some of the options of the starter planet. */
export const OPTIONS = {
  planetId: 'planet-1-0-26',
  nextTimerAt: null,
  options: [
    {
      action: 'upgrade',
      buildingType: 'iron_mine',
      level: 2,
      cost: { iron: 75, silver: 18, ember: 0, h2: 0, energy: 0 },
      seconds: 240,
      affordableAt: '2000-01-01T00:00:00.000Z',
      gain: { points: 93, production: { iron: 75, silver: 0, ember: 0, h2: 0, energy: 0 } },
      request: {
        method: 'POST',
        path: '/api/building/upgrade',
        body: { planetId: 'planet-1-0-26', buildingType: 'iron_mine' },
      },
    },
  ],
};

export const REPORT = {
  id: 'report-1',
  at: '2000-01-01T00:00:15.000Z',
  planetId: 'planet-1-0-7',
  attackerId: 'player-1',
  defenderId: 'player-2',
  type: 'combat',
  outcome: 'attacker_won',
  rounds: 2,
  shieldHitPoints: 0,
  attacker: {
    sent: [{ shipType: 'fighter', count: 10 }],
    lost: [{ shipType: 'fighter', count: 1 }],
    left: [{ shipType: 'fighter', count: 9 }],
  },
  defender: { sent: [{ shipType: 'fighter', count: 3 }], lost: [{ shipType: 'fighter', count: 3 }], left: [] },
  loot: { iron: 150, silver: 75, ember: 0, h2: 0 },
  cargoLost: { iron: 0, silver: 0, ember: 0, h2: 0 },
};

export const LEADERBOARD = {
  playerCount: 1,
  players: [
    {
      rank: 1,
      id: 'player-1',
      name: 'ada',
      isBot: true,
      points: 402,
      planets: 1,
      home: { galaxyIndex: 1, index: 0, planetId: 'planet-1-0-26' },
    },
  ],
};

export const ERROR_TABLE = {
  errors: [...PROBLEMS]
    .slice(0, 2)
    .map(([code, { status, title }]) => ({ code, status, type: problemType(code), title })),
};

export const SNAPSHOT = {
  seq: 7,
  worldTime: '2000-01-01T00:00:00.000Z',
  stateHash: '0123456789abcdef',
  byteCount: 1640,
  takenAt: '2000-01-01T00:00:00.000Z',
};

export const LIMITS = {
  requests: { countedBy: 'address', perSecond: 100, burst: 1_000, windowSeconds: 10, left: 1_000, fullInMs: 0 },
  registrations: null,
  connections: { maximum: 16_384, perAddress: 1_024, idleSeconds: 10 },
  bodies: { bytes: 65_536, batchBytes: 1_048_576, batchOperations: 1_000, bytesPerToken: 4_096 },
  costs: [{ operationId: 'getCatalog', method: 'GET', path: '/api/catalog', cost: 5 }],
};

export const STATUS = {
  name: 'galaxyd',
  version: '0.1.0',
  rulesVersion: 1,
  rules: RULES_IDENTITY,
  seed: 1,
  speed: 1,
  systemsPerGalaxy: 300,
  clock: 'real',
  worldTime: '2000-01-01T00:00:00.000Z',
  startedAt: '2000-01-01T00:00:00.000Z',
  nextTimerAt: null,
  players: 1,
  planets: 1,
  fleets: 0,
  seq: 2,
  durableSeq: 2,
  durability: 'durable',
  snapshot: null,
  history: { coveredFromSeq: 1, isKept: false },
  origin: null,
  auth: 'none',
  registration: 'open',
  development: 'on',
  rateLimits: null,
  http: 'native',
  node: 'v20.20.2',
  uptimeSeconds: 12,
};

export const CLOCK_POSITION = {
  worldTime: '2000-01-01T01:00:00.000Z',
  advancedMs: 3_600_000,
  nextTimerAt: '2000-01-01T01:04:00.000Z',
  seq: 7,
};

export const BULK_PLAYERS = {
  players: [
    { id: 'player-1', name: 'bot-1', planetId: 'planet-1-0-26', created: true },
    { id: 'player-2', name: 'bot-2', planetId: 'planet-1-1-9', created: true },
  ],
};

export const RETIRED_PLAYER = {
  id: 'player-1',
  name: 'ada',
  isBot: true,
  lastActiveAt: '2000-01-01T00:00:00.000Z',
  planets: 1,
  fleets: 0,
};

export const RETIREMENT = { players: [RETIRED_PLAYER], remaining: 0, dryRun: true };

export const STATE_HASH = { seq: 7, hash: '0123456789abcdef' };

const WHOLE_CATALOG = catalogBody(
  {
    seed: 1,
    systemsPerGalaxy: 300,
    speedThousandths: 1000,
    rulesVersion: 1,
    startMs: 0,
  },
  STANDARD_1_RULES,
);
const LEVELS_SHOWN = 3;

/** The first rows and levels of the real catalogue. */
export const CATALOG = {
  ...WHOLE_CATALOG,
  buildings: WHOLE_CATALOG.buildings.slice(1, 2).map((building) => ({
    ...building,
    costs: building.costs.slice(0, LEVELS_SHOWN),
    outputsPerHour: building.outputsPerHour.slice(0, LEVELS_SHOWN),
    seconds: building.seconds.slice(0, LEVELS_SHOWN),
  })),
  ships: WHOLE_CATALOG.ships.slice(0, 1),
  drives: WHOLE_CATALOG.drives.slice(0, 2),
  research: WHOLE_CATALOG.research.slice(0, 1).map((research) => ({
    ...research,
    seconds: research.seconds.slice(0, LEVELS_SHOWN),
  })),
  constants: { perSlot: WHOLE_CATALOG.constants['perSlot'] ?? 0 },
};

export const BATCH_RESULTS = {
  results: [
    { status: 200, body: PLANET_UPGRADING },
    {
      status: 404,
      body: {
        type: '/api/errors#player_not_found',
        title: 'There is no such player.',
        status: 404,
        code: 'player_not_found',
      },
    },
  ],
};

type Facts = Readonly<Record<string, string | Readonly<Record<string, number>>>>;

/** Members that some errors have besides the standard ones. */
export const PROBLEM_FACTS: Readonly<Partial<Record<ProblemCode, Facts>>> = {
  insufficient_resources: { missing: { iron: 75, silver: 18 }, affordableAt: '2000-01-01T00:37:30.000Z' },
  insufficient_ships: { missing: { transport: 1 } },
  insufficient_h2: { missing: { h2: 3 } },
  hangar_capacity_exceeded: { missing: { hangar: 2 } },
  cargo_capacity_exceeded: { missing: { cargo: 150 } },
};
