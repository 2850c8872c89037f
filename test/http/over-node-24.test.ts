// All HTTP tests under Node 24, where the package has no native build and says so itself.
import t from 'tap';
import { node24 } from './support/node-24.js';
import { runHttpTestsAgain, SECOND_RUN_DEADLINE_MS } from './support/second-run.js';

t.setTimeout(SECOND_RUN_DEADLINE_MS);
const node = process.version.startsWith('v24.') ? { missing: 'this process is Node 24 already' } : await node24();

t.test('the HTTP tests pass under Node 24', { skip: 'missing' in node ? node.missing : false }, async (t) => {
  if ('path' in node) await runHttpTestsAgain(t, { node: node.path, environment: {} });
});
