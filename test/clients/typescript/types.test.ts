// The types of the client are what the OpenAPI document says now.
import t from 'tap';
import { root, runTool } from '../../tidy/repository.js';

t.test('the generated types are up to date', async (t) => {
  const { exitCode, output } = runTool('tools/client-types.mjs', ['--check'], root);
  t.equal(exitCode, 0, output);
});
