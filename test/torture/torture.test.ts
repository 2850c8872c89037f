// Some thousand hostile requests to a real server on each transport, with and without keys: it answers each as
// documented, changes nothing and goes on. `npm run torture` does the same with any number of requests.
import t from 'tap';
import { defaultTransport } from '../../http/world-server.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { drawSeed } from '../support/process/draws.js';
import { faultLines, figureLine } from './report.js';
import { torture } from './run.js';
import { AUTH_KINDS, TRANSPORT_NAMES } from './transports.js';

/** Requests to each of the four servers. */
const REQUESTS = 500;
const STORMS = { idleConnections: 100, resetRounds: 2, slowReaders: 5, slowWriters: 5, floodingSockets: 3 };

const seed = drawSeed(t);
const noNative = 'the native part does not load under this Node';

for (const transport of TRANSPORT_NAMES) {
  for (const auth of AUTH_KINDS) {
    const skip = transport === 'native' && defaultTransport() !== 'native' ? noNative : false;
    t.test(`nothing crashes or changes ${transport}, auth ${auth}`, { skip }, async (t) => {
      const folder = await temporaryFolder(t);
      // Keys make no difference to connections that send nothing of their own.
      const storms = auth === 'none' ? { storms: STORMS } : {};
      const plan = { owner: t, folder, seed, transport, auth, requests: REQUESTS, ...storms };
      const result = await torture({ ...plan, isMemoryJudged: false });
      t.comment(figureLine(result));
      t.same(faultLines(result), []);
      t.ok(result.figures.requests >= REQUESTS, 'all were sent');
      t.ok(result.figures.innocent.answered > 0, 'others are answered');
    });
  }
}
