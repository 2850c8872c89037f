// `galaxyd mcp` answers lines that are not messages, and goes on.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { MESSAGE_LENGTH_MAX } from '../../mcp/limits.js';
import { soundMessages } from '../../mcp/sound-messages.js';

const PROGRAM = fileURLToPath(new URL('../../cli/main.js', import.meta.url));
const PING = '{"jsonrpc":"2.0","id":3,"method":"ping"}';

t.test('what is not a message of JSON-RPC 2.0 gets an error (JSON-RPC 2.0, section 5.1)', async (t) => {
  const lines = [
    'garbage',
    '{"jsonrpc":"2.0","id":1',
    '{"id":1,"method":"ping"}',
    '{"jsonrpc":"1.0","id":"a","method":"ping"}',
    `[${PING}]`,
    '{"jsonrpc":"2.0","id":{},"method":"ping"}',
    '7',
    '',
    PING,
  ];
  const child = spawn(process.execPath, [PROGRAM, 'mcp', '--server', 'http://127.0.0.1:1', '--player', 'player-1'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  t.teardown(() => child.kill());
  const ended = once(child, 'exit');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    output += part;
    if (output.includes('"result"')) child.stdin.end();
  });
  child.stdin.write(`${lines.join('\n')}\n`);
  t.equal((await ended)[0], 0, 'it ends with its input');
  const answers = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } });
  t.same(
    answers.map(({ id, error }) => [id, error?.code]),
    [
      [null, -32_700],
      [null, -32_700],
      [1, -32_600],
      ['a', -32_600],
      [null, -32_600],
      [null, -32_600],
      [null, -32_600],
      [3, undefined],
    ],
  );
});

t.test('a message may come in any pieces, but not without an end', async (t) => {
  const answers = new PassThrough();
  const messages = soundMessages(answers, () => true);
  const passed = text(messages);
  for (const byte of Buffer.from(`${PING}\n{"jsonrpc":"2.0","method":"é"}\nno\n`)) messages.write(Buffer.of(byte));
  messages.end();
  t.equal(await passed, `${PING}\n{"jsonrpc":"2.0","method":"é"}\n`);
  answers.end();
  t.match(await text(answers), /^\{"jsonrpc":"2\.0","id":null,"error":\{"code":-32700,/);
  const endless = soundMessages(new PassThrough(), () => true);
  endless.write(Buffer.alloc(MESSAGE_LENGTH_MAX + 1, ' '));
  await t.rejects(text(endless), { message: `a message has more than ${MESSAGE_LENGTH_MAX} characters` });
});
