// What bots say to other players. Nobody has to believe it.
import { operation } from '../../galaxyd-client.js';
import { later, type Plan } from './plan.js';

/** Sends messages, and no more than the rules allow. */
export class Words {
  #until = '';
  #broadcasts = 0;
  readonly #toEach = new Map<string, number>();

  /** Says something to another player, or to `all`. */
  say(plan: Plan, to: string, text: string): void {
    const { now, catalog, playerId } = plan.port;
    const { messages: rules } = catalog;
    const [home] = plan.state.planets;
    if (rules === undefined || home === undefined) return;
    if (this.#until <= now) {
      this.#until = later(now, rules.periodSeconds / catalog.speed);
      this.#broadcasts = 0;
      this.#toEach.clear();
    }
    const sent = [...this.#toEach.values()].reduce((sum, count) => sum + count, 0);
    const toOne = this.#toEach.get(to) ?? 0;
    const isAllowed =
      to === 'all' ? this.#broadcasts < rules.broadcastsMax : sent < rules.sentMax && toOne < rules.sentToOneMax;
    if (!isAllowed || text.length > rules.charactersMax) return;
    if (to === 'all') this.#broadcasts += 1;
    else this.#toEach.set(to, toOne + 1);
    plan.command(home, operation.post('/api/message', { body: { playerId, to, text } }));
  }
}
