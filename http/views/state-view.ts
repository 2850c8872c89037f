// Renders a player's whole state as bytes: the read that agents repeat all day. A rendered state is cached. As long as
// nothing changes except that time passes, only those of the five numbers of each planet that have changed are
// rewritten.

import { battlePoints } from '../../engine/planets/points.js';
import { hourlyThousandths, shockedThousandths, stockThousandthsAt } from '../../engine/planets/stocks.js';
import { nextTimerOf } from '../../engine/queries/players.js';
import { RESOURCES } from '../../engine/rules/resources.js';
import type { ReadonlyPlanet, ReadonlyPlayer, ReadonlyWorld } from '../../engine/world/state.js';
import type { Lender } from '../exchange/exchange.js';
import { isoText } from '../exchange/iso-time.js';
import { STATE_CACHE_BYTES_MAX } from '../limits.js';
import { fleetBody } from './fleet-view.js';
import { GenerationCache } from './generation-cache.js';
import { type PlanetView, STOCK_LABELS, versionOf } from './planet-view.js';
import { researchBodies } from './player-view.js';
import { flat, fragment, type TextWriter } from './text-writer.js';

/** Seq of the last event of a player that its state may show. */
export type LastEventSeq = (playerNumber: number) => number;

/** Of the numbers that change as time passes, by planet and resource. */
interface NumberPlaces {
  /** Where the digits of the number begin in the text... */
  readonly starts: number[];
  /** ...and end. */
  readonly ends: number[];
  /** The last instant at which the number in the text is certain to be current. */
  readonly validUntilMs: number[];
}

interface RenderedState extends NumberPlaces {
  readonly changedSeq: number;
  readonly lastEventSeq: number;
  readonly tag: string;
  readonly bytes: Uint8Array;
}

/** The weight of a cached state besides its bytes: the objects around them, and the list entries of each number. */
const OVERHEAD_BYTES = 256;
const NUMBER_OVERHEAD_BYTES = 24;

