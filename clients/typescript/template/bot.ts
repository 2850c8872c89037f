// Plays a game of turns, or a live world. It asks the strategy what to do, and when to look again.
import { GalaxydClient } from './galaxyd-client.js';
import { Strategy, WAKE_ON } from './strategy.ts';

const WAIT_SECONDS = 20;

const { GALAXYD_SERVER: baseUrl = '', GALAXYD_PLAYER: playerId = '', GALAXYD_API_KEY: apiKey } = process.env;
if (baseUrl === '' || playerId === '')
  throw new Error('GALAXYD_SERVER or GALAXYD_PLAYER is missing; README.md says how the bot is started');
const galaxyd = new GalaxydClient({ baseUrl, apiKey });
const { body: status } = await galaxyd.get('/api/status');
const strategy = new Strategy(galaxyd, playerId);
// A live world is never over.
while (status.clock !== 'turns') await galaxyd.waitUntil(await strategy.act(status.speed));
for (;;) {
  const { body: turn } = await galaxyd.get('/api/turn', { params: { query: { wait: WAIT_SECONDS } } });
  if (turn.state === 'over') break;
  if (turn.state === 'active') {
    const wakeAt = await strategy.act(status.speed);
    await galaxyd.post('/api/turn/end', { body: { wakeAt, wakeOn: [...WAKE_ON] } });
  }
}
