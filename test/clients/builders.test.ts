// The same bot with each client plays a world of its own, all made of the same seed. They send the same commands at the
// same instants, so they reach the same score.
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import type { LeaderboardBody } from '../../http/schemas/world.js';
import { ADMIN_KEY, begin } from '../http/support/serving.js';
import { hasPrograms, run } from './programs.js';

const NAME = 'Ada';
const UNTIL = '2000-01-01T03:00:00.000Z';
const CLIENTS = fileURLToPath(new URL('../../../clients', import.meta.url));
const PYTHON_ENVIRONMENT = { PYTHONPATH: `${CLIENTS}/python/src`, PYTHONDONTWRITEBYTECODE: '1' };

interface Bot {
  readonly needs: readonly string[];
  /** Plays to the end. @returns what it printed */
  play(url: string): Promise<string>;
  /** Plays without moving the clock. */
  wait(url: string, name: string, until: string): Promise<string>;
}

const bots: Readonly<Record<string, Bot>> = {
  'the one in TypeScript': {
    needs: [],
    play: (url) =>
      run(process.execPath, [
        `${CLIENTS}/typescript/dist/examples/builder.js`,
        ...[url, NAME, '--until', UNTIL, '--admin-key', ADMIN_KEY],
      ]),
    wait: (url, name, until) =>
      run(process.execPath, [`${CLIENTS}/typescript/dist/examples/builder.js`, url, name, '--until', until]),
  },
  'the one in Python': {
    needs: ['python3'],
    play: (url) =>
      run('python3', [`${CLIENTS}/python/examples/builder.py`, url, NAME, '--until', UNTIL, '--admin-key', ADMIN_KEY], {
        environment: PYTHON_ENVIRONMENT,
      }),
    wait: (url, name, until) =>
      run('python3', [`${CLIENTS}/python/examples/builder.py`, url, name, '--until', until], {
        environment: PYTHON_ENVIRONMENT,
      }),
  },
  'the one with curl and jq': {
    needs: ['bash', 'curl', 'jq'],
    play: (url) => run(`${CLIENTS}/curl/builder.sh`, [url, NAME, UNTIL], { environment: { ADMIN_KEY } }),
    wait: (url, name, until) => run(`${CLIENTS}/curl/builder.sh`, [url, name, until]),
  },
};

t.test('bots with different clients reach the same score', async (t) => {
  const idle = await pointsAfter(t, async ({ url }) => {
    await fetch(`${url}/api/game/player`, post({ name: NAME, isBot: true }));
    await fetch(`${url}/api/admin/clock/advance`, post({ to: UNTIL }, { authorization: `Bearer ${ADMIN_KEY}` }));
  });
  t.equal(idle.worldTime, UNTIL);
  const scores: Record<string, number> = {};
  const score = async (t: Test, name: string, bot: Bot): Promise<void> => {
    if (!hasPrograms(t, ...bot.needs)) return;
    let output = '';
    const { points, worldTime } = await pointsAfter(t, async ({ url }) => {
      output = await bot.play(url);
    });
    t.equal(worldTime, UNTIL, 'it stops at --until');
    t.match(output, `${NAME} has ${points} points`, 'and knows its score');
    t.ok(points > 5 * idle.points, `${points} points; without a command ${idle.points}`);
    scores[name] = points;
  };
  t.jobs = Object.keys(bots).length;
  await Promise.all(Object.entries(bots).map(([name, bot]) => t.test(name, (t) => score(t, name, bot))));
  t.same(new Set(Object.values(scores)).size, Math.min(1, Object.keys(scores).length), JSON.stringify(scores));
});

t.test('with a clock that runs they wait for events', async (t) => {
  const { server, client } = await begin(t, { clock: 'real', settings: { speed: 3_600 } });
  const { worldTime } = await client.read<{ worldTime: string }>('/api/status');
  const until = new Date(Date.parse(worldTime) + 2_500).toISOString();
  const wait = async (t: Test, name: string, bot: Bot): Promise<void> => {
    if (!hasPrograms(t, ...bot.needs)) return;
    t.match(await bot.wait(server.url, name, until), new RegExp(`^${name} has \\d+ points$`, 'm'));
  };
  t.jobs = Object.keys(bots).length;
  await Promise.all(
    Object.entries(bots).map(([language, bot]) => t.test(language, (t) => wait(t, language.replace(/\W/g, '-'), bot))),
  );
});

async function pointsAfter(
  t: Test,
  play: (world: { readonly url: string }) => Promise<void>,
): Promise<{ readonly points: number; readonly worldTime: string | undefined }> {
  const { server, client, close } = await begin(t);
  await play(server);
  const { body, headers } = await client.request('GET', '/api/leaderboard');
  await close();
  const [first] = (body as LeaderboardBody).players;
  return { points: first?.points ?? 0, worldTime: headers['x-world-time'] };
}

function post(body: object, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}
