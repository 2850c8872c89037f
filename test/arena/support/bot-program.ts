// Plays all shipped bots in a world of another process and prints what they did, as JSON: the runner of the tests would watch each
// of very many promises.
//
//   node dist/test/arena/support/bot-program.js http://127.0.0.1:3000 ADMIN_KEY SEED DAYS
import { BOTS } from '../../../arena/bots/index.js';
import { playBots } from './bot-game.js';

const [baseUrl = '', adminKey = '', seed = '', days = ''] = process.argv.slice(2);
const entrants = await playBots({ baseUrl, adminKey, kinds: BOTS, seed: Number(seed), days: Number(days) });
const rows = entrants.map(({ name, kind, points, wakes, requests, commands, refusals }) => {
  return { name, kind, points, wakes, requests, commands, refusals };
});
// The connections of fetch would stay open for some seconds.
process.stdout.write(`${JSON.stringify(rows)}\n`, () => process.exit(0));
