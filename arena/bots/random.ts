// Starts one drawn thing on each planet, of those that the options offer and the planet can pay; then sleeps for a drawn time.
// A baseline: it plays by the rules, and has no plan.
import type { BotKind, Hand } from '../bot.js';
import { Plan } from './support/plan.js';

const SLEEP_MINUTES_MIN = 30;
const SLEEP_MINUTES_MAX = 240;

async function wake(hand: Hand) {
  const plan = new Plan(hand, await hand.state());
  const all = await Promise.all(plan.state.planets.map(({ id }) => hand.options(id)));
  // Research belongs to the player and not to a planet: all planets offer it, and one may start it.
  let hasResearch = false;
  for (const [index, planet] of plan.state.planets.entries()) {
    const startable = (all[index]?.options ?? []).filter(
      ({ action, reason, cost }) =>
        reason === undefined && plan.canPay(planet, cost) && !(hasResearch && action === 'research'),
    );
    const option = hand.random.pick(startable);
    if (option === undefined) continue;
    hasResearch ||= option.action === 'research';
    plan.command(planet, option.request, option.cost);
  }
  const minutes = SLEEP_MINUTES_MIN + hand.random.below(SLEEP_MINUTES_MAX - SLEEP_MINUTES_MIN);
  plan.wakeIn((minutes * 60) / hand.catalog.speed);
  return plan.carryOut([]);
}

export const random: BotKind = {
  name: 'random',
  summary: 'Starts drawn things that the options offer.',
  make: () => ({ wake }),
};
