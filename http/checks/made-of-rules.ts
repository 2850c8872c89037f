// A value derived from the world's rules, and derived again after the operator has switched them.
import type { Rules } from '../../engine/rules/rules.js';

export class MadeOfRules<T> {
  #rules: Rules;
  #made: T;

  /** @param make called at once, and again on the first access after each switch */
  constructor(
    private readonly world: { readonly rules: Rules },
    private readonly make: (rules: Rules) => T,
  ) {
    this.#rules = world.rules;
    this.#made = make(world.rules);
  }

  /** The value for the current rules. */
  get present(): T {
    const { rules } = this.world;
    if (rules !== this.#rules) {
      this.#rules = rules;
      this.#made = this.make(rules);
    }
    return this.#made;
  }
}
