// Plays the agent loop of the README against a fresh world: its own requests, its own answers.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { DEFAULT_RULES, SHIPPED_RULES } from '../../engine/rules/shipped.js';
import { WorldServer } from '../../http/world-server.js';
import { openWorld } from '../../persistence/open-world.js';
import { storeAt } from '../../persistence/store-url.js';
import { curlSteps, playCurlSteps } from './curl-steps.js';

const documentText = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const README = documentText('README.md');

t.test('the agent loop of the README gives the answers that it shows', async (t) => {
  const [, named = DEFAULT_RULES.set.name] = /^npm start -- .*--rules (\S+)/m.exec(README) ?? [];
  const rules = SHIPPED_RULES.find(({ set }) => set.name === named);
  if (rules === undefined) throw new Error(`there are no rules ${named}`);
  const world = await openWorld({ store: storeAt(t.testdir()), clock: 'manual', settings: { rules } });
  const server = await WorldServer.start({ world, host: '127.0.0.1', port: 0, adminKey: 'let-me-advance-time' });
  t.teardown(async () => {
    await server.stop();
    await world.close();
  });
  const steps = curlSteps(t, README);
  t.ok(steps.length >= 6, 'the README shows a loop');
  t.ok(
    steps.some(({ command }) => command.includes('idempotency-key')),
    'with an Idempotency-Key in it',
  );
  await playCurlSteps(t, steps, server.url, 'README.md');
});

t.test('the README names the two commands in its first lines', async (t) => {
  const opening = README.split('\n').slice(0, 12).join('\n');
  t.match(opening, 'npm start');
  t.match(opening, 'npm test');
});

t.test('the figures of the README are those of docs/performance.md', async (t) => {
  const performance = documentText('docs/performance.md');
  const figures = [...README.matchAll(/\| \*\*(\d.*?)\*\* .*\|$/gm)].map(([, figure = '']) => figure);
  t.equal(figures.length, 3);
  for (const figure of figures) t.ok(performance.includes(figure), figure);
});
