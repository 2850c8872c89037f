// Plays games of all shipped bots, each in a new world that this process serves, and prints their results as JSON. In the process of a
// test it would be slow, since the test runner watches every promise.
//
//   node dist/test/arena/support/bot-program.js SEED standard-1=24 standard-2=24
//
// A game is the name of a rule set and the number of hours to play.
import { BOTS } from '../../../arena/bots/index.js';
import type { Rules } from '../../../engine/rules/rules.js';
import { SHIPPED_RULES } from '../../../engine/rules/shipped.js';
import { WorldServer } from '../../../http/world-server.js';
import { openWorld } from '../../../persistence/open-world.js';
import { CUSTOM_RULES } from '../../support/custom-rules.js';
import { MemoryStore } from '../../support/stores/memory-store.js';
import { type Entrant, playBots } from './bot-game.js';

const SYSTEMS_PER_GALAXY = 10;

const fail = (error: unknown): never => {
  throw error;
};

async function game(rules: Rules, seed: number, hours: number): Promise<readonly Entrant[]> {
  const settings = { rules, seed, systemsPerGalaxy: SYSTEMS_PER_GALAXY };
  const world = await openWorld({ store: new MemoryStore(), clock: 'manual', settings, onFatal: fail });
  const { sequencer } = world;
  const server = await WorldServer.start({ world, host: '127.0.0.1', port: 0, registrationsPerMinute: 0, onBug: fail });
  const advance = (to: string): Promise<void> => {
    sequencer.advanceTo(Date.parse(to));
    return new Promise((resolve) => void sequencer.holdUntilDurable(sequencer.lastSeq, { durable: resolve }));
  };
  return playBots({ baseUrl: server.url, kinds: BOTS, seed, hours, advance });
}

const [seed = '', ...orders] = process.argv.slice(2);
const games = [];
for (const order of orders) {
  const [name, hours] = order.split('=');
  const rules = [...SHIPPED_RULES, CUSTOM_RULES].find(({ set }) => set.name === name);
  if (rules === undefined) throw new Error(`there are no rules ${name}`);
  const entrants = await game(rules, Number(seed), Number(hours));
  games.push(
    entrants.map(({ name, kind, points, wakes, requests, commands, refusals }) => {
      return { name, kind, points, wakes, requests, commands, refusals };
    }),
  );
}
// Connections and worlds are still open.
process.stdout.write(`${JSON.stringify(games)}\n`, () => process.exit(0));
