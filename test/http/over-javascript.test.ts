// The tests of the transport over Node's own HTTP server, if this platform has the native one.
import t from 'tap';
import { shortOrLong } from '../support/process/lengths.js';
import { runTransportTestsAgain, SECOND_RUN_DEADLINE_MS } from './support/second-run.js';
import { isNative } from './support/serving.js';

/** What they test stands above the transport: with LONG=1 only. */
const ABOVE_THE_TRANSPORT = ['replicas', 'replay', 'turns', 'spectators'].map((name) => `${name}.test.js`);

t.setTimeout(SECOND_RUN_DEADLINE_MS);
const reason = 'this process uses that server already';

t.test("the transport's tests pass over Node's HTTP server", { skip: isNative ? false : reason }, async (t) => {
  await runTransportTestsAgain(t, {
    node: process.execPath,
    environment: { TEST_TRANSPORT: 'javascript' },
    except: shortOrLong(ABOVE_THE_TRANSPORT, []),
  });
});
