// What a bot could do next, drawn from what its state shows. Not all of it is possible: refusals belong to the game.
import { BUILDINGS, MISSIONS, RESEARCH, SHIPS } from '../../../engine/rules/catalogue.js';
import type { PlanetBody } from '../../../http/schemas/planet.js';
import type { FleetBody, ResearchEntryBody } from '../../../http/schemas/player.js';
import * as deeds from './deeds.js';
import type { Draws } from './draws.js';

/** A player's state, as far as bots look at it. */
export interface PlayerState {
  readonly id: string;
  readonly planets: readonly PlanetBody[];
  readonly fleets: readonly FleetBody[];
  readonly research: readonly ResearchEntryBody[];
}

export class BotChoices {
  readonly #draws: Draws;
  #grantCount = 0;

  constructor(draws: Draws) {
    this.#draws = draws;
  }

  /** No two grants are alike, so that each is known again in the log. */
  grant(planetId: string): deeds.Deed {
    this.#grantCount += 1;
    const silver = 1_000_000 + this.#grantCount;
    return deeds.grant(planetId, { iron: 2_000_000, silver, ember: 500_000, h2: 500_000, energy: 500_000 });
  }

  /** A shipyard more often than anything else, since without one there is no fleet. */
  building(planet: PlanetBody): deeds.Deed {
    const upgrading = planet.buildings.find(({ constructionQueue }) => constructionQueue.length > 0);
    const queueId = upgrading?.constructionQueue[0]?.queueId;
    if (queueId !== undefined && this.#draws.oneIn(2)) return deeds.cancelUpgrade(planet.id, queueId);
    const { type } = this.#draws.oneIn(3) ? { type: 'shipyard' as const } : this.#draws.pick(BUILDINGS);
    const isThere = planet.buildings.some((building) => building.type === type);
    return isThere ? deeds.upgrade(planet.id, type) : deeds.construct(planet.id, type);
  }

  shipyard(planet: PlanetBody): deeds.Deed {
    const [first] = planet.shipyardQueue;
    if (first !== undefined && this.#draws.oneIn(4)) return deeds.cancelShips(planet.id, first.shipType);
    const shipType = first?.shipType ?? this.#draws.pick(SHIPS).type;
    return deeds.buildShips(planet.id, shipType, this.#draws.between(1, 9));
  }

  research(state: PlayerState): deeds.Deed {
    return deeds.startResearch(state.id, this.#draws.pick(RESEARCH).type);
  }

  /** A fleet of one kind of ship to some planet, or one called back; ships, where there are none. */
  fleet(state: PlayerState, planet: PlanetBody, targetIds: readonly string[]): deeds.Deed {
    const outbound = state.fleets.find((fleet) => fleet.state === 'outbound');
    if (outbound !== undefined && this.#draws.oneIn(3)) return deeds.recall(state.id, outbound.id);
    if (planet.planetShips.length === 0) return this.shipyard(planet);
    const ship = this.#draws.pick(planet.planetShips);
    return deeds.launch({
      by: state.id,
      from: planet.id,
      to: this.#draws.pick(targetIds),
      ships: [{ type: ship.shipType, count: this.#draws.between(1, ship.count) }],
      mission: this.#draws.pick(MISSIONS),
      iron: this.#draws.below(50),
    });
  }

  /** One planet more: the second starter, or some slot of the same system, be it free or not. */
  settle(state: PlayerState, planet: PlanetBody): deeds.Deed {
    if (this.#draws.oneIn(3)) return deeds.secondStarter(state.id);
    return deeds.colonize(state.id, this.neighbourOf(planet));
  }

  /** Some slot of the same system; not every slot has a planet. */
  neighbourOf({ system }: PlanetBody): string {
    return `planet-${system.galaxyIndex}-${system.index}-${this.#draws.between(1, 30)}`;
  }
}