export class StateView implements Lender {
  readonly #world: ReadonlyWorld;
  readonly #planets: PlanetView;
  readonly #writer: TextWriter;
  readonly #tagOf: (version: string) => string;
  readonly #lastEventSeq: LastEventSeq;
  /** Number of the player whose state was rendered last. */
  #latest = 0;
  readonly #rendered = new GenerationCache<number, RenderedState>(
    STATE_CACHE_BYTES_MAX,
    ({ bytes, starts }) => bytes.length + NUMBER_OVERHEAD_BYTES * starts.length + OVERHEAD_BYTES,
  );

  constructor(
    world: ReadonlyWorld,
    planets: PlanetView,
    writer: TextWriter,
    tagOf: (version: string) => string,
    lastEventSeq: LastEventSeq,
  ) {
    this.#world = world;
    this.#planets = planets;
    this.#writer = writer;
    this.#tagOf = tagOf;
    this.#lastEventSeq = lastEventSeq;
  }

  /**
   * A player with planets, fleets and research at an instant.
   *
   * @returns JSON text in UTF-8, valid until the next call
   */
  bytes(player: ReadonlyPlayer, nowMs: number): Uint8Array {
    this.#latest = player.number;
    const kept = this.#keptOf(player);
    if (kept !== null && this.#rewrite(kept, player, nowMs)) return kept.bytes;
    const fresh = this.#render(player, nowMs);
    this.#rendered.set(player.number, fresh);
    return fresh.bytes;
  }

  giveAway(): void {
    this.#rendered.delete(this.#latest);
  }

  /**
   * The state of a player who has just been created. It is not cached, since few are read again soon, and swarms create many.
   *
   * @param apiKey of the player, shown with it; null for none
   * @returns JSON text in UTF-8 that is never overwritten
   */
  created(player: ReadonlyPlayer, nowMs: number, apiKey: string | null): Uint8Array {
    const writer = this.#writer;
    this.#write(player, nowMs, this.#lastEventSeq(player.number), null);
    if (apiKey !== null) {
      writer.fragment(API_KEY);
      writer.quoted(apiKey);
    }
    writer.fragment(END);
    return writer.take();
  }

  /** The entity tag of a player's state and planets; cached with the bytes. */
  tag(player: ReadonlyPlayer): string {
    return this.#keptOf(player)?.tag ?? this.#tagOf(stateVersion(player, this.#lastEventSeq(player.number)));
  }

  /** With relaxed durability the last event can become durable after the state that includes it was shown. */
  #keptOf({ number, changedSeq }: ReadonlyPlayer): RenderedState | null {
    const kept = this.#rendered.get(number);
    const isCurrent = kept?.changedSeq === changedSeq && kept.lastEventSeq === this.#lastEventSeq(number);
    return isCurrent ? (kept as RenderedState) : null;
  }

  /** Overwrites the numbers with the current ones. @returns false if the number of digits of one has changed */
  #rewrite({ bytes, starts, ends, validUntilMs }: RenderedState, player: ReadonlyPlayer, nowMs: number): boolean {
    for (let place = 0; place < starts.length; place += 1) {
      if (nowMs <= (validUntilMs[place] as number)) continue;
      const resource = place % RESOURCES.length;
      const planet = player.planets[(place - resource) / RESOURCES.length] as ReadonlyPlanet;
      const hourly = hourlyThousandths(this.#world, planet, resource);
      const thousandths = stockThousandthsAt(this.#world, planet, resource, hourly, nowMs);
      const units = Math.floor(thousandths / 1000);
      if (!writeDigits(bytes, starts[place] as number, ends[place] as number, units)) return false;
      const present = shockedThousandths(this.#world, planet, resource, hourly, nowMs);
      validUntilMs[place] = unitsStandUntilMs(present, thousandths, nowMs);
    }
    return true;
  }

  #render(player: ReadonlyPlayer, nowMs: number): RenderedState {
    const places: NumberPlaces = { starts: [], ends: [], validUntilMs: [] };
    const lastEventSeq = this.#lastEventSeq(player.number);
    this.#write(player, nowMs, lastEventSeq, places);
    this.#writer.fragment(END);
    // A copy: a view would keep the whole slab of the writer in memory.
    const bytes = new Uint8Array(this.#writer.take());
    const tag = flat(this.#tagOf(stateVersion(player, lastEventSeq)));
    return { changedSeq: player.changedSeq, lastEventSeq, tag, bytes, ...places };
  }

  /** Begins the text of a state; only the closing brace is missing. @param places gets those of the numbers; null if nobody needs them */
  #write(player: ReadonlyPlayer, nowMs: number, lastEventSeq: number, places: NumberPlaces | null): void {
    const writer = this.#writer;
    writer.begin();
    writer.fragment(PLAYER);
    writer.integer(this.#world.lineages.idNumberOf(player.number));
    writer.fragment(NAME);
    writer.quoted(player.name);
    writer.fragment(player.isBot ? IS_BOT : IS_HUMAN);
    for (const planet of player.planets) {
      this.#planets.writeHead(planet.key);
      const outputs: number[] = [];
      for (let resource = 0; resource < STOCK_LABELS.length; resource += 1) {
        writer.fragment(STOCK_LABELS[resource] as Uint8Array);
        const hourly = hourlyThousandths(this.#world, planet, resource);
        const present = shockedThousandths(this.#world, planet, resource, hourly, nowMs);
        outputs.push(present);
        const thousandths = stockThousandthsAt(this.#world, planet, resource, hourly, nowMs);
        const start = writer.length;
        writer.integer(Math.floor(thousandths / 1000));
        if (places === null) continue;
        places.starts.push(start);
        places.ends.push(writer.length);
        places.validUntilMs.push(unitsStandUntilMs(present, thousandths, nowMs));
      }
      this.#planets.writeTail(planet, outputs);
      writer.fragment(COMMA);
    }
    writer.dropComma();
    writer.fragment(FLEETS);
    this.#writeList(player.fleets.map((fleet) => fleetBody(this.#world, fleet)));
    writer.fragment(RESEARCH);
    this.#writeList(researchBodies(this.#world, player));
    writer.fragment(NEXT_TIMER);
    writer.instantOrNull(nextTimerOf(this.#world, player));
    this.#writeParts(player);
    const { suspendedAtMs } = player;
    if (suspendedAtMs !== null) writer.fragment(fragment(`,"suspendedAt":"${isoText(suspendedAtMs)}"`));
    writer.fragment(LAST_EVENT_SEQ);
    writer.integer(lastEventSeq);
  }

  /** What only some rules have. None of it changes by the passing of time, which would leave the cached state as it is. */
  #writeParts(player: ReadonlyPlayer): void {
    const writer = this.#writer;
    const { rules } = this.#world;
    const { colonies, war, set } = rules;
    if (colonies !== null) {
      writer.fragment(PLANETS_MAX);
      writer.integer(rules.planetsMaxOf(player));
    }
    if (war !== null) {
      const { protectedUntilMs } = player;
      writer.fragment(PROTECTED_UNTIL);
      writer.instantOrNull(protectedUntilMs === 0 ? null : protectedUntilMs);
    }
    if (set.points !== undefined) {
      writer.fragment(BATTLE_POINTS);
      writer.integer(battlePoints(rules, player));
    }
  }

  /** Most lists are empty, those of a new player always. */
  #writeList(bodies: readonly object[]): void {
    this.#writer.fragment(bodies.length === 0 ? NO_ENTRIES : Buffer.from(JSON.stringify(bodies)));
  }
}

/**
 * The last instant up to which a stock is certain to show the same whole units. The next unit needs 1000 - t % 1000
 * more thousandths, and less than one of them may already be produced, since stocks are rounded down.
 */
function unitsStandUntilMs(hourly: number, thousandths: number, nowMs: number): number {
  if (hourly === 0) return Number.POSITIVE_INFINITY;
  return nowMs + Math.floor(((999 - (thousandths % 1000)) * HOUR_MS) / hourly);
}

function stateVersion({ changedSeq }: ReadonlyPlayer, lastEventSeq: number): string {
  return `${versionOf(changedSeq)}-${versionOf(lastEventSeq)}`;
}

const HOUR_MS = 3_600_000;
const PLAYER = fragment('{"id":"player-');
const NAME = fragment('","name":');
const IS_BOT = fragment(',"isBot":true,"planets":[');
const IS_HUMAN = fragment(',"isBot":false,"planets":[');
const COMMA = fragment(',');
const API_KEY = fragment(',"apiKey":');
const FLEETS = fragment('],"fleets":');
const RESEARCH = fragment(',"research":');
const NO_ENTRIES = fragment('[]');
const NEXT_TIMER = fragment(',"nextTimerAt":');
const PLANETS_MAX = fragment(',"planetsMax":');
const PROTECTED_UNTIL = fragment(',"protectedUntil":');
const BATTLE_POINTS = fragment(',"battlePoints":');
const LAST_EVENT_SEQ = fragment(',"lastEventSeq":');
const END = fragment('}');
const ZERO_DIGIT = 48;
const SMALL_INTEGER_END = 2 ** 31;

/** Writes a non-negative integer right-aligned. @returns false if it does not fill the place exactly */
function writeDigits(bytes: Uint8Array, start: number, end: number, units: number): boolean {
  let position = end;
  let rest = units;
  while (rest >= SMALL_INTEGER_END) {
    const tenth = Math.floor(rest / 10);
    position -= 1;
    if (position < start) return false;
    bytes[position] = ZERO_DIGIT + (rest - tenth * 10);
    rest = tenth;
  }
  do {
    const tenth = (rest / 10) | 0;
    position -= 1;
    if (position < start) return false;
    bytes[position] = ZERO_DIGIT + (rest - tenth * 10);
    rest = tenth;
  } while (rest > 0);
  return position === start;
}
