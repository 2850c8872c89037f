// A bot plays for days of world time: by events, by sleeping until an instant from a reply, and by polling. Its requests, 304s and
// bytes are counted. docs/performance.md shows the counts of the long form.
import t, { type Test } from 'tap';
import { ADMIN_KEY, begin } from '../http/support/serving.js';
import { shortOrLong } from '../support/process/lengths.js';
import { hasPrograms, PYTHON_ENVIRONMENT, PYTHON_PACKAGE, run } from './programs.js';

const DAYS = shortOrLong(1, 10);

interface Counts {
  readonly points: number;
  readonly requests: number;
  readonly events: number;
  readonly notModified: number;
  readonly bytesReceived: number;
}

t.test(`requests and bytes of a bot in ${DAYS} days`, async (t) => {
  if (!hasPrograms(t, 'python3')) return;
  const byEvents = await play(t, '--events');
  const asleep = await play(t);
  const polling = await play(t, '--every', '4');
  const withoutCache = await play(t, '--every', '4', '--without-cache');
  t.equal(byEvents.points, asleep.points, 'a bot that reads events starts the same at the same instants');
  t.ok(byEvents.requests < 0.65 * asleep.requests, `${byEvents.requests} requests if it reads events`);
  t.ok(byEvents.requests < polling.requests / shortOrLong(3, 8), `${polling.requests} if it polls`);
  t.ok(byEvents.events > 0 && byEvents.bytesReceived < asleep.bytesReceived);
  t.ok(asleep.requests < shortOrLong(600, 1_500), `${asleep.requests} requests if it knows when to wake`);
  t.ok(asleep.points >= polling.points, 'and it never comes late');
  t.equal(polling.requests, withoutCache.requests, 'the cache changes no decision');
  t.equal(polling.points, withoutCache.points);
  const share = polling.notModified / polling.requests;
  t.ok(share > shortOrLong(0.7, 0.9), `${Math.round(100 * share)} % of the polls get 304`);
  t.ok(polling.bytesReceived < withoutCache.bytesReceived / 3, 'which saves most of the bytes');
});

async function play(t: Test, ...flags: string[]): Promise<Counts> {
  const { server, close } = await begin(t);
  const program = [`${PYTHON_PACKAGE}/examples/ten_days.py`, server.url, ADMIN_KEY, '--days', String(DAYS), ...flags];
  const output = await run('python3', program, { environment: PYTHON_ENVIRONMENT });
  await close();
  t.comment(output.trim());
  return JSON.parse(output) as Counts;
}
