// `galaxyd status --server` of a server that is not galaxyd ends with a sentence, whatever it answers.
import t from 'tap';
import { hostileServer, REPLY_HEADERS } from '../../support/process/hostile-server.js';
import { type LinesTest, refused, testLines } from '../../support/process/operator.js';

const DEPTH = 100_000;

const BODIES: Readonly<Record<string, readonly [body: string, sentence: RegExp]>> = {
  // Node 26 parses any depth.
  'lists within lists': [
    `{"a":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`,
    /Maximum call stack|it has 200006 characters/,
  ],
  'a text of a million characters that are not seen': [
    `{"a":"${'\u200b'.repeat(1_000_000)}"}`,
    /it has 1000008 characters/,
  ],
  'no object': ['null', /is not a status: null/],
  'no JSON': ['{"a"', /is not JSON/],
};

t.test('replies that are not a status', async (t) => {
  const tests: LinesTest[] = [];
  for (const [what, [body, sentence]] of Object.entries(BODIES)) {
    const url = await hostileServer(t, (response) => response.writeHead(200, REPLY_HEADERS).end(body));
    const line = ['status', '--server', url];
    const check: LinesTest['check'] = (t, ...endings) => {
      for (const ending of endings) {
        refused(t, ending, 1, sentence);
        t.ok(ending.stderr.startsWith(`galaxyd status: ${url}/api/status did not return a status: `));
      }
    };
    tests.push({ what, lines: [line, [...line, '--json']], check });
  }
  await testLines(t, tests);
});
