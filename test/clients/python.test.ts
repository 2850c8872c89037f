// Runs the tests of the Python client against a real world, and installs its wheel into an empty environment.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { beginCluster } from '../http/support/cluster.js';
import { ADMIN_KEY, begin } from '../http/support/serving.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { ONLY_LONG } from '../support/process/lengths.js';
import { hasPrograms, PYTHON_ENVIRONMENT, PYTHON_PACKAGE, run, succeeds } from './programs.js';

/** Prints a number that only the installed package can know. */
const INSTALLED_PROGRAM = `
import asyncio, sys
import galaxyd
from galaxyd.operations import create_player
assert "site-packages" in galaxyd.__file__, galaxyd.__file__
async def play():
    async with galaxyd.AsyncClient(sys.argv[1]) as client:
        return await client.call(create_player(name="Ada", is_bot=True))
with galaxyd.Client(sys.argv[1]) as client:
    player = client.call(create_player(name="Ada", is_bot=True))
print("plays", player["id"], player["id"] == asyncio.run(play())["id"])
`;

t.test('the Python client passes its own tests', async (t) => {
  if (!hasPrograms(t, 'python3')) return;
  const { server } = await begin(t);
  const limited = await begin(t, { server: { rateLimits: { perSecond: 100, burst: 100 } } });
  const replicas = await beginCluster(t);
  // -X dev reports what is never closed or awaited.
  const output = await run(
    'python3',
    ['-X', 'dev', '-m', 'unittest', 'discover', '--top-level-directory', '.', 'tests'],
    {
      cwd: PYTHON_PACKAGE,
      environment: {
        GALAXYD_URL: server.url,
        GALAXYD_LIMITED_URL: limited.server.url,
        GALAXYD_REPLICAS: `${replicas.standby().url},${replicas.leader().url}`,
        GALAXYD_ADMIN_KEY: ADMIN_KEY,
        ...PYTHON_ENVIRONMENT,
      },
    },
  );
  t.match(output, /^Ran [1-9]\d+ tests/m);
  t.notMatch(output, 'ResourceWarning');
  t.comment(output.split('\n').find((line) => line.startsWith('Ran ')));
});

t.test('its wheel installs into an empty environment and plays', { skip: ONLY_LONG }, async (t) => {
  if (!hasPrograms(t, 'python3')) return;
  // Building needs setuptools and wheel, playing needs neither. The system's own Python may have them.
  const python = ['python3', '/usr/bin/python3'].find((one) =>
    succeeds(one, '-c', 'import setuptools, wheel, pip, venv'),
  );
  if (python === undefined) {
    t.pass('not tested', { skip: 'no python3 here has setuptools and wheel' });
    return;
  }
  const folder = await temporaryFolder(t);
  // A build writes into the folder of its sources.
  await cp(PYTHON_PACKAGE, join(folder, 'package'), { recursive: true });
  const wheel = ['-m', 'pip', 'wheel', '--quiet', '--no-build-isolation', '--no-deps', '--no-index'];
  await run(python, [...wheel, '--wheel-dir', folder, join(folder, 'package')]);
  await run(python, ['-m', 'venv', '--without-pip', join(folder, 'empty')]);
  const installed = join(folder, 'empty', 'bin', 'python');
  const site = await run(installed, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))']);
  const install = ['-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps', '--target', site.trim()];
  await run(python, [...install, '--find-links', folder, 'galaxyd']);
  const { server } = await begin(t);
  t.match(await run(installed, ['-c', INSTALLED_PROGRAM, server.url], { cwd: folder }), 'plays player-1 True');
  const contents = await run(installed, ['-c', 'import os, galaxyd; print(os.listdir(galaxyd.__path__[0]))']);
  t.match(contents, 'py.typed', 'type checkers read its annotations');
});
