// All HTTP tests over the JavaScript server that the package falls back to where it has no native build.
import t from 'tap';
import { isNative } from '../../http/game-server.js';
import { runHttpTestsAgain, SECOND_RUN_DEADLINE_MS } from './support/second-run.js';

t.setTimeout(SECOND_RUN_DEADLINE_MS);
const reason = 'this process runs over the JavaScript server already';

t.test('the HTTP tests pass over the JavaScript server', { skip: isNative ? false : reason }, async (t) => {
  await runHttpTestsAgain(t, { node: process.execPath, environment: { UWS_USE_FALLBACK: '1' } });
});
