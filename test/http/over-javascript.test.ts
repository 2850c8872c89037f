// The tests of the transport over Node's own HTTP server, if this platform has the native one.
import t from 'tap';
import { runTransportTestsAgain, SECOND_RUN_DEADLINE_MS } from './support/second-run.js';
import { isNative } from './support/serving.js';

t.setTimeout(SECOND_RUN_DEADLINE_MS);
const reason = 'this process uses that server already';

t.test("the transport's tests pass over Node's HTTP server", { skip: isNative ? false : reason }, async (t) => {
  await runTransportTestsAgain(t, { node: process.execPath, environment: { TEST_TRANSPORT: 'javascript' } });
});
