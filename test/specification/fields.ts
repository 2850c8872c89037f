// The fields of the interface specification (specification, sections 4 and 7 to 13), copied by hand. Replies are compared with
// them, so that the schemas and the server cannot be wrong together.

type Kind = 'string' | 'boolean' | 'integer' | 'number' | 'array' | 'object' | 'timestamp' | 'timestamp or null';
export type FieldTable = Readonly<Record<string, Kind>>;

export const PLAYER: FieldTable = {
  id: 'string',
  name: 'string',
  isBot: 'boolean',
  planets: 'array',
  fleets: 'array',
  research: 'array',
};
export const PLANET: FieldTable = {
  id: 'string',
  name: 'string',
  slot: 'integer',
  iron: 'number',
  silver: 'number',
  ember: 'number',
  h2: 'number',
  energy: 'number',
  system: 'object',
  buildings: 'array',
  planetShips: 'array',
  owner: 'object',
};
export const PLANET_SYSTEM: FieldTable = { galaxyIndex: 'integer', index: 'integer' };
export const SYSTEM_VIEW: FieldTable = { galaxy: 'object', system: 'object', planets: 'array' };
export const GALAXY: FieldTable = { id: 'string', index: 'integer' };
export const SYSTEM: FieldTable = { id: 'string', index: 'integer', star: 'object' };
export const BUILDING: FieldTable = { id: 'string', type: 'string', level: 'integer', constructionQueue: 'array' };
export const CONSTRUCTION_ENTRY: FieldTable = { targetLevel: 'integer', upgradeFinishAt: 'timestamp' };
export const SHIPYARD: FieldTable = { queue: 'array', stock: 'array' };
export const SHIPYARD_ENTRY: FieldTable = {
  shipType: 'string',
  count: 'integer',
  isBuilding: 'boolean',
  buildFinishAt: 'timestamp',
};
export const STOCK_ENTRY: FieldTable = { shipType: 'string', count: 'integer' };
export const FLEET: FieldTable = {
  id: 'string',
  mission: 'string',
  launchedAt: 'timestamp',
  arrivesAt: 'timestamp',
  returnsAt: 'timestamp or null',
  ships: 'array',
};
export const FLEET_SHIP: FieldTable = { type: 'string', count: 'integer' };
export const LAUNCH: FieldTable = {
  fleet: 'object',
  distance: 'number',
  drive: 'string',
  flightSeconds: 'integer',
  h2Cost: 'number',
};
export const SIMULATION: FieldTable = { results: 'array', distance: 'number', flightType: 'string' };
export const SIMULATION_ENTRY: FieldTable = {
  drive: 'string',
  flightSeconds: 'integer',
  h2Cost: 'number',
  distance: 'number',
  flightType: 'string',
  possible: 'boolean',
};
export const RESEARCH: FieldTable = {
  id: 'string',
  type: 'string',
  level: 'integer',
  isResearching: 'boolean',
  researchFinishAt: 'timestamp or null',
};

/** The fields of the bodies that the specification shows, by path; nested objects by name. It shows no body for the last two. */
const BODIES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\/api\/game\/player$/, ['name']],
  [
    /^\/api\/fleet\/launch$/,
    [
      'playerId',
      'originPlanetId',
      'targetPlanetId',
      'ships',
      'mission',
      'resources',
      'type',
      'count',
      'iron',
      'silver',
    ],
  ],
  [/^\/api\/fleet\/simulate$/, ['originPlanetId', 'targetPlanetId', 'ships', 'type', 'count']],
  [/^\/api\/fleet\/[^/]+\/recall$/, ['playerId']],
  [/^\/api\/building\/(construct|upgrade)$/, ['planetId', 'buildingType']],
  [/^\/api\/building\/cancel$/, ['planetId', 'queueId']],
  [/^\/api\/shipyard\/build$/, ['planetId', 'shipType', 'count']],
  [/^\/api\/shipyard\/cancel$/, ['planetId', 'shipType']],
  [/^\/api\/research\/start$/, ['playerId', 'researchType']],
  [/^\/api\/game\/planet\/starter\/[^/]+$/, []],
  [/^\/api\/game\/planet\/[^/]+\/colonize$/, ['playerId']],
];

/** The fields of a body, at any depth, that the specification does not show for a path. */
export function unknownFields(path: string, body: object): string[] {
  const known = BODIES.find(([pattern]) => pattern.test(path))?.[1] ?? [];
  return fieldsOf(body).filter((name) => !known.includes(name));
}

function fieldsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => [name, ...fieldsOf(field)]);
}

/** The differences between a value and the table; empty if there are none. */
export function faultsOf(value: unknown, table: FieldTable): string[] {
  if (typeof value !== 'object' || value === null) return ['it is not an object'];
  const fields = new Map<string, unknown>(Object.entries(value));
  return Object.entries(table).flatMap(([name, kind]) => {
    if (!fields.has(name)) return [`${name} is missing`];
    return isOfKind(fields.get(name), kind) ? [] : [`${name} is not ${kind}: ${JSON.stringify(fields.get(name))}`];
  });
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function isOfKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'timestamp':
      return typeof value === 'string' && TIMESTAMP.test(value);
    case 'timestamp or null':
      return value === null || isOfKind(value, 'timestamp');
    default:
      return typeof value === kind;
  }
}
