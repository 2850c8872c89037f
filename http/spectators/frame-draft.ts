// What has changed on the map between two seqs of the public events, gathered from these events. Fleets and cells are rendered at the
// end, as they are then: a viewer needs the present, not each step towards it.
import type { KeptEvent } from '../../engine/events/event-log.js';
import type { WorldEvent } from '../../engine/events/kinds.js';
import type { PlanetKey } from '../../engine/map/universe.js';
import { goodsId } from '../../engine/world/market-tables.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import type { EventView } from '../events/event-view.js';
import {
  MAP_BATTLES_PER_FRAME_MAX,
  MAP_CELLS_PER_FRAME_MAX,
  MAP_EVENTS_PER_FRAME_MAX,
  MAP_LEGS_PER_FRAME_MAX,
  MAP_RETIRED_PER_FRAME_MAX,
  MAP_TIES_PER_FRAME_MAX,
} from '../limits.js';
import { flat } from '../views/text-writer.js';
import { inFlight, legText } from './fleet-document.js';
import type { OwnedCells } from './owned-cells.js';
import { goodsText, pactText, placeText } from './tie-texts.js';

type Battle = Extract<WorldEvent, { readonly kind: 'battle' }>;

/** A frame for the viewers whose position is between `since` and `seq`. What they have already, it repeats. */
export interface MapFrame {
  /** It has all changes after this seq. */
  readonly since: number;
  /** Seq of the last event in it. */
  readonly seq: number;
  readonly text: string;
}

export interface FrameParts {
  readonly world: ReadonlyWorld;
  readonly cells: OwnedCells;
  readonly events: EventView;
}

export class FrameDraft {
  /** Seq of the last event in it. */
  seq: number;
  #stride: number;
  readonly #fleets = new Set<number>();
  readonly #cells = new Set<number>();
  readonly #retired: number[] = [];
  readonly #battles: Battle[] = [];
  readonly #pacts = new Set<number>();
  /** Offers that were taken. */
  readonly #offers = new Set<number>();
  /** The first events of the kinds that are shown rather than others, and the latest of the others. */
  readonly #notable: KeptEvent[] = [];
  readonly #others: KeptEvent[] = [];

  /** @param stride that is in force; too many changed fleets raise it */
  constructor(
    private readonly parts: FrameParts,
    readonly since: number,
    stride: number,
  ) {
    this.seq = since;
    this.#stride = stride;
  }

  get stride(): number {
    return this.#stride;
  }

  get isEmpty(): boolean {
    return this.seq === this.since;
  }

  /** True if so much has changed that viewers must fetch the map anew. */
  get isTooLarge(): boolean {
    return (
      this.#cells.size > MAP_CELLS_PER_FRAME_MAX ||
      this.#retired.length > MAP_RETIRED_PER_FRAME_MAX ||
      this.#pacts.size + 2 * this.#offers.size > MAP_TIES_PER_FRAME_MAX
    );
  }

  /** An estimate of how many fleets have changed. It does not depend on the stride. */
  get changedCount(): number {
    return this.#fleets.size * this.#stride;
  }

  /** Adds events, each the successor of the one before. */
  add(events: readonly KeptEvent[]): void {
    for (const kept of events) {
      this.seq = kept.seq;
      this.#change(kept.event);
      this.#list(kept);
    }
  }

