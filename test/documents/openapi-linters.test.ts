// The OpenAPI document passes two linters without a warning: Redocly's strict rules, and Spectral's rules for OpenAPI.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import t from 'tap';
import { STANDARD_1_RULES } from '../../engine/rules/shipped.js';
import { openApiDocument } from '../../http/documents/openapi.js';

/**
 * Paths of the interface specification itself, and one that is formed like the last of them. They cannot be told apart by their form: `/api/game/planet/starter/colonize`
 * fits both of the first pair. The methods of a pair differ, or an id never has the form of the word.
 */
const AMBIGUOUS_PAIRS = [
  ['/api/game/planet/starter/{playerId}', '/api/game/planet/{planetId}/colonize'],
  ['/api/fleet/player/{playerId}', '/api/fleet/{fleetId}/recall'],
  ['/api/fleet/player/{playerId}', '/api/fleet/{fleetId}/dismiss'],
];

const KNOWN = AMBIGUOUS_PAIRS.map(([first, second]) => {
  return `no-ambiguous-paths: Paths should resolve unambiguously. Found two ambiguous paths: \`${first}\` and \`${second}\`.`;
});

const document = openApiDocument(STANDARD_1_RULES);
const text = JSON.stringify(document);

/** What Redocly finds, each as rule and message. */
async function redocly(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

/** Spectral compiles a schema for each example, which takes seconds. Redocly has the same two rules. */
const CHECKED_BY_REDOCLY = { 'oas3-valid-media-example': 'off', 'oas3-valid-schema-example': 'off' } as const;

/** What Spectral finds, each as rule and place. */
async function spectral(value: object): Promise<string[]> {
  const linter = new Spectral();
  linter.setRuleset({ extends: [oas as unknown as RulesetDefinition], rules: CHECKED_BY_REDOCLY });
  const problems = await linter.run({ ...value });
  return problems.map(({ code, path }) => `${code}: ${path.join('/')}`);
}

t.test('Redocly finds only the ambiguous pairs of the specification', async (t) => {
  t.same(await redocly(text), KNOWN);
});

t.test('Redocly finds an example that does not fit its schema', async (t) => {
  const wrong = { schema: { type: 'integer', example: 'one' }, example: 'two' };
  const replies = { '200': { description: 'A number', content: { 'application/json': wrong } } };
  const paths = { '/number': { get: { operationId: 'number', responses: replies } } };
  const found = await redocly(JSON.stringify({ openapi: '3.1.0', info: { title: 'A', version: '1' }, paths }));
  for (const place of ['schema', 'media-type']) {
    t.ok(
      found.some((problem) => problem.startsWith(`no-invalid-${place}-examples`)),
      place,
    );
  }
});

t.test('Spectral finds nothing', async (t) => {
  t.same(await spectral(document), []);
  t.not((await spectral({ openapi: '3.1.0' })).length, 0, 'its rules are loaded');
});
