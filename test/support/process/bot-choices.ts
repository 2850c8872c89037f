// What a bot could do next, drawn from what its state shows. Not all of it is possible: refusals are part of the game.

import type { RuleSet } from '../../../engine/rules/rule-set.js';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { MISSIONS, type MissionName } from '../../../engine/terms/missions.js';
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

  constructor(
    draws: Draws,
    /** The rules of the world; the drawn types are from these. */
    private readonly rules: RuleSet = STANDARD_1,
  ) {
    this.#draws = draws;
  }

  /** No two grants are alike, so that each can be identified in the log. */
  grant(planetId: string): deeds.Deed {
    this.#grantCount += 1;
    const silver = 1_000_000 + this.#grantCount;
    return deeds.grant(planetId, { iron: 2_000_000, silver, ember: 500_000, h2: 500_000, energy: 500_000 });
  }

  /** A level of some building; if there is no shipyard, half of the time a shipyard. */
  building({ id, buildings }: PlanetBody): deeds.Deed {
    const isThere = (type: string): boolean => buildings.some((building) => building.type === type);
    const isLacking = !isThere('shipyard') && this.#draws.oneIn(2);
    const { type } = isLacking ? { type: 'shipyard' } : this.#draws.pick(this.rules.buildings);
    return isThere(type) ? deeds.upgrade(id, type) : deeds.construct(id, type);
  }

  /** More of what is being built, because anything else would be refused. */
  shipyard(planet: PlanetBody): deeds.Deed {
    const shipType = planet.shipyardQueue[0]?.shipType ?? this.#draws.pick(this.rules.ships).type;
    return deeds.buildShips(planet.id, shipType, this.#draws.between(1, 9));
  }

  research(state: PlayerState): deeds.Deed {
    return deeds.startResearch(state.id, this.#draws.pick(this.rules.research).type);
  }

  /** A fleet on a mission that suits its ships, or sometimes on any mission; an order of ships if there are none. */
  fleet(state: PlayerState, planet: PlanetBody, foreignIds: readonly string[]): deeds.Deed {
    const from = state.planets.find(({ planetShips }) => planetShips.length > 0) ?? planet;
    if (from.planetShips.length === 0) return this.shipyard(planet);
    const { shipType, count } = this.#draws.pick(from.planetShips);
    const carriers = from.planetShips.find((ships) => ships.shipType === 'transport')?.count ?? 0;
    const ships = [{ type: shipType, count: this.#draws.between(1, count) }];
    // Fighters can only leave in the hangars of transports.
    if (shipType === 'fighter' && carriers === 0) return deeds.buildShips(from.id, 'transport', 2);
    if (shipType === 'fighter') ships.push({ type: 'transport', count: carriers });
    const mission = this.#draws.pick(this.#draws.oneIn(5) ? MISSIONS : (SUITABLE_MISSIONS[shipType] ?? MISSIONS));
    return deeds.launch({
      by: state.id,
      from: from.id,
      to: this.#target(mission, state, from, foreignIds),
      ships,
      mission,
      iron: shipType === 'scout' ? 0 : this.#draws.below(50),
    });
  }

  /** Recalls a fleet, sends one of another player home, or cancels an upgrade or an order; null if there is nothing to cancel. */
  changeOfMind({ id, planets, fleets }: PlayerState): deeds.Deed | null {
    const away = fleets.filter(({ state }) => state !== 'returning');
    const kinds = [
      away.map((fleet) => deeds.recall(id, fleet.id)),
      planets.flatMap(({ supporters = [] }) => supporters.map(({ fleetId }) => deeds.dismiss(id, fleetId))),
      planets.flatMap((planet) => queueIdsOf(planet).map((queueId) => deeds.cancelUpgrade(planet.id, queueId))),
      planets.flatMap(({ id: planetId, shipyardQueue }) =>
        shipyardQueue.slice(0, 1).map(({ shipType }) => deeds.cancelShips(planetId, shipType)),
      ),
    ].filter((kind) => kind.length > 0);
    return kinds.length > 0 ? this.#draws.pick(this.#draws.pick(kinds)) : null;
  }

  /** Another planet: the second starter, or some slot of the same system, free or not. */
  settle(state: PlayerState, planet: PlanetBody): deeds.Deed {
    if (this.#draws.oneIn(3)) return deeds.secondStarter(state.id);
    return deeds.colonize(state.id, this.#neighbour(planet));
  }

  #target(mission: MissionName, state: PlayerState, planet: PlanetBody, foreignIds: readonly string[]): string {
    if (mission === 'colonize') return this.#neighbour(planet);
    return mission === 'deploy' ? this.#draws.pick(state.planets).id : this.#draws.pick(foreignIds);
  }

  /** Some slot of the same system; not every slot has a planet. */
  #neighbour({ system }: PlanetBody): string {
    return `planet-${system.galaxyIndex}-${system.index}-${this.#draws.between(1, 30)}`;
  }
}

const SUITABLE_MISSIONS: Readonly<Partial<Record<string, readonly MissionName[]>>> = {
  scout: ['espionage'],
  fighter: ['attack'],
  transport: ['transport', 'deploy'],
  colony_ship: ['colonize'],
};

/** The missions that bots choose; they do not harvest. */
export const CHOSEN_MISSIONS: readonly MissionName[] = Object.values(SUITABLE_MISSIONS).flatMap(
  (missions) => missions ?? [],
);

/** The queue entries that a planet shows. */
export function queueIdsOf({ buildings }: PlanetBody): string[] {
  return buildings.flatMap(({ constructionQueue }) => constructionQueue.map(({ queueId }) => queueId));
}
