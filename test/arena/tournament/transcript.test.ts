// What entrants say to each other in a tournament: it wakes nobody who has not asked for it, and the folder of each game has all of it, as
// verification finds it in the log.
import { existsSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { writeSums } from '../../../arena/tournament/folder.js';
import type { FinishedMessage } from '../../../arena/tournament/result.js';
import { STANDARD_2_RULES } from '../../../engine/rules/shipped.js';
import { rulesIdentity } from '../../../persistence/rules/stored-rules.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { altered, findingsIn, places, played } from '../support/tournament-run.js';

/** Writes to the other player and to everybody in each of its turns, every six hours. */
const SPEAKER = `
const { GALAXYD_SERVER: server, GALAXYD_PLAYER: own, GALAXYD_API_KEY: key } = process.env;
const send = async (method, path, body) => {
  const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
  return (await fetch(server + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })).json();
};
const other = own === 'player-1' ? 'player-2' : 'player-1';
for (;;) {
  const { state, worldTime } = await send('GET', '/api/turn?wait=5');
  if (state === 'over') break;
  if (state !== 'active') continue;
  for (const to of [other, 'all']) await send('POST', '/api/message', { playerId: own, to, text: 'Peace? "\\u{1f98a}" it is ' + worldTime });
  await send('POST', '/api/turn/end', { wakeAt: new Date(Date.parse(worldTime) + 21_600_000).toISOString() });
}
`;
const FILE = 'games/0001/transcript.jsonl';
const settings = { rules: rulesIdentity(STANDARD_2_RULES), days: 1, seeds: [1], systemsPerGalaxy: 20 };
const programs = await temporaryFolder(t);
await writeFile(join(programs, 'speaker.mjs'), SPEAKER);
const entrants = `idler,speaker=${process.execPath} ${join(programs, 'speaker.mjs')}`;
const cup = await played(t, entrants, settings, {}, { rulesSource: 'standard-2' });

t.test('each line of the transcript is a message, in order', async (t) => {
  const messages = (await readFile(join(cup.out, FILE), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as FinishedMessage);
  t.equal(messages.length, 8, 'two in each of four turns');
  t.same(
    messages.map(({ id }) => id),
    Array.from({ length: 8 }, (_, index) => `message-${index + 1}`),
  );
  const at = messages[0]?.at;
  t.same(messages.slice(0, 2), [
    { id: 'message-1', at, sender: 'speaker', receiver: 'idler', text: `Peace? "\u{1f98a}" it is ${at}` },
    { id: 'message-2', at, sender: 'speaker', receiver: null, text: `Peace? "\u{1f98a}" it is ${at}` },
  ]);
});

t.test('nobody is woken by what others say', async (t) => {
  const idler = cup.result.games[0]?.players.find(({ label }) => label === 'idler');
  t.equal(idler?.wakeupsByOthers, 0);
});

t.test('verification finds a transcript that the world does not tell, and one that is missing', async (t) => {
  t.same(await findingsIn(cup.out), []);
  const forged = await altered(t, cup.out, async (copy) => {
    await appendFile(join(copy, FILE), `${JSON.stringify({ id: 'message-9', text: 'I give up.' })}\n`);
    await writeSums(copy);
  });
  t.same(places(await findingsIn(forged)), [`${FILE}, game 1, content`]);
  const emptied = await altered(t, cup.out, async (copy) => {
    await writeFile(join(copy, FILE), '');
    await writeSums(copy);
  });
  t.same(places(await findingsIn(emptied)), [`${FILE}, game 1, content`]);
});

t.test('a game in which nobody says anything has none, and may have none', async (t) => {
  const silent = await played(t, 'idler,idler2=idler', { ...settings, days: 0.1 }, {}, { rulesSource: 'standard-2' });
  t.notOk(existsSync(join(silent.out, FILE)));
  t.same(await findingsIn(silent.out), []);
  await writeFile(join(silent.out, FILE), '');
  await writeSums(silent.out);
  t.same(places(await findingsIn(silent.out)), [`${FILE}, game 1, content`]);
});
