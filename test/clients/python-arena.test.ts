// The examples in Python that play in the arena: an entrant of a tournament; and, under LONG=1, the small learner and the bench.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { shortOrLong } from '../support/process/lengths.js';
import { TEST_RULES_FLAGS } from '../support/test-rules.js';
import { root } from '../tidy/repository.js';
import { hasPrograms, PYTHON_ENVIRONMENT, PYTHON_PACKAGE, run } from './programs.js';

const MAIN = join(root, 'dist/cli/main.js');
const IN_PACKAGE = { cwd: PYTHON_PACKAGE, environment: PYTHON_ENVIRONMENT };

interface Result {
  readonly games: readonly {
    readonly players: readonly { readonly label: string; readonly points: number; readonly refusals: object }[];
  }[];
}

t.test('the entrant in Python plays a tournament, and better than chance', async (t) => {
  if (!hasPrograms(t, 'python3')) return;
  const folder = join(await temporaryFolder(t), 'cup');
  const entrants = `random,ada=python3 ${join(PYTHON_PACKAGE, 'examples/entrant.py')}`;
  const settings = ['--days', '1', '--seeds', '1', ...TEST_RULES_FLAGS, '--same-rules', '--out', folder];
  await run(process.execPath, [MAIN, 'tournament', '--entrants', entrants, ...settings], {
    environment: PYTHON_ENVIRONMENT,
  });
  const { games }: Result = JSON.parse(await readFile(join(folder, 'result.json'), 'utf8'));
  const [random, ada] = ['random', 'ada'].map((name) => games[0]?.players.find(({ label }) => label === name));
  t.ok((ada?.points ?? 0) > 1.5 * (random?.points ?? 0), `${ada?.points} to ${random?.points} points`);
  t.same(ada?.refusals, {}, 'it sends nothing that is refused');
  t.match(await readFile(join(folder, 'games/0001/entrants/ada.log'), 'utf8'), /upgrade iron_mine[\s\S]*exit code 0/);
});

t.test('the learner in Python learns, and the bench measures', async (t) => {
  if (!shortOrLong(false, true) || !hasPrograms(t, 'python3')) return;
  const trained = await run('python3', ['examples/train.py', '--generations', '6', '--rounds', '1'], IN_PACKAGE);
  const [random, learner] = ['random', 'trained'].map((name) =>
    Number(new RegExp(`^${name} +([\\d,]+) points`, 'm').exec(trained)?.[1]?.replaceAll(',', '')),
  );
  t.ok((learner as number) > 1.2 * (random as number), trained);
  const bench = 'benchmarks/training.py --worlds 1,2 --agents 2 --seconds 0.2 --forks 5 --json'.split(' ');
  t.match(JSON.parse(await run('python3', bench, IN_PACKAGE)), {
    steps: [{ worlds: 1 }, { worlds: 2 }],
  });
});
