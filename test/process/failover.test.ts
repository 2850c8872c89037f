// Two processes serve one world of a real PostgreSQL with a synchronous standby. Here the leader is killed once, and the next one
// hands over once; `npm run failovers` does it as often as requested, and stops, cuts off and loses everything else.
import t from 'tap';
import { FailoverRun } from '../support/failover/failover-run.js';
import { PostgresPrograms } from '../support/postgres/programs.js';
import { drawSeed } from '../support/process/draws.js';

/** Shorter than by default, so that less time passes without a leader. */
const LEASE_MS = 1_000;

t.test('the other process leads after a kill of the leader: nothing is lost, nothing is done twice', async (t) => {
  const programs = PostgresPrograms.find();
  if (typeof programs === 'string') {
    t.pass('not tested', { skip: programs });
    return;
  }
  const run = await FailoverRun.begin({ owner: t, seed: drawSeed(t), programs, leaseMs: LEASE_MS });
  t.same(await run.happen('leader killed'), []);
  t.same(await run.finish(), [], 'and after a stop in order');
  const { figures } = run;
  t.comment(JSON.stringify(figures));
  t.ok(figures.acknowledged > 50, 'enough commands could have been lost');
  t.ok(figures.reads > 100, 'and read from either process');
});
