// A tournament day of a language model, which a script replaces: with clients/typescript/examples/llm-entrant.ts through a real
// `galaxyd mcp` and a chat API, and through plain HTTP. docs/llm.md shows it; RENEW=1 writes that part.
import { readFileSync, writeFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { run } from '../clients/programs.js';
import { GameClient, type Reply } from '../http/support/game-client.js';
import { beginGame, gameOver, type Seat, seats } from '../http/support/turn-play.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { GalaxydProcess } from '../support/process/galaxyd-process.js';
import { root } from '../tidy/repository.js';
import { type Asked, ChatStandIn, type ScriptedReply } from './chat-stand-in.js';

const DOCUMENT = join(root, 'docs/llm.md');
const EXAMPLE = 'clients/typescript/examples/llm-entrant.ts';
const EXAMPLE_LINES_MAX = 75;
const PROGRAM = fileURLToPath(new URL('../../cli/main.js', import.meta.url));
const ADMIN_KEY = 'the-operator-of-this-test';
const PLANET = 'planet-1-0-26';
const SECOND_PLANET = 'planet-1-74-10';
const BOBS_PLANET = 'planet-1-187-5';
/** An estimate: each model has its own tokenizer, and an estimate needs none. */
const CHARACTERS_PER_TOKEN = 4;
/** What is new in a day: sent and answered once. */
const NEW_TOKENS_A_DAY_MAX = 12_500;
const HTTP_TOKENS_A_DAY_MAX = 4_300;

/** When the model wants its next turn, at the end of each turn. */
const WAKES = [
  '2000-01-01T04:00:00.000Z',
  '2000-01-01T10:00:00.000Z',
  '2000-01-01T17:00:00.000Z',
  '2000-01-02T00:00:00.000Z',
] as const;

const PLAN = {
  planetId: PLANET,
  steps: [
    { action: 'upgrade', buildingType: 'iron_mine', times: 3 },
    { action: 'construct', buildingType: 'shipyard', times: 1 },
    { action: 'upgrade', buildingType: 'silver_mine', times: 3 },
    { action: 'upgrade', buildingType: 'fusion_plant', times: 2 },
    { action: 'build_ships', shipType: 'scout', count: 1, times: 1 },
  ],
} as const;

/** What the model answers, in each of its turns: it looks first, and ends the turn with its last reply. */
const TURNS: readonly (readonly ScriptedReply[])[] = [
  [
    {
      note: 'I look around first.',
      calls: [
        ['options', { planetId: PLANET }],
        ['rules', { about: 'buildings', buildingType: 'iron_mine' }],
        ['rules', { about: 'constants' }],
      ],
    },
    {
      note: 'A plan of mines, a shipyard and a scout runs at home. Ion drive is under way.',
      calls: [
        ['set_plan', PLAN],
        ['act', { actions: [{ action: 'second_starter' }, { action: 'research', researchType: 'drive_ion' }] }],
        ['wait', { until: WAKES[0] }],
      ],
    },
  ],
  [
    {
      note: 'Who is near?',
      calls: [
        ['get_plan', { planetId: PLANET }],
        ['look', { galaxy: 1 }],
        ['leaderboard', {}],
      ],
    },
    {
      note: 'Mines grow on both planets. Next: a scout to Bob.',
      calls: [
        ['act', { actions: [{ action: 'upgrade', planetId: SECOND_PLANET, buildingType: 'iron_mine' }] }],
        ['wait', { until: WAKES[1] }],
      ],
    },
  ],
  [
    {
      note: 'What does a scout to Bob cost?',
      calls: [
        ['simulate', { originPlanetId: PLANET, targetPlanetId: BOBS_PLANET, ships: [{ shipType: 'scout', count: 1 }] }],
        ['brief', {}],
      ],
    },
    {
      note: 'The scout flies next turn. Silver grows on the second planet.',
      calls: [
        ['act', { actions: [{ action: 'upgrade', planetId: SECOND_PLANET, buildingType: 'silver_mine' }] }],
        ['wait', { until: WAKES[2] }],
      ],
    },
  ],
  [
    {
      note: 'The scout is on its way to Bob.',
      calls: [
        [
          'act',
          {
            actions: [
              {
                action: 'launch',
                originPlanetId: PLANET,
                targetPlanetId: BOBS_PLANET,
                mission: 'espionage',
                ships: [{ shipType: 'scout', count: 1 }],
              },
            ],
          },
        ],
        ['wait', { until: WAKES[3] }],
      ],
    },
  ],
];
const SCRIPT = TURNS.flat();
const TOOLS = ['brief', 'options', 'act', 'get_plan', 'set_plan', 'wait', 'simulate', 'look', 'rules', 'leaderboard'];

/** The same commands as operations of the API. */
const OPERATIONS: readonly (readonly object[])[] = [
  [
    {
      method: 'PUT',
      path: `/api/plan/planet/${PLANET}`,
      body: {
        steps: PLAN.steps.flatMap(({ times, ...step }) => Array.from({ length: times }, () => step)),
        onBlocked: 'wait',
      },
    },
    { method: 'POST', path: '/api/game/planet/starter/player-1' },
    { method: 'POST', path: '/api/research/start', body: { playerId: 'player-1', researchType: 'drive_ion' } },
  ],
  [{ method: 'POST', path: '/api/building/upgrade', body: { planetId: SECOND_PLANET, buildingType: 'iron_mine' } }],
  [{ method: 'POST', path: '/api/building/upgrade', body: { planetId: SECOND_PLANET, buildingType: 'silver_mine' } }],
  [
    {
      method: 'POST',
      path: '/api/fleet/launch',
      body: {
        playerId: 'player-1',
        mission: 'espionage',
        originPlanetId: PLANET,
        targetPlanetId: BOBS_PLANET,
        ships: [{ shipType: 'scout', count: 1 }],
      },
    },
  ],
];

interface Day {
  readonly url: string;
  readonly admin: GameClient;
  readonly seat: Seat;
}

/** Starts a server of turns, and a game of one day. */
async function begun(t: Test): Promise<Day> {
  const flags = '--clock turns --auth key --port 0 --min-free-mib 0 --admin-key'.split(' ');
  const { url } = await GalaxydProcess.start(t, {
    args: ['serve', ...flags, ADMIN_KEY],
    cwd: await temporaryFolder(t),
    rules: 'standard-2',
  });
  const client = new GameClient(Number(new URL(url).port));
  t.teardown(() => client.close());
  const admin = client.as(ADMIN_KEY);
  const [seat, other] = (await seats({ client, admin }, 'Ada', 'Bob')) as [Seat, Seat];
  t.equal(seat.planetId, PLANET);
  await beginGame({ admin }, [seat], { wakeupsPerDay: 4, commandsPerDay: 20, wallSecondsPerTurn: 120 });
  t.ok(other.id);
  return { url, admin, seat };
}

const hashOf = ({ admin }: Day): Promise<unknown> => admin.read('/api/admin/state-hash');

let chatHash: unknown;
const parts: Record<string, string> = {};

t.test('the example of an entrant plays a day with a chat API and galaxyd mcp', async (t) => {
  const day = await begun(t);
  const chat = await ChatStandIn.start(t, SCRIPT);
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'galaxyd'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  await chmod(join(folder, 'galaxyd'), 0o755);
  await writeFile(join(folder, 'key'), 'the-key-of-the-chat-api\n');
  const { GALAXYD_PLAYER, GALAXYD_API_KEY, GALAXYD_SERVER } = {
    GALAXYD_PLAYER: day.seat.id,
    GALAXYD_API_KEY: day.seat.key,
    GALAXYD_SERVER: day.url,
  };
  const environment = {
    GALAXYD_PLAYER,
    GALAXYD_API_KEY,
    GALAXYD_SERVER,
    PATH: `${folder}${delimiter}${process.env['PATH']}`,
  };
  const program = join(root, 'clients/typescript/dist/examples/llm-entrant.js');
  const output = await run(process.execPath, [program, chat.url, 'scripted', join(folder, 'key')], { environment });
  const game = await gameOver(day);
  t.match(game, {
    state: 'over',
    entrants: [{ wakeups: 4, commands: 6, overruns: 0 }],
  });
  t.same(game.entrants[0]?.refusals, {});
  t.equal(chat.asked.length, SCRIPT.length);
  t.same(new Set(SCRIPT.flatMap(({ calls }) => calls.map(([tool]) => tool))), new Set(TOOLS), 'every tool was called');
  for (const { authorization, body } of chat.asked) {
    t.equal(authorization, 'Bearer the-key-of-the-chat-api');
    t.same(
      body.tools.map(({ type, function: { name } }) => [type, name]),
      TOOLS.map((name) => ['function', name]),
    );
  }
  const turns = turnsOf(chat.asked);
  t.same(
    turns.map((asked) => asked.at(-1)?.body.messages.map(({ role }) => role)),
    TURNS.map((replies) => [
      'system',
      'user',
      ...replies.slice(0, -1).flatMap(({ calls }) => ['assistant', ...calls.map(() => 'tool')]),
    ]),
    'each turn is a conversation of its own',
  );
  for (const { content } of turns.flatMap((asked) => asked.at(-1)?.body.messages ?? []))
    t.notMatch(content, /refused|Input validation|Error:/);
  chatHash = await hashOf(day);
  parts['count'] = table(countsOf(chat.asked, turns));
  parts['mcp'] = turns.map((asked, index) => conversation(asked, index)).join('\n\n');
  const printed = output.split('\n').filter((line) => !line.startsWith('galaxyd mcp'));
  parts['results'] = block('text', printed.join('\n').trimEnd());
});

t.test('the same day through plain HTTP leaves the same world', async (t) => {
  const day = await begun(t);
  const { client, id } = day.seat;
  const said: string[] = [];
  let length = 0;
  const tell = (line: string, { text, status }: Reply): void => {
    const shown = text.replace(/"wallMsLeft":\d+/, '"wallMsLeft":119204');
    length += line.length + shown.length;
    said.push(`${block('text', line)}\n\n${block('text', `${status}\n${shown.trimEnd()}`)}`);
  };
  for (const [index, operations] of OPERATIONS.entries()) {
    tell('GET /api/turn?wait=30', await client.request('GET', '/api/turn?wait=30'));
    tell(`GET /api/brief/player/${id}`, await client.request('GET', `/api/brief/player/${id}`));
    const end = { method: 'POST', path: '/api/turn/end', body: { wakeAt: WAKES[index], wakeOn: FROM_OTHERS } };
    const body = { operations: [...operations, end] };
    const headers = { prefer: 'return=minimal' };
    tell(
      `POST /api/batch\nPrefer: return=minimal\n\n${JSON.stringify(body)}`,
      await client.request('POST', '/api/batch', { body, headers }),
    );
  }
  tell('GET /api/turn?wait=30', await client.request('GET', '/api/turn?wait=30'));
  t.same(await hashOf(day), chatHash);
  t.comment(`${length} characters`);
  t.ok(length / CHARACTERS_PER_TOKEN < HTTP_TOKENS_A_DAY_MAX);
  parts['http'] = said.slice(0, 3).join('\n\n');
  parts['http-count'] = table([['**the whole day**, 13 requests and their answers', length]]);
});

/** The requests of each turn: each begins with two messages. */
function turnsOf(asked: readonly Asked[]): Asked[][] {
  const turns: Asked[][] = [];
  for (const request of asked) {
    if (request.body.messages.length === 2) turns.push([]);
    turns.at(-1)?.push(request);
  }
  return turns;
}

function countsOf(asked: readonly Asked[], turns: readonly (readonly Asked[])[]): (readonly [string, number])[] {
  const [{ body: first } = { body: { tools: [], messages: [] } }] = asked;
  const tools = JSON.stringify(first.tools).length;
  const instructions = first.messages[0]?.content.length ?? 0;
  const sent = asked.reduce((sum, { length, replyLength }) => sum + length + replyLength, 0);
  // The last request of a turn holds all of its conversation but the last reply.
  const once = turns.reduce((sum, requests) => {
    const { length, replyLength } = requests.at(-1) as Asked;
    return sum + length + replyLength - tools - instructions;
  }, tools + instructions);
  t.comment(`${sent} characters as they are sent, ${once} of them once`);
  t.ok(once / CHARACTERS_PER_TOKEN < NEW_TOKENS_A_DAY_MAX);
  return [
    ['all ten tools, sent with each request', tools],
    ['the instructions, sent with each request', instructions],
    ['`wait` and `brief` of the first turn', first.messages[1]?.content.length ?? 0],
    [`**the whole day**, ${turns.length} turns in ${asked.length} requests, each text counted once`, once],
    ['the same as it is sent: tools, instructions and the conversation of the turn in each request', sent],
  ];
}

/** What is said in a turn: all of it in the first one, then what the model says. */
function conversation(asked: readonly Asked[], index: number): string {
  const { messages } = (asked.at(-1) as Asked).body;
  const replies = (TURNS[index] ?? []).map(({ note, calls }) => {
    return block(
      'text',
      [`note: ${note}`, ...calls.map(([tool, input]) => `${tool} ${JSON.stringify(input)}`)].join('\n'),
    );
  });
  if (index > 0) return `Turn ${index + 1}. The model answers:\n\n${replies.join('\n\nand then:\n\n')}`;
  const [, user, ...rest] = messages;
  const answers = rest.filter(({ role }) => role === 'tool').map(({ content }) => block('text', content));
  const [look = '', play = ''] = replies;
  return (
    `Turn 1. The model gets:\n\n${block('text', user?.content ?? '')}\n\nand answers:\n\n${look}\n\n` +
    `It gets these answers:\n\n${answers.join('\n\n')}\n\nand answers:\n\n${play}`
  );
}

const FROM_OTHERS = ['incoming_fleet', 'combat_report', 'resources_received'];

t.test('the document shows what was said here, and the whole example', (t) => {
  const example = readFileSync(join(root, EXAMPLE), 'utf8');
  t.ok(example.split('\n').length - 1 < EXAMPLE_LINES_MAX, 'it is short');
  parts['example'] = block('ts', example.trimEnd());
  const document = readFileSync(DOCUMENT, 'utf8');
  const renewed = Object.entries(parts).reduce(withPart, document);
  t.notMatch(renewed, '[object Object]', 'every figure is a text');
  if (process.env['RENEW'] === '1') writeFileSync(DOCUMENT, renewed);
  else t.equal(renewed, document, 'RENEW=1 npm test -- test/mcp/llm.test.ts writes it');
  t.end();
});

function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function table(rows: readonly (readonly [string, number])[]): string {
  const lines = rows.map(([what, length]) => {
    return `| ${what} | ${length} | ${Math.round(length / CHARACTERS_PER_TOKEN)} |`;
  });
  return ['| | characters | tokens, estimated |', '|---|---|---|', ...lines].join('\n');
}

function withPart(document: string, [name, content]: [string, string]): string {
  const [begin, end] = [`<!-- begin ${name} -->\n`, `<!-- end ${name} -->`];
  const [start, stop] = [document.indexOf(begin), document.indexOf(end)];
  if (start < 0 || stop < start) throw new Error(`docs/llm.md has no part ${name}`);
  return `${document.slice(0, start)}${begin}${content}\n${document.slice(stop)}`;
}
