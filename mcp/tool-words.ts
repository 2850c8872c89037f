// What a language model calls instead of a path of the API. The API's remedies, warnings and briefs name paths, and a model has only tools.

/** By method and path, in which `*` is any segment: the tool with its arguments, or what stands for a path that no tool has. */
const WORDS: Readonly<Record<string, string>> = {
  'GET /openapi.json': "the tool's input schema",
  'GET /api/status': "the server's status",
  'POST /api/game/player': 'registration',
  'GET /api/turn': 'wait {}',
  'POST /api/turn/end': 'wait {until}',
  'GET /api/admin/turns': 'the operator',
  'GET /api/brief/player/*': 'brief {}',
  'GET /api/game/state/*': 'brief {}',
  'GET /api/game/pacts/*': 'brief {}',
  'GET /api/fleet/player/*': 'brief {}',
  'GET /api/game/galaxy/*': 'look {galaxy}',
  'GET /api/game/galaxy/*/system/*': 'look {galaxy, system}',
  'GET /api/shipyard/planet/*': 'look {planetId}',
  'GET /api/market/galaxy/*': 'look {market}',
  'GET /api/market/player/*': 'look {market}',
  'GET /api/message/player/*': 'look {messagesSince}',
  'GET /api/catalog': 'rules {about}',
  'GET /api/game/options/*': 'options {planetId}',
  'POST /api/fleet/simulate': 'simulate {originPlanetId, targetPlanetId, ships}',
  'PUT /api/plan/planet/*': 'set_plan {planetId, steps}',
  'POST /api/batch': 'act {actions}',
  'POST /api/building/construct': 'act {action: construct, planetId, buildingType}',
  'POST /api/building/upgrade': 'act {action: upgrade, planetId, buildingType}',
  'POST /api/building/cancel': 'act {action: cancel_upgrade, planetId, queueId}',
  'POST /api/shipyard/build': 'act {action: build_ships, planetId, shipType, count}',
  'POST /api/shipyard/cancel': 'act {action: cancel_ships, planetId, shipType}',
  'POST /api/game/planet/starter/*': 'act {action: second_starter}',
  'POST /api/pact/*/cancel': 'act {action: cancel_pact, pactId}',
  'POST /api/message': 'act {action: message, to, text}',
};

const PATH = /\b(?:GET|POST|PUT) \/[\w/:.-]*\w/g;
const PATTERNS: readonly (readonly [RegExp, string])[] = Object.entries(WORDS).map(([path, words]) => [
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}$`),
  words,
]);

/** Names tools in place of paths. @param text that the server wrote */
export function inToolWords(text: string): string {
  return text.replaceAll(PATH, (path) => PATTERNS.find(([pattern]) => pattern.test(path))?.[1] ?? path);
}
