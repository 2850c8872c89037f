// The rules of the world for requests: maps from names to numbers, and whatever else is derived from the rules. All of it is derived
// again after the operator has switched them.
import type { Rules } from '../../engine/rules/rules.js';
import { MISSIONS } from '../../engine/terms/missions.js';
import { type RulesIdentity, rulesIdentity } from '../../persistence/rules/stored-rules.js';

/** Ships of one type, which fleets and planets name differently. */
type NamedShips = { readonly count: number } & ({ readonly type: string } | { readonly shipType: string });

export class WorldRules {
  readonly #numbers: PerRuleSet<RuleNumbers>;

  constructor(world: { readonly rules: Rules }) {
    this.#numbers = new PerRuleSet(world, (rules) => new RuleNumbers(rules));
  }

  /** What the world plays by. */
  get identity(): RulesIdentity {
    return this.#numbers.present.identity;
  }

  buildingNumber(name: string): number {
    return this.#numbers.present.building(name);
  }

  shipNumber(name: string): number {
    return this.#numbers.present.ship(name);
  }

  researchNumber(name: string): number {
    return this.#numbers.present.research(name);
  }

  driveNumber(name: string): number {
    return this.#numbers.present.drive(name);
  }

  /** Counts by ship type; entries of the same type are added up. */
  shipsByType(entries: readonly NamedShips[]): number[] {
    const { ship, rules } = this.#numbers.present;
    const ships = rules.ships.map(() => 0);
    for (const entry of entries) {
      const number = ship('type' in entry ? entry.type : entry.shipType);
      ships[number] = (ships[number] ?? 0) + entry.count;
    }
    return ships;
  }
}

class RuleNumbers {
  readonly identity: RulesIdentity;
  readonly building: (name: string) => number;
  readonly ship: (name: string) => number;
  readonly research: (name: string) => number;
  readonly drive: (name: string) => number;

  constructor(readonly rules: Rules) {
    this.identity = rulesIdentity(rules);
    this.building = numbering(rules.buildings.map(({ type }) => type));
    this.ship = numbering(rules.ships.map(({ type }) => type));
    this.research = numbering(rules.research.map(({ type }) => type));
    this.drive = numbering(rules.drives.map(({ type }) => type));
  }
}

export const missionNumber: (name: string) => number = numbering(MISSIONS);

/** Returns a function from a name to its position in a list. Schemas accept only known names. */
function numbering(names: readonly string[]): (name: string) => number {
  const numbers = new Map(names.map((name, number) => [name, number]));
  return (name) => {
    const number = numbers.get(name);
    if (number === undefined) throw new Error(`unknown type ${name}`);
    return number;
  };
}

export class PerRuleSet<T> {
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
