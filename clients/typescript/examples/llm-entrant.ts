// A language model as an entrant: a conversation with a chat API for each of its turns, with all tools of `galaxyd mcp`; see docs/llm.md.
//
//   galaxyd tournament --entrants "greedy,node llm-entrant.js URL MODEL [KEY_FILE]" --wakeups-per-day 4 --days 3 --seeds 1 --out ./cup
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** Replies of the model in one turn. */
const REPLIES_MAX = 8;
const [url = '', model = '', keyFile] = process.argv.slice(2);
const authorization = keyFile === undefined ? '' : `Bearer ${readFileSync(keyFile, 'utf8').trim()}`;
const galaxyd = new Client({ name: 'llm-entrant', version: '2' });
// The tournament names the server, the player and its key in the environment.
const env = process.env as Record<string, string>;
await galaxyd.connect(new StdioClientTransport({ command: 'galaxyd', args: ['mcp'], env }));
const offered = (await galaxyd.listTools()).tools.map(({ name, description, inputSchema: parameters }) => {
  return { type: 'function', function: { name, description, parameters } };
});
const system = `${galaxyd.getInstructions()} The brief is given. Call as many tools in one reply as you can: you have ${REPLIES_MAX} replies \
in a turn. Call wait last, with \`until\`, the world time of your next turn, and with a note of one line: you will remember nothing else.`;

let [note, wish, news] = ['none', '{}', ''];
while (!news.startsWith('The game is over')) {
  news = await call('wait', wish);
  if (/^(unauthenticated|The galaxyd server)/.test(news)) throw new Error(news);
  wish = '{}';
  if (news.startsWith('It is your turn')) await play();
}
await galaxyd.close();

/** Lets the model play its turn. What it says of the next one is sent last, since it ends this one. */
async function play(): Promise<void> {
  const messages: object[] = [
    { role: 'system', content: system },
    { role: 'user', content: `${news}\n${await call('brief', '{}')}\nYour note: ${note}` },
  ];
  for (let replies = 0; replies < REPLIES_MAX; replies += 1) {
    const said = await ask(messages);
    const { content, tool_calls: calls = [] } = said;
    messages.push(said);
    note = content || note;
    for (const { id, function: wanted } of calls) {
      if (wanted.name === 'wait') wish = wanted.arguments;
      const answer = wanted.name === 'wait' ? 'Your turn ends.' : await call(wanted.name, wanted.arguments);
      messages.push({ role: 'tool', tool_call_id: id, content: answer });
      if (['act', 'set_plan'].includes(wanted.name)) console.log(answer);
    }
    if (calls.length === 0 || calls.some((each) => each.function.name === 'wait')) return;
  }
}

/** Calls a tool. A refusal is an answer, too. @param input JSON, which a model may get wrong */
async function call(name: string, input: string): Promise<string> {
  let given: Record<string, unknown>;
  try {
    given = JSON.parse(input);
  } catch (error) {
    return String(error);
  }
  const { content } = await galaxyd.callTool({ name, arguments: given });
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

type Said = { content?: string; tool_calls?: { id: string; function: { name: string; arguments: string } }[] };

async function ask(messages: readonly object[]): Promise<Said> {
  const body = JSON.stringify({ model, messages, tools: offered });
  const headers = { 'content-type': 'application/json', authorization };
  const reply = await fetch(url, { method: 'POST', headers, body });
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${await reply.text()}`);
  return ((await reply.json()) as { choices: [{ message: Said }] }).choices[0].message;
}
