// Renders the short replies to commands, for `Prefer: return=minimal` (schemas/minimal.ts). Whoever asks for them sends many
// commands, so they are written by hand like planets; a test checks them against their schemas.
import { hourlyThousandths, stockThousandthsAt } from '../../engine/planets/stocks.js';
import { RESOURCES } from '../../engine/rules/resources.js';
import { planetId } from '../../engine/terms/ids.js';
import type {
  ReadonlyFleet,
  ReadonlyOffer,
  ReadonlyPlanet,
  ReadonlyPlayer,
  ReadonlyWorld,
} from '../../engine/world/state.js';
import { fragment, type TextWriter } from './text-writer.js';

/** Each method returns a whole reply, in bytes that are never overwritten. */
export class MinimalView {
  readonly #world: ReadonlyWorld;
  readonly #writer: TextWriter;

  constructor(world: ReadonlyWorld, writer: TextWriter) {
    this.#world = world;
    this.#writer = writer;
  }

  /** StocksAfter. */
  stocks(planet: ReadonlyPlanet, nowMs: number): Uint8Array {
    this.#writer.begin();
    this.#writer.byte(OPENING_BRACE);
    return this.#endWithStocks(planet, nowMs);
  }

  /** UpgradeStarted. @param planet whose upgrade has just been started */
  upgrade(planet: ReadonlyPlanet, nowMs: number): Uint8Array {
    const writer = this.#writer;
    const { upgrade } = planet;
    if (upgrade === null) throw new Error('the planet has no upgrade');
    writer.begin();
    writer.fragment(QUEUE_ID);
    writer.integer(upgrade.queueNumber);
    writer.fragment(FINISH_AFTER_ID);
    return this.#endWithFinish(upgrade.finishAtMs, planet, nowMs);
  }

  /** FleetLaunched. @param origin planet that the fleet was launched from */
  launch(fleet: ReadonlyFleet, origin: ReadonlyPlanet, nowMs: number): Uint8Array {
    this.#writer.begin();
    this.#writer.fragment(FLEET_ID);
    this.#writer.integer(fleet.number);
    this.#writer.fragment(FINISH_AFTER_ID);
    return this.#endWithFinish(fleet.arrivesAtMs, origin, nowMs);
  }

  /** OfferMade. @param planet that has paid for it */
  offer(offer: ReadonlyOffer, planet: ReadonlyPlanet, nowMs: number): Uint8Array {
    this.#writer.begin();
    this.#writer.fragment(OFFER_ID);
    this.#writer.integer(offer.number);
    this.#writer.fragment(FINISH_AFTER_ID);
    return this.#endWithFinish(offer.untilMs, planet, nowMs);
  }

  /** GoodsSent. @param planet that has paid for them */
  goods(arrivesAtMs: number, planet: ReadonlyPlanet, nowMs: number): Uint8Array {
    this.#writer.begin();
    this.#writer.fragment(FINISH);
    return this.#endWithFinish(arrivesAtMs, planet, nowMs);
  }

  /** ShipsOrdered, ResearchStarted or FleetRecalled. @throws Error if nothing is under way */
  finish(finishAtMs: number | null | undefined): Uint8Array {
    if (finishAtMs === null || finishAtMs === undefined) throw new Error('the command has started nothing');
    const writer = this.#writer;
    writer.begin();
    writer.fragment(FINISH);
    writer.instant(finishAtMs);
    writer.byte(CLOSING_BRACE);
    return writer.take();
  }

  /** PlanetTaken. */
  planet(planet: ReadonlyPlanet, nowMs: number): Uint8Array {
    const writer = this.#writer;
    writer.begin();
    writer.fragment(PLANET_ID);
    writer.quoted(planetId(this.#world.universe, planet.key));
    writer.byte(COMMA);
    return this.#endWithStocks(planet, nowMs);
  }

  /** MessageSent. */
  message(number: number): Uint8Array {
    const writer = this.#writer;
    writer.begin();
    writer.fragment(MESSAGE_ID);
    writer.integer(number);
    writer.fragment(QUOTED_END);
    return writer.take();
  }

  /** PlayerCreated. @param apiKey null for none */
  player(player: ReadonlyPlayer, apiKey: string | null): Uint8Array {
    const writer = this.#writer;
    writer.begin();
    writer.fragment(PLAYER_ID);
    writer.integer(this.#world.lineages.idNumberOf(player.number));
    writer.fragment(PLANET_IDS);
    for (const { key } of player.planets) {
      writer.quoted(planetId(this.#world.universe, key));
      writer.byte(COMMA);
    }
    writer.dropComma();
    if (apiKey === null) writer.fragment(LIST_END);
    else {
      writer.fragment(API_KEY);
      writer.quoted(apiKey);
    }
    writer.byte(CLOSING_BRACE);
    return writer.take();
  }

  #endWithFinish(finishAtMs: number, planet: ReadonlyPlanet, nowMs: number): Uint8Array {
    this.#writer.instant(finishAtMs);
    this.#writer.byte(COMMA);
    return this.#endWithStocks(planet, nowMs);
  }

  #endWithStocks(planet: ReadonlyPlanet, nowMs: number): Uint8Array {
    const writer = this.#writer;
    for (let resource = 0; resource < RESOURCES.length; resource += 1) {
      writer.fragment(STOCKS[resource] as Uint8Array);
      const hourly = hourlyThousandths(this.#world, planet, resource);
      writer.integer(Math.floor(stockThousandthsAt(this.#world, planet, resource, hourly, nowMs) / 1000));
    }
    writer.fragment(END);
    return writer.take();
  }
}

/** The text before each of the five stocks. */
const STOCKS: readonly Uint8Array[] = RESOURCES.map((name, resource) =>
  fragment(resource === 0 ? `"resources":{"${name}":` : `,"${name}":`),
);
const END = fragment('}}');
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;
const COMMA = 44;
const FINISH = fragment('{"finishAt":');
const FINISH_AFTER_ID = fragment('","finishAt":');
const QUEUE_ID = fragment('{"queueId":"queue-');
const OFFER_ID = fragment('{"offerId":"offer-');
const FLEET_ID = fragment('{"fleetId":"fleet-');
const PLANET_ID = fragment('{"planetId":');
const PLAYER_ID = fragment('{"playerId":"player-');
const PLANET_IDS = fragment('","planetIds":[');
const LIST_END = fragment(']');
const MESSAGE_ID = fragment('{"messageId":"message-');
const QUOTED_END = fragment('"}');
const API_KEY = fragment('],"apiKey":');
