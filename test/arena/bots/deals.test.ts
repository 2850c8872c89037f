// Bots that trade and make pacts play against each other in a real world: the market lives, pacts come into force and are broken by the one
// that breaks them. One that keeps to itself does the same, but for its deals.
import t from 'tap';
import { betrayer } from '../../../arena/bots/betrayer.js';
import { diplomat, makeDiplomat } from '../../../arena/bots/diplomat.js';
import { trader } from '../../../arena/bots/trader.js';
import { STANDARD_2_RULES } from '../../../engine/rules/shipped.js';
import { begin } from '../../http/support/serving.js';
import { type Entrant, playBots } from '../support/bot-game.js';

const HOURS = 120;
const SEED = 7;
const quiet = { name: 'quiet', summary: 'Keeps to itself.', make: () => makeDiplomat(false) };
const TAKEN = /^\S+ \/api\/market\/offer\/\S+\/take .* ok$/;
const ACCEPTED = /^\S+ \/api\/pact\/\S+\/accept .* ok$/;
const CANCELLED = /^\S+ \/api\/pact\/\S+\/cancel .* ok$/;
const DEAL = /^\S+ \/api\/(market|pact|message)/;

const count = ({ commands }: Entrant, kind: RegExp): number => commands.filter((command) => kind.test(command)).length;

t.test('bots trade, make pacts, keep or break them, or do nothing of that', async (t) => {
  const settings = { rules: STANDARD_2_RULES, seed: SEED, systemsPerGalaxy: 8 };
  const { port, play } = await begin(t, { settings });
  const [dealer, honest, traitor, hermit] = await playBots({
    baseUrl: `http://127.0.0.1:${port}`,
    kinds: [trader, diplomat, betrayer, quiet],
    seed: SEED,
    hours: HOURS,
    advance: async (to) => void (await play.advanceTo(to)),
  });
  if (dealer === undefined || honest === undefined || traitor === undefined || hermit === undefined)
    throw new Error('not all have played');
  for (const { name, refusals } of [dealer, honest, traitor, hermit]) t.same(refusals, {}, name);
  t.comment(
    [dealer, honest, traitor].map((each) => [count(each, TAKEN), count(each, ACCEPTED), count(each, CANCELLED)]),
  );
  for (const each of [dealer, honest, traitor]) t.ok(count(each, TAKEN) > 0, `${each.name} takes offers`);
  t.ok(count(dealer, ACCEPTED) > 0, 'the trader accepts peace');
  t.equal(count(honest, CANCELLED), 0, 'the diplomat keeps its word');
  t.ok(count(traitor, CANCELLED) > 0, 'the betrayer does not');
  t.equal(count(hermit, DEAL), 0);
});
