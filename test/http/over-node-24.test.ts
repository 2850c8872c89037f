// Tests of the transport under Node 24, for which the package has no native build; all of them with LONG=1. Over Node's
// own HTTP server they all run under the Node of this process too: this file runs the one that the HTTP server of Node 24 is most
// likely to fail and that waits for nothing.
import t from 'tap';
import { shortOrLong } from '../support/process/lengths.js';
import { node24 } from './support/node-24.js';
import { runTransportTestsAgain, SECOND_RUN_DEADLINE_MS } from './support/second-run.js';

t.setTimeout(SECOND_RUN_DEADLINE_MS);
const files = shortOrLong({ files: ['wire.test.js'] }, {});
const node = process.version.startsWith('v24.') ? { missing: 'this process is Node 24 already' } : await node24();

t.test("the transport's tests pass under Node 24", { skip: 'missing' in node ? node.missing : false }, async (t) => {
  if ('path' in node) await runTransportTestsAgain(t, { node: node.path, environment: {}, ...files });
});
