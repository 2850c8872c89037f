// A language model as an entrant: one request to a chat API for each of its turns, with tools of `galaxyd mcp`; see docs/llm.md.
//
//   galaxyd tournament --entrants "greedy,node llm-entrant.js URL MODEL [KEY_FILE]" --wakeups-per-day 3 --days 3 --seeds 1 --out ./cup
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [url = '', model = '', keyFile] = process.argv.slice(2);
const authorization = keyFile === undefined ? '' : `Bearer ${readFileSync(keyFile, 'utf8').trim()}`;
const galaxyd = new Client({ name: 'llm-entrant', version: '1' });
// The tournament names the server, the player and its key in the environment.
const env = process.env as Record<string, string>;
await galaxyd.connect(new StdioClientTransport({ command: 'galaxyd', args: ['mcp'], env }));
const { tools } = await galaxyd.listTools();
const offered = tools.flatMap(({ name, description, inputSchema: parameters }) =>
  ['act', 'wait'].includes(name) ? [{ type: 'function', function: { name, description, parameters } }] : [],
);
const system = `${galaxyd.getInstructions()} Call act with all that is worth it, and wait with \`until\`, the world time of your \
next turn, in one reply. Add a note of one line: you will remember nothing else.`;

let [note, wish, news] = ['none', {}, ''];
while (!news.startsWith('The game is over')) {
  news = await call('wait', wish);
  if (/^(unauthenticated|The galaxyd server)/.test(news)) throw new Error(news);
  wish = {};
  if (news.startsWith('It is your turn')) await play();
}
await galaxyd.close();

/** Lets the model act. What it says of the next turn is sent last, since it ends this one. */
async function play(): Promise<void> {
  const brief = await call('brief');
  const [planetId] = brief.match(/planet-[\d-]+/) ?? [];
  const options = planetId === undefined ? '' : await call('options', { planetId });
  const { content, tool_calls: calls = [] } = await ask(`${news}\n${brief}\n${options}\nYour note: ${note}`);
  note = content ?? note;
  for (const { function: wanted } of calls) {
    if (wanted.name === 'wait') wish = JSON.parse(wanted.arguments);
    else console.log(await call(wanted.name, JSON.parse(wanted.arguments)));
  }
}

/** Calls a tool. A refusal is an answer, too. */
async function call(name: string, input: Record<string, unknown> = {}): Promise<string> {
  const { content } = await galaxyd.callTool({ name, arguments: input });
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

type Said = { content?: string; tool_calls?: { function: { name: string; arguments: string } }[] };

async function ask(user: string): Promise<Said> {
  const messages = Object.entries({ system, user }).map(([role, content]) => ({ role, content }));
  const body = JSON.stringify({ model, messages, tools: offered });
  const headers = { 'content-type': 'application/json', authorization };
  const reply = await fetch(url, { method: 'POST', headers, body });
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${await reply.text()}`);
  return ((await reply.json()) as { choices: [{ message: Said }] }).choices[0].message;
}
