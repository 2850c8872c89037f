// Starts something random on each planet that the options offer and the planet can pay for; it takes no second planet. Then sleeps for a random time. A baseline
// for the other bots: it plays by the rules, without a plan.
import type { BotKind, PlayerPort } from '../bot.js';
import { Plan } from './support/plan.js';

const SLEEP_MINUTES_MIN = 30;
const SLEEP_MINUTES_MAX = 240;

async function wake(port: PlayerPort) {
  const plan = new Plan(port, await port.state());
  const all = await Promise.all(plan.state.planets.map(({ id }) => port.options(id)));
  // All planets offer the same research of the player, and only one may start it.
  let hasResearch = false;
  for (const [index, planet] of plan.state.planets.entries()) {
    const startable = (all[index]?.options ?? []).filter(
      ({ action, reason, cost }) =>
        reason === undefined &&
        action !== 'second_starter' &&
        plan.canPay(planet, cost) &&
        !(hasResearch && action === 'research'),
    );
    const option = port.random.pick(startable);
    if (option === undefined) continue;
    hasResearch ||= option.action === 'research';
    plan.command(planet, option.request, option.cost);
  }
  const minutes = SLEEP_MINUTES_MIN + port.random.below(SLEEP_MINUTES_MAX - SLEEP_MINUTES_MIN);
  plan.wakeIn((minutes * 60) / port.catalog.speed);
  return plan.carryOut([]);
}

export const random: BotKind = {
  name: 'random',
  summary: 'Starts random things that the options offer.',
  make: () => ({ wake }),
};
