// Readers follow the events of a real server that ends in every way, on connections that break all the time: what each has received is
// what the log says, without a gap or a repeat. Here some endings come once; `npm run readers` repeats it as often as requested.
import t from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { drawSeed } from '../support/process/draws.js';
import { ReaderRun } from '../support/process/reader-run.js';

t.test('each reader receives the events of the log, however servers and connections end', async (t) => {
  const run = new ReaderRun({ owner: t, seed: drawSeed(t), folder: `${await temporaryFolder(t)}/world` });
  for (const [index, ending] of run.endings().entries()) t.same(await run.live(ending), [], `${index + 1}: ${ending}`);
  t.same(await run.live('stopped'), [], 'and a last life, in which everybody catches up');
  const { figures } = run;
  t.comment(JSON.stringify(figures));
  t.ok(figures.events > 100, 'enough events were read');
  t.ok(figures.connections > 50, 'over enough connections');
});
