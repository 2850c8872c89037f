// The --help of each script of package.json describes what it does and its arguments.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { root, runTool } from './repository.js';

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

for (const name of Object.keys(scripts)) {
  t.test(`npm run ${name} -- --help`, (t) => {
    const { exitCode, output } = runTool('tools/run.mjs', [name, '--help'], root);
    t.equal(exitCode, 0);
    t.match(output, /npm run |npm test|Usage:/);
    t.notMatch(output, /\n {4}at /, 'without a stack');
    t.end();
  });
}
