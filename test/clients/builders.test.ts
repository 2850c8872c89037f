// The same bot with each client plays a world of its own, all made of the same seed. They send the same commands at the
// same instants, so they reach the same score.
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { LeaderboardBody } from '../../http/schemas/world.js';
import { ADMIN_KEY, begin } from '../http/support/serving.js';
import { PLANNED_RULES } from '../support/planned-rules.js';
import { root } from '../tidy/repository.js';
import { hasPrograms, PYTHON_ENVIRONMENT, PYTHON_PACKAGE, run } from './programs.js';

const NAME = 'Ada';
const UNTIL = '2000-01-01T03:00:00.000Z';
const CLIENTS = join(root, 'clients');

interface Bot {
  readonly needs: readonly string[];
  /** Plays until an instant of world time. @param adminKey with which it moves the clock; without one it waits @returns what it printed */
  play(url: string, name: string, until: string, adminKey?: string): Promise<string>;
}

/** @param command that runs the bot of a client for URL and NAME, with flags */
function flagged(needs: readonly string[], command: readonly [string, string]): Bot {
  const [program, bot] = command;
  return {
    needs,
    play: (url, name, until, adminKey) =>
      run(program, [bot, url, name, '--until', until, ...(adminKey === undefined ? [] : ['--admin-key', adminKey])], {
        environment: PYTHON_ENVIRONMENT,
      }),
  };
}

/** A script of clients/curl. */
function script(file: string): Bot {
  return {
    needs: ['bash', 'curl', 'jq'],
    play: (url, name, until, adminKey = '') =>
      run(`${CLIENTS}/curl/${file}`, [url, name, until], { environment: { ADMIN_KEY: adminKey } }),
  };
}

const bots: Readonly<Record<string, Bot>> = {
  'the one in TypeScript': flagged([], [process.execPath, `${CLIENTS}/typescript/dist/examples/builder.js`]),
  'the one in Python': flagged(['python3'], ['python3', `${PYTHON_PACKAGE}/examples/builder.py`]),
  'the one with curl and jq': script('builder.sh'),
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
      output = await bot.play(url, NAME, UNTIL, ADMIN_KEY);
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

t.test('a bot outside of the first hundred knows its score, whatever its name', async (t) => {
  const name = 'Ada & Söhne?';
  for (const [language, bot] of Object.entries(bots)) {
    if (!hasPrograms(t, ...bot.needs)) continue;
    const { server, client, play } = await begin(t);
    await play.bots(120, 'Ad');
    const start = '2000-01-01T00:00:00.000Z';
    const output = await bot.play(server.url, name, start, ADMIN_KEY);
    const { players } = await client.read<LeaderboardBody>('/api/leaderboard?offset=120');
    t.match(players, [{ name, rank: 121 }], language);
    t.match(output, `${name} has ${players[0]?.points} points`, language);
  }
});

t.test('with a clock that runs they wait for events', async (t) => {
  const { server, client } = await begin(t, { clock: 'real', settings: { speed: 3_600 } });
  const { worldTime } = await client.read<{ worldTime: string }>('/api/status');
  const until = new Date(Date.parse(worldTime) + 2_500).toISOString();
  const wait = async (t: Test, name: string, bot: Bot): Promise<void> => {
    if (!hasPrograms(t, ...bot.needs)) return;
    t.match(await bot.play(server.url, name, until), new RegExp(`^${name} has \\d+ points$`, 'm'));
  };
  t.jobs = Object.keys(bots).length;
  await Promise.all(
    Object.entries(bots).map(([language, bot]) => t.test(language, (t) => wait(t, language.replace(/\W/g, '-'), bot))),
  );
});

t.test('the planner hands its planet a plan each day', async (t) => {
  const planner = script('planner.sh');
  if (!hasPrograms(t, ...planner.needs)) return;
  const { server } = await begin(t, { settings: { rules: PLANNED_RULES } });
  const output = await planner.play(server.url, NAME, '2000-01-03T00:00:00.000Z', ADMIN_KEY);
  const [, first, second, points] =
    output.match(/^planet-1-0-26: (\d+) steps\nplanet-1-0-26: (\d+) steps\nAda has (\d+) points\n$/) ?? [];
  t.ok(Number(first) > 0 && Number(second) > 0 && Number(points) > 1_000, output);
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
