// The log lines of a server: JSON for machines, the same sentences for people, and no secrets in either.
import t from 'tap';
import { OUTPUT_RETRIES_MAX } from '../../../cli/limits.js';
import { FileOutput, type LineOutput } from '../../../cli/output/lines.js';
import { type CountingLog, formatFor, JsonLog, LOG_EVENTS, type LogEvent, TextLog } from '../../../cli/output/log.js';
import { logRole } from '../../../cli/serve/announcements.js';
import type { RoleEvent } from '../../../persistence/replication/role-announcer.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { ADMIN_KEY, manualArgs, start } from '../../support/process/operator.js';

/** Starts a program as a user's shell does: without the format that tests choose. */
const WITHOUT_FORMAT = ['env', '-u', 'GALAXYD_LOG_FORMAT'];

type Line = Readonly<Record<string, unknown>>;

/** Every line as an object. @throws SyntaxError if one is not JSON */
function linesOf(text: string): Line[] {
  t.ok(text.endsWith('\n'), 'every line is complete');
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

t.test(
  'to a pipe each line is JSON with level, time, event, sentence and facts, unless the format is chosen',
  async (t) => {
    const folder = await temporaryFolder(t);
    const args = manualArgs(folder, '--seed', '9');
    const { galaxyd, client } = await start(t, { args, by: WITHOUT_FORMAT });
    t.equal((await client.get('/api/admin/state-hash')).status, 200);
    t.equal((await client.get('/nowhere')).status, 404);
    const { code, stdout, stderr } = await galaxyd.stop();
    t.equal(code, 0);
    t.equal(stderr, '');
    const lines = linesOf(stdout);
    const events = lines.map(({ event }) => event as LogEvent);
    t.same(
      events.filter((event) => LOG_EVENTS[event] !== 'warn'),
      ['starting', 'world_made', 'serving', 'stopping', 'stopped'],
      'and none for a request',
    );
    for (const line of lines) {
      t.equal(line['level'], LOG_EVENTS[line['event'] as LogEvent]);
      t.match(line['time'], /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      t.match(line['msg'], /^galaxyd /);
    }
    const serving = lines.find(({ event }) => event === 'serving');
    t.match(serving, {
      msg: /^galaxyd serves http:\/\/127\.0\.0\.1:\d+ \(seed 9, speed 1, manual clock, durable, auth none\)$/,
      url: galaxyd.url,
      settings: { seed: 9, clock: 'manual', data: folder, adminKey: '[secret]' },
    });
    t.notMatch(stdout, ADMIN_KEY);

    const again = await start(t, { args, env: { GALAXYD_LOG_FORMAT: 'json' } });
    const recovered = linesOf((await again.galaxyd.stop()).stdout).find(({ event }) => event === 'world_recovered');
    t.match(recovered, {
      msg: /^galaxyd \S+ recovered .*: 1 entry of the log in \d+ ms; seq 1$/,
      entryCount: 1,
      seq: 1,
      dataFolder: folder,
    });

    const chosen = await start(t, { args: [...args, '--log-format', 'text'], by: WITHOUT_FORMAT });
    const text = (await chosen.galaxyd.stop()).stdout;
    t.match(text, /^galaxyd \S+ starts [^{]*\ngalaxyd \S+ recovered [^{]*\ngalaxyd serves http:/);
    t.match(text, /\ngalaxyd is stopping \(SIGTERM\)\ngalaxyd stopped\n$/);
    t.notMatch(text, '{');
  },
);

t.test('by default a terminal gets sentences, and every other output gets JSON', async (t) => {
  t.equal(formatFor(undefined, true), 'text');
  t.equal(formatFor(undefined, false), 'json');
  t.equal(formatFor('json', true), 'json');
  t.equal(formatFor('text', false), 'text');
});

t.test('secrets among the facts are redacted, at any depth', async (t) => {
  const secret = 'a-secret-of-this-test';
  const secrets = {
    authorization: secret,
    apiKey: secret,
    adminKey: secret,
    idempotencyKey: secret,
    'idempotency-key': secret,
  };
  const written: string[] = [];
  const log = new JsonLog({ write: (line) => written.push(`${line}\n`) > 0 });
  for (const facts of [secrets, { settings: secrets }, { request: { headers: secrets } }]) {
    log.tell('serving', 'galaxyd serves', { ...facts, port: 3000 });
  }
  const text = written.join('');
  t.notMatch(text, secret);
  for (const line of linesOf(text)) t.equal(line['port'], 3000, 'other facts stay');
  t.equal(text.split('[secret]').length - 1, 3 * Object.keys(secrets).length);
});

t.test('a bug is logged with its stack and the request id that its client got', async (t) => {
  const written: string[] = [];
  const log = new JsonLog({ write: (line) => written.push(`${line}\n`) > 0 });
  log.tell('request_failed', 'request abc-1 was answered with internal_error', {
    requestId: 'abc-1',
    err: new TypeError('no such thing'),
  });
  t.match(linesOf(written.join('')), [
    {
      level: 'error',
      event: 'request_failed',
      requestId: 'abc-1',
      err: { type: 'TypeError', stack: /output\/log\.test/ },
    },
  ]);
});

t.test('every event has a name in snake case', async (t) => {
  for (const name of Object.keys(LOG_EVENTS)) t.match(name, /^[a-z]+(_[a-z]+)*$/);
});

/** An output that writes until it is broken. */
class BreakableOutput implements LineOutput {
  readonly lines: string[] = [];
  isBroken = false;

  write(line: string): boolean {
    if (!this.isBroken) this.lines.push(line);
    return !this.isBroken;
  }
}

t.test('lines that cannot be written are counted, and the count is logged before the next line', async (t) => {
  const kinds: readonly ((output: LineOutput) => CountingLog)[] = [
    (output) => new JsonLog(output),
    (output) => new TextLog(output, output),
  ];
  for (const make of kinds) {
    const output = new BreakableOutput();
    const log = make(output);
    log.tell('starting', 'galaxyd starts');
    output.isBroken = true;
    log.tell('snapshot_failed', 'galaxyd could not take a snapshot');
    log.tell('request_failed', 'request 1 was answered with internal_error', { err: new TypeError('no such thing') });
    t.equal(log.droppedLines, 2);
    output.isBroken = false;
    log.tell('stopping', 'galaxyd is stopping');
    log.tell('stopped', 'galaxyd stopped');
    t.equal(log.droppedLines, 2);
    t.equal(output.lines.length, 4);
    t.match(output.lines[1], /galaxyd could not write 2 lines of its log/);
    t.match(output.lines[2], /galaxyd is stopping/);
    t.notOk(
      output.lines.some((line) => line.includes('\n')),
      'the output ends them',
    );
  }
});

function failing(code: string): Error {
  return Object.assign(new Error(code), { code, syscall: 'write' });
}

t.test('the wait for a full pipe is bounded and happens once; a torn line is ended before the next', async (t) => {
  let written = '';
  let answers: (number | Error)[] = [];
  let calls = 0;
  const output = new FileOutput(1, (_file, bytes, offset) => {
    calls += 1;
    const answer = answers.shift() ?? bytes.length;
    if (answer instanceof Error) throw answer;
    written += bytes.toString('utf8', offset, offset + answer);
    return Math.min(answer, bytes.length - offset);
  });
  answers = [failing('EAGAIN'), 3, failing('EAGAIN'), 4];
  t.ok(output.write('one two'));
  t.equal(written, 'one two\n');

  answers = Array.from({ length: OUTPUT_RETRIES_MAX + 5 }, () => failing('EAGAIN'));
  calls = 0;
  t.notOk(output.write('lost'));
  t.equal(calls, OUTPUT_RETRIES_MAX + 1);
  calls = 0;
  t.notOk(output.write('lost too'));
  t.equal(calls, 1, 'there is no second wait for the same reader');

  written = '';
  answers = [4, failing('ENOSPC')];
  t.notOk(output.write('half a line'));
  for (const code of ['EPIPE', 'EBADF', 'EIO', 'ENOSPC']) {
    answers = [failing(code)];
    t.notOk(output.write('never'), code);
  }
  answers = [];
  t.ok(output.write('whole'));
  t.ok(output.write('next'));
  t.equal(written, 'half\nwhole\nnext\n');
});

t.test('each change of the role of a process is a line with its facts', async (t) => {
  const rows: [event: RoleEvent, sentence: RegExp][] = [
    [
      { type: 'role_leading', epoch: 3, seq: 7, tookMs: 12.4 },
      /leads the world from seq 7 on \(epoch 3\), 12 ms after/,
    ],
    [{ type: 'role_following', epoch: 3, leaderUrl: 'http://a' }, /follows the leader at http:\/\/a \(epoch 3\)/],
    [{ type: 'role_leaderless', epoch: 3 }, /nobody leads the world after epoch 3/],
    [
      { type: 'role_refused', epoch: 3, message: 'the clock is wrong' },
      /does not take over the world after epoch 3: the clock is wrong/,
    ],
    [
      { type: 'role_paused', epoch: 3, leaseAgeMs: 1_500.2 },
      /not renewed its lease for 1500 ms, so it answers nothing/,
    ],
    [{ type: 'role_resumed', epoch: 3, pausedMs: 200 }, /answers again, after 200 ms/],
    [
      { type: 'role_handing_over', epoch: 3, successorId: 'b', successorUrl: 'http://b' },
      /to the process at http:\/\/b/,
    ],
    [{ type: 'role_handed_over', epoch: 3, seq: 9 }, /has handed the world over at seq 9 \(epoch 3\)/],
    [{ type: 'store_unreachable', message: 'no answer' }, /cannot reach the store of the world: no answer/],
    [{ type: 'store_reached', afterMs: 30 }, /reaches the store of the world again, after 30 ms/],
  ];
  const written: string[] = [];
  const log = new JsonLog({ write: (line) => written.push(`${line}\n`) > 0 });
  for (const [event] of rows) logRole(log, event);
  for (const [index, line] of linesOf(written.join('')).entries()) {
    const [{ type, ...facts }, sentence] = rows[index] as (typeof rows)[number];
    t.match(line, { event: type, msg: sentence, ...facts });
  }
});
