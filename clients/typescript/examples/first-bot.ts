// Builds ten things, each as soon as it can, and sleeps in between.
import { openSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { GalaxydClient } from 'galaxyd-client';

const [baseUrl = '', name = ''] = process.argv.slice(2);
let galaxyd = new GalaxydClient({ baseUrl });
const { body: status } = await galaxyd.get('/api/status');
// Only the reply to the creation has the key of the player, so the file for it comes first.
const keyFile = status.auth === 'key' ? openSync(`${name}.key`, 'wx', 0o600) : null;
const { body: player } = await galaxyd.post('/api/game/player', { body: { name, isBot: true } });
if (keyFile !== null && 'apiKey' in player) {
  writeSync(keyFile, player.apiKey);
  galaxyd = new GalaxydClient({ baseUrl, apiKey: player.apiKey });
}
const planetId = player.planets[0]?.id ?? '';

let built = 0;
while (built < 10) {
  const reply = await galaxyd.get('/api/game/options/{planetId}', { params: { path: { planetId } } });
  // The options are sorted: what can be started first comes first.
  const option = reply.body.options.find(({ action }) => action === 'upgrade' || action === 'construct');
  const startAt = option?.reason === undefined ? option?.affordableAt : option.reason.until;
  if (option === undefined || typeof startAt !== 'string') throw new Error('nothing can be built');
  const waitMs = Date.parse(startAt) - Date.parse(reply.worldTime);
  if (waitMs > 0) {
    await sleep(waitMs);
  } else {
    await galaxyd.perform(option.request);
    built += 1;
    console.log(built, option.action, option.request.body);
  }
}
