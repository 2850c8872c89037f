// The example entrants of both clients play in a tournament beside a shipped bot.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { findingsIn, played } from '../support/tournament-run.js';

const LONG = process.env['LONG'] === '1';
const clients = fileURLToPath(new URL('../../../../clients', import.meta.url));
const ENTRANTS = [
  'greedy',
  `ts=${process.execPath} ${join(clients, 'typescript/dist/examples/entrant.js')}`,
  `py=env PYTHONPATH=${join(clients, 'python/src')} python3 ${join(clients, 'python/examples/entrant.py')}`,
].join(',');

t.test('they build, end with their game, and do the same when it is played again', async (t) => {
  const settings = { days: LONG ? 5 : 0.1, seeds: [3] };
  const { out, result } = await played(t, ENTRANTS, settings);
  for (const label of ['ts', 'py']) {
    const said = await readFile(join(out, 'games/0001/entrants', `${label}.log`), 'utf8');
    t.match(said, /\(exit code 0\)\n$/, said);
    const row = result.games[0]?.players.find((player) => player.label === label);
    t.match(row, { isWithdrawn: false, overruns: 0, refusals: {} });
    t.ok((row?.commands ?? 0) > 0, `${label} sent ${row?.commands} commands`);
  }
  t.match(result.games, [{ isRepeatable: true }]);
  t.same(await findingsIn(out), []);
  if (LONG) t.same((await played(t, ENTRANTS, settings)).result, result);
});
