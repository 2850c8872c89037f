// The OpenAPI document passes two linters without a warning: Redocly's strict rules, and Spectral's rules for OpenAPI.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import t from 'tap';
import { STANDARD_1_RULES } from '../../engine/rules/shipped.js';
import { openApiDocument } from '../../http/documents/openapi.js';

/**
 * Paths of the interface specification itself, which cannot be told apart by their form: `/api/game/planet/starter/colonize`
 * fits both of the first pair. The methods of a pair differ, or an id never has the form of the word.
 */
const AMBIGUOUS_PAIRS = [
  ['/api/game/planet/starter/{playerId}', '/api/game/planet/{planetId}/colonize'],
  ['/api/fleet/player/{playerId}', '/api/fleet/{fleetId}/recall'],
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

/** What Spectral finds, each as rule and place. */
async function spectral(value: object): Promise<string[]> {
  const linter = new Spectral();
  linter.setRuleset({ extends: [oas as unknown as RulesetDefinition] });
  const problems = await linter.run({ ...value });
  return problems.map(({ code, path }) => `${code}: ${path.join('/')}`);
}

t.test('Redocly finds nothing but the ambiguous pairs of the specification', async (t) => {
  t.same(await redocly(text), KNOWN);
});

t.test('Spectral finds nothing', async (t) => {
  t.same(await spectral(document), []);
});

t.test('Redocly finds what is broken on purpose', async (t) => {
  const breakages: Readonly<Record<string, readonly [string | RegExp, string]>> = {
    'no-unresolved-refs': ['"$ref":"#/components/schemas/Planet"', '"$ref":"#/components/schemas/Plant"'],
    'tag-description': [/(\{"name":"game"),"description":"[^"]*"\}/, '$1}'],
    'no-invalid-media-type-examples': ['"example":{"status":"ok"}', '"example":{"status":"well"}'],
    'no-ambiguous-paths': ['"/api/fleet/{fleetId}/recall"', '"/api/fleet/{fleetId}/return"'],
  };
  let broken = text;
  for (const [sound, fault] of Object.values(breakages)) {
    const next = broken.replace(sound, fault);
    t.not(next, broken);
    broken = next;
  }
  const found = (await redocly(broken)).filter((problem) => !KNOWN.includes(problem));
  const rules = new Set(found.map((problem) => problem.split(':', 1)[0]));
  t.same(
    Object.keys(breakages).filter((rule) => !rules.has(rule)),
    [],
  );
});

t.test('Spectral finds what is broken on purpose', async (t) => {
  const { contact: _contact, ...info } = document['info'] as Record<string, unknown>;
  t.same(await spectral({ ...document, info, paths: {}, components: {} }), ['info-contact: info']);
});
