// Node 24, the primary platform, for which the package has no native build. The short form runs the test of the transport that the HTTP
// server of Node 24 is most likely to fail and that waits for nothing, and lets the same bot play with each client. LONG=1 runs all tests
// of the transport. `npm run platforms` tries everything, on all supported releases.
import { join } from 'node:path';
import t from 'tap';
import { fetched, NODES } from '../platforms/fetched-packages.js';
import { shortOrLong } from '../support/process/lengths.js';
import { runTransportTestsAgain, SECOND_RUN_DEADLINE_MS } from './support/second-run.js';

t.setTimeout(SECOND_RUN_DEADLINE_MS);
const CLIENTS = join('..', '..', 'clients', 'builders.test.js');
const files = shortOrLong({ files: ['wire.test.js', CLIENTS] }, {});
const isOwn = process.version.startsWith('v24.');
const node = isOwn ? { missing: 'this process is Node 24 already' } : await fetched(NODES[24]);

t.test(
  'the server and the clients work under Node 24',
  { skip: 'missing' in node ? node.missing : false },
  async (t) => {
    if ('missing' in node) return;
    await runTransportTestsAgain(t, { node: join(node.folder, 'bin/node'), environment: {}, ...files });
  },
);