  raiseTo(stride: number): void {
    if (stride <= this.#stride) return;
    this.#stride = stride;
    for (const number of this.#fleets) if (number % stride !== 0) this.#fleets.delete(number);
  }

  /** @param worldTime ISO 8601 */
  frame(worldTime: string): MapFrame {
    const { since, seq } = this;
    const { world } = this.parts;
    const legs: string[] = [];
    const gone: number[] = [];
    for (const number of this.#fleets) {
      const fleet = world.fleets.get(number);
      if (fleet === undefined || fleet.isStationed) gone.push(number);
      else legs.push(legText(world, fleet));
    }
    const text =
      `{"op":"frame","topic":"map","since":${since},"seq":${seq},"worldTime":"${worldTime}","stride":${this.#stride},` +
      `"total":${inFlight(world.fleets)},"legs":[${legs.join(',')}],"gone":[${gone.join(',')}],` +
      `"retired":[${this.#retired.join(',')}],"battles":[${this.#battleTexts().join(',')}],` +
      `"owners":[${this.#cellTexts().join(',')}],${this.#tieTexts()},"eventCount":${seq - since},"events":[${this.#eventTexts().join(',')}]}`;
    return { since, seq, text: flat(text) };
  }

  #change(event: WorldEvent): void {
    switch (event.kind) {
      case 'fleet_launched':
      case 'fleet_arrived':
      case 'fleet_recalled':
      case 'fleet_returned':
      case 'fleet_destroyed':
      case 'colonization_failed':
      case 'attack_turned_away':
        this.#addFleet(event.fleetNumber);
        break;
      case 'battle':
        if (this.#battles.length < MAP_BATTLES_PER_FRAME_MAX) this.#battles.push(event);
        break;
      case 'pact':
        this.#pacts.add(event.pactNumber);
        break;
      case 'trade_agreed':
        this.#offers.add(event.offerNumber);
        break;
      case 'planet_colonized':
      case 'player_joined':
        this.#addPlanet(event.planetKey);
        break;
      case 'player_retired':
        this.#retired.push(this.parts.world.lineages.idNumberOf(event.playerNumber));
        for (const key of event.planetKeys) this.#addPlanet(key);
        break;
      default:
    }
  }

  #addPlanet(key: PlanetKey): void {
    // One more shows that they are too many.
    if (this.#cells.size <= MAP_CELLS_PER_FRAME_MAX) this.#cells.add(this.parts.cells.cellOf(key));
  }

  #addFleet(number: number): void {
    if (number % this.#stride !== 0) return;
    this.#fleets.add(number);
    while (this.#fleets.size > MAP_LEGS_PER_FRAME_MAX) this.raiseTo(this.#stride * 2);
  }

  #list(kept: KeptEvent): void {
    if (NOTABLE.has(kept.event.kind)) {
      if (this.#notable.length < MAP_EVENTS_PER_FRAME_MAX) this.#notable.push(kept);
      return;
    }
    this.#others.push(kept);
    if (this.#others.length > MAP_EVENTS_PER_FRAME_MAX) this.#others.shift();
  }

  #battleTexts(): string[] {
    const { universe, lineages } = this.parts.world;
    return this.#battles.map(
      ({ planetKey, playerNumber, defenderNumber, attackerLostCount, defenderLostCount }) =>
        `[${placeText(universe, planetKey)},${lineages.idNumberOf(playerNumber)},${lineages.idNumberOf(defenderNumber)},${attackerLostCount},${defenderLostCount}]`,
    );
  }

  #cellTexts(): string[] {
    const { cells, world } = this.parts;
    return [...this.#cells].map((cell) => {
      const { owner, owned } = cells.cell(cell);
      const galaxy = Math.floor(cell / cells.cellsPerGalaxy);
      return `[${galaxy + 1},${cell - galaxy * cells.cellsPerGalaxy},${world.lineages.idNumberOf(owner)},${owned}]`;
    });
  }

  /** Goods that have arrived meanwhile are in no row: viewers know when they arrive. */
  #tieTexts(): string {
    const { world } = this.parts;
    const pacts: string[] = [];
    const gone: number[] = [];
    for (const number of this.#pacts) {
      const pact = world.pacts.get(number);
      if (pact === undefined) gone.push(number);
      else pacts.push(pactText(world, pact));
    }
    const goods = [...this.#offers].flatMap((offerNumber) =>
      [false, true].flatMap((isForMaker) => {
        const found = world.goods.get(goodsId({ offerNumber, isForMaker }));
        return found === undefined ? [] : [goodsText(world, found)];
      }),
    );
    return `"pacts":[${pacts.join(',')}],"pactsGone":[${gone.join(',')}],"goods":[${goods.join(',')}]`;
  }

  #eventTexts(): string[] {
    const room = MAP_EVENTS_PER_FRAME_MAX - this.#notable.length;
    const shown = [...this.#notable, ...(room > 0 ? this.#others.slice(-room) : [])];
    shown.sort((one, other) => one.seq - other.seq);
    return shown.map(({ seq, event }) => this.parts.events.text(seq, event));
  }
}

const NOTABLE: ReadonlySet<WorldEvent['kind']> = new Set([
  'battle',
  'planet_colonized',
  'player_joined',
  'player_retired',
  'pact',
  'clock_paused',
  'clock_resumed',
  'speed_changed',
  'player_renamed',
  'announcement',
]);
