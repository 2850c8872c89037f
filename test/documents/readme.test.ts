// Plays the agent loop of the README against a fresh world: its own requests, its own answers.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { WorldServer } from '../../http/world-server.js';
import { openWorld } from '../../persistence/open-world.js';
import { storeAt } from '../../persistence/store-url.js';

const README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
/** A curl command in a shell block, the status of the answer, and a JSON block with the answer. */
const STEP = /```sh\n(curl [^`]+)\n```\nAnswer `(\d{3})`:\n```json\n([^`]+)```/g;

interface Step {
  readonly command: string;
  readonly status: number;
  readonly answer: unknown;
}

const steps: Step[] = [...README.matchAll(STEP)].map(([, command = '', status, answer = '']) => ({
  command,
  status: Number(status),
  answer: JSON.parse(answer),
}));

t.test('the agent loop of the README gives the answers that it shows', async (t) => {
  const world = await openWorld({ store: storeAt(t.testdir()), clock: 'manual' });
  const server = await WorldServer.start({ world, host: '127.0.0.1', port: 0, adminKey: 'let-me-advance-time' });
  t.teardown(async () => {
    await server.stop();
    await world.close();
  });
  t.ok(steps.length >= 6, 'the README shows a loop');
  t.match(steps, [{}, {}, {}, { command: /idempotency-key/ }], 'with an Idempotency-Key in it');
  t.equal(README.split('```sh\ncurl').length - 1, steps.length, 'every curl command has its answer');
  for (const { command, status, answer } of steps) {
    const response = await runCurl(command, server.url);
    t.equal(response.status, status, command);
    const told = await response.json();
    t.match(told, answer, 'every field shown is what the server answers');
    if (!command.includes('idempotency-key')) continue;
    const again = await runCurl(command, server.url);
    t.equal(again.headers.get('idempotency-replayed'), 'true');
    t.same(await again.json(), told, 'the same request again gets the same answer');
  }
});

t.test('the README names the two commands in its first lines', async (t) => {
  const opening = README.split('\n').slice(0, 12).join('\n');
  t.match(opening, 'npm start');
  t.match(opening, 'npm test');
});

/** Does what curl would do with the few options that the README uses. */
function runCurl(command: string, url: string): Promise<Response> {
  const body = /-d '([^']*)'/.exec(command)?.[1];
  const headers = [...command.matchAll(/-H '([^:']+): ([^']*)'/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value],
  );
  const path = /http:\/\/127\.0\.0\.1:3000(\/\S+)/.exec(command)?.[1] ?? '';
  const method = /-X (\w+)/.exec(command)?.[1] ?? 'GET';
  return fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
}
