// A viewer of the map as docs/events.md describes it: it fetches both documents, then applies frames. What it knows can be compared with
// documents of the present.
import type { Static } from 'typebox';
import { SERVER_FRAMES } from '../../../http/schemas/frames.js';
import type { MapFleets, MapOverview } from '../../../http/schemas/map.js';
import { Compile } from '../../../persistence/typebox.js';
import type { ReadEvent } from './event-client.js';
import type { Frame, FrameClient } from './frame-client.js';
import type { GameClient } from './game-client.js';

export type MapFrameBody = Omit<Static<typeof SERVER_FRAMES.frame.schema>, 'events'> & {
  readonly events: readonly ReadEvent[];
};
type Rows = readonly (readonly number[])[];
/** What a viewer needs of a frame. */
type MapChanges = Readonly<
  Record<'legs' | 'owners' | 'pacts' | 'goods', Rows> & Record<'gone' | 'retired' | 'pactsGone', readonly number[]>
> &
  Pick<MapFrameBody, 'since' | 'seq' | 'worldTime'>;
type Overview = Static<typeof MapOverview>;
type Fleets = Static<typeof MapFleets>;

const frames = Compile(SERVER_FRAMES.frame.schema);

export class MapModel {
  /** Number of the owner, and planets with an owner, of each cell of a galaxy. */
  readonly cells = new Map<string, readonly [number, number]>();
  /** Indexed by number. */
  readonly legs = new Map<number, readonly number[]>();
  readonly pacts = new Map<number, readonly number[]>();
  /** Also those that have arrived. */
  readonly #goods = new Map<number, readonly number[]>();
  #worldTime = '';
  /** Seq up to which it has everything; 0 for an empty world. */
  position = 0;

  /** The present, as both documents show it. @param client with the key of a spectator or the operator, if players have keys */
  static async of(client: GameClient): Promise<MapModel> {
    const map = await client.read<Overview>('/api/map');
    const fleets = await client.read<Fleets>('/api/map/fleets');
    const model = new MapModel();
    model.position = Math.min(map.feedSeq, fleets.feedSeq);
    for (const { index, owners, owned } of map.galaxies)
      for (const [cell, owner] of owners.entries()) model.#own(index, cell, owner, owned[cell] ?? 0);
    for (const leg of fleets.legs) model.legs.set(leg[0] as number, leg);
    model.#tie(fleets);
    return model;
  }

  /** Applies the next frame. @throws Error if it is not as its schema says, or does not continue from the position */
  async next(socket: FrameClient): Promise<MapFrameBody> {
    const frame = checkedFrame(await socket.take(({ op }) => op === 'frame'));
    this.apply(frame);
    return frame;
  }

  /** @throws Error if it does not continue from the position */
  apply(frame: MapChanges): void {
    if (frame.since > this.position || frame.seq <= this.position)
      throw new Error(`a frame from ${frame.since} to ${frame.seq} at ${this.position}`);
    this.position = frame.seq;
    for (const leg of frame.legs) this.legs.set(leg[0] as number, leg);
    for (const number of frame.gone) this.legs.delete(number);
    for (const player of frame.retired)
      for (const [number, leg] of this.legs) if (leg[1] === player) this.legs.delete(number);
    this.#tie(frame);
    for (const number of frame.pactsGone) this.pacts.delete(number);
    for (const player of frame.retired)
      for (const [number, row] of this.#goods) if (row[2] === player) this.#goods.delete(number);
    for (const [galaxy = 0, cell = 0, owner = 0, owned = 0] of frame.owners) this.#own(galaxy, cell, owner, owned);
  }

  /** Everything, for a comparison. */
  get picture() {
    const byNumber = (one: readonly number[], other: readonly number[]) => (one[0] ?? 0) - (other[0] ?? 0);
    const sorted = (rows: ReadonlyMap<number, readonly number[]>) => [...rows.values()].sort(byNumber);
    return {
      cells: [...this.cells].sort(),
      legs: sorted(this.legs),
      pacts: sorted(this.pacts),
      goods: sorted(this.goods),
    };
  }

  /** Goods on their way, by number. */
  get goods(): ReadonlyMap<number, readonly number[]> {
    return new Map([...this.#goods].filter(([, row]) => (row.at(-1) ?? 0) > Date.parse(this.#worldTime)));
  }

  #tie({ pacts, goods, worldTime }: Pick<MapChanges, 'pacts' | 'goods' | 'worldTime'>): void {
    for (const pact of pacts) this.pacts.set(pact[0] as number, pact);
    for (const row of goods) this.#goods.set(row[0] as number, row);
    this.#worldTime = worldTime;
  }

  #own(galaxy: number, cell: number, owner: number, owned: number): void {
    if (owned === 0) this.cells.delete(`${galaxy},${cell}`);
    else this.cells.set(`${galaxy},${cell}`, [owner, owned]);
  }
}

/** @throws Error if it is not as its schema says */
function checkedFrame(frame: Frame): MapFrameBody {
  if (!frames.Check(frame)) throw new Error(`not as its schema says: ${JSON.stringify(frame)}`);
  return frame as unknown as MapFrameBody;
}
