// Clients that repeat a request with its Idempotency-Key until it is answered, on a server that is killed again and
// again: each of their requests takes effect exactly once.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import type { PlanetBody } from '../../http/schemas/planet.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { Client, NoReply } from '../support/process/client.js';
import { Draws, drawSeed } from '../support/process/draws.js';
import { GalaxydProcess } from '../support/process/galaxyd-process.js';
import { shortOrLong } from '../support/process/lengths.js';
import { ADMIN_KEY, manualArgs } from '../support/process/operator.js';

const KILLS = shortOrLong(2, 8);
const CLIENTS = 12;
/** How long a client waits before it repeats an unanswered request. */
const PAUSE_MS = 5;

t.test('a request that is repeated until it is answered takes effect once, whenever the server dies', async (t) => {
  const draws = new Draws(drawSeed(t));
  const folder = await temporaryFolder(t);
  // The clock stands still, so that only grants change stocks.
  const args = manualArgs(folder);
  let galaxyd = await GalaxydProcess.start(t, { args });
  const operator = new Client(galaxyd.url, ADMIN_KEY);
  const { body } = await operator.post<{ players: { planetId: string }[] }>('/api/admin/players', {
    count: CLIENTS,
    namePrefix: 'bot',
  });
  operator.close();
  const planets = body.players.map(({ planetId }) => planetId);
  const granted = planets.map(() => 0);
  let answered = 0;
  let repeated = 0;
  let replayed = 0;
  let isOver = false;

  /** Grants one unit, with as many attempts as it takes. */
  const grantOnce = async (planetId: string): Promise<void> => {
    const key = randomUUID();
    for (;;) {
      const client = new Client(galaxyd.url, ADMIN_KEY);
      try {
        const reply = await client.post(`/api/admin/planet/${planetId}/grant`, { iron: 1 }, key);
        if (reply.status === 200) {
          if (reply.headers['idempotency-replayed'] === 'true') replayed += 1;
          return;
        }
        if (reply.status !== 409) throw new Error(`a grant was answered with ${reply.status}`);
      } catch (error) {
        if (!(error instanceof NoReply)) throw error;
      } finally {
        client.close();
      }
      repeated += 1;
      await delay(PAUSE_MS);
    }
  };

  const clients = planets.map(async (planetId, index) => {
    while (!isOver) {
      await grantOnce(planetId);
      granted[index] = (granted[index] ?? 0) + 1;
      answered += 1;
    }
  });
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const until = answered + draws.between(20, 200);
    while (answered < until) await delay(1);
    await delay(draws.below(3));
    t.equal((await galaxyd.kill()).signal, 'SIGKILL');
    galaxyd = await GalaxydProcess.start(t, { args });
  }
  isOver = true;
  await Promise.all(clients);

  const reader = new Client(galaxyd.url);
  const stocks = await Promise.all(
    planets.map(async (planetId) => (await reader.get<PlanetBody>(`/api/game/planet/${planetId}`)).body.iron),
  );
  reader.close();
  t.same(
    stocks,
    granted.map((units) => 500 + units),
    'a starter planet has 500 iron',
  );
  t.comment(`${answered} grants, ${repeated} repetitions, ${replayed} of them replayed`);
  t.ok(repeated >= KILLS, 'enough requests were repeated');
  await galaxyd.stop();
});
