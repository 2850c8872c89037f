// The map of the world as one model: the two documents, kept up to date by the frames of topic `map`. Fleets are plain objects in
// a table that changes in place, because there are thousands; views follow them with onFrame() or the signal `fleetsVersion`.
import { computed, signal } from '@preact/signals';
import type { GameEvent, MapBattle, MapCell, MapFrame } from 'galaxyd-client';
import { RECENT_EVENTS_MAX, TIES_MAX } from '../limits.js';
import type { Failure, Shapes } from './api.js';
import { noteWorldTime } from './world-clock.js';

export interface Place {
  readonly galaxy: number;
  readonly system: number;
  readonly slot: number;
}

/** One way of a fleet. Its position is linear in world time. */
export interface Leg {
  readonly fleet: number;
  /** Number of the player. */
  readonly owner: number;
  /** Position in `missions`. */
  readonly mission: number;
  readonly isReturning: boolean;
  readonly from: Place;
  readonly to: Place;
  /** World time in ms since 1970. */
  readonly departsAtMs: number;
  readonly arrivesAtMs: number;
}

/** What ties two players together on the map. The number is unique among pacts, and among goods. */
interface Tie {
  readonly number: number;
  readonly from: Place;
  readonly to: Place;
}

/** A pact in force. It reaches from the first planet of one party to that of the other. */
export interface Pact extends Tie {
  /** Position in `pactKinds`. */
  readonly kind: number;
  readonly proposer: number;
  readonly partner: number;
  /** World time in ms since 1970. */
  readonly endsAtMs: number;
}

/** Goods on their way to a player who has traded for them. */
export interface Goods extends Tie {
  readonly sender: number;
  readonly receiver: number;
  /** World time in ms since 1970. */
  readonly arrivesAtMs: number;
}

export interface Battle extends Place {
  readonly attacker: number;
  readonly defender: number;
  /** Ships. */
  readonly attackerLost: number;
  readonly defenderLost: number;
}

/** The owned planets of a galaxy, in cells of `systemsPerCell` systems. The arrays change in place. */
export interface GalaxyCells {
  readonly index: number;
  readonly planets: number;
  /** Distinct owners when the map was read; frames do not change it. */
  readonly players: number;
  /** Number of the player with most planets in each cell; 0 for nobody. */
  readonly owners: number[];
  /** Owned planets in each cell. */
  readonly owned: number[];
}

/** What a frame, or a new pair of documents, has changed. */
export interface MapChange {
  /** Whether everything was read again, so that earlier state no longer counts. */
  readonly isReset: boolean;
  readonly legs: readonly Leg[];
  readonly gone: readonly number[];
  readonly battles: readonly Battle[];
}

/**
 * `loading`; `live`: frames keep the map up to date; `owners`: without fleets, since they need another key; `stale`: the
 * connection is lost; `error`: there is no map.
 */
type MapState = 'loading' | 'live' | 'owners' | 'stale' | 'error';

export const mapState = signal<MapState>('loading');
export const mapFailure = signal<Failure | null>(null);
export const systemsPerGalaxy = signal(0);
export const systemsPerCell = signal(1);
/** Owned galaxies by index. A new map with each change. */
export const galaxies = signal<ReadonlyMap<number, GalaxyCells>>(new Map());
/** The indexes of owned galaxies as text, which changes only if one is added or goes. */
export const settledGalaxies = computed(() => Array.from(galaxies.value.keys()).join());
/** Names of the missions; a leg has a position in it. */
export const missions = signal<readonly string[]>([]);
/** Fleets in flight; `fleets` holds only those whose number is divisible by `stride`. */
export const fleetTotal = signal(0);
export const stride = signal(1);
/** Changes whenever `fleets` has changed. */
export const fleetsVersion = signal(0);
/** Names of the kinds of pacts. */
export const pactKinds = signal<readonly string[]>([]);
/** Pacts in force, and goods on their way: the oldest first, each at most TIES_MAX. */
export const pacts = signal<readonly Pact[]>([]);
export const goods = signal<readonly Goods[]>([]);
/** Public events, the newest first, as far as the frames bring them. */
export const recentEvents = signal<readonly GameEvent[]>([]);
/** How many public events the server has left out of the frames since the page was opened. */
export const omittedEvents = signal(0);
/** Seq of the last public event whose effects are shown; 0 before the first document. */
let position = 0;

/** The fleets that are shown, by number. Only this file changes it. */
export const fleets: ReadonlyMap<number, Leg> = new Map();
const table = fleets as Map<number, Leg>;

const listeners = new Set<(change: MapChange) => void>();

/** Calls a listener after each change. @returns what ends it */
export function onFrame(listener: (change: MapChange) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Forgets everything: another key may show less. */
export function forgetMap(): void {
  mapState.value = 'loading';
  galaxies.value = new Map();
  recentEvents.value = [];
  omittedEvents.value = 0;
  position = 0;
  takeFleets(null);
}

/**
 * Starts again at a position, because both documents were read. The events in between are left out. Later events come again: a
 * replay may have jumped into the past.
 */
export function moveTo(seq: number): void {
  const before = recentEvents.peek();
  const kept = before.filter((event) => event.seq <= seq);
  const skipped = position === 0 ? 0 : seq - position + (before.length - kept.length);
  omittedEvents.value = Math.max(0, omittedEvents.peek() + skipped);
  if (kept.length < before.length) recentEvents.value = kept;
  position = seq;
}

/** Sets the owners. */
export function takeMap(map: Shapes['MapOverview']): void {
  systemsPerGalaxy.value = map.systemsPerGalaxy;
  systemsPerCell.value = map.systemsPerCell;
  galaxies.value = new Map(map.galaxies.map((galaxy) => [galaxy.index, galaxy]));
}

/** Replaces all fleets, pacts and goods; null for none. */
export function takeFleets(document: Shapes['MapFleets'] | null): void {
  table.clear();
  for (const leg of document?.legs.map(legOf) ?? []) table.set(leg.fleet, leg);
  missions.value = document?.missions ?? missions.peek();
  pactKinds.value = document?.pactKinds ?? pactKinds.peek();
  pacts.value = document?.pacts.map(pactOf) ?? [];
  goods.value = document?.goods.map(goodsOf) ?? [];
  fleetTotal.value = document?.total ?? 0;
  stride.value = document?.stride ?? 1;
  fleetsVersion.value += 1;
  notify({ isReset: true, legs: Array.from(table.values()), gone: [], battles: [] });
}

/** Applies a frame. A frame that is applied twice changes nothing. */
export function takeFrame(frame: MapFrame): void {
  noteWorldTime(Date.parse(frame.worldTime));
  const legs = frame.legs.map(legOf);
  for (const leg of legs) table.set(leg.fleet, leg);
  const gone = Array.from(frame.gone);
  for (const leg of table.values()) if (frame.retired.includes(leg.owner)) gone.push(leg.fleet);
  // Fewer fleets are shown from now on. If there are more, the reader reads all of them again.
  if (frame.stride > stride.peek()) for (const fleet of table.keys()) if (fleet % frame.stride !== 0) gone.push(fleet);
  for (const fleet of gone) table.delete(fleet);
  if (frame.owners.length > 0) takeOwners(frame.owners);
  takeTies(frame);
  fleetTotal.value = frame.total;
  stride.value = frame.stride;
  if (legs.length > 0 || gone.length > 0) fleetsVersion.value += 1;
  takeEvents(frame);
  notify({ isReset: false, legs, gone, battles: frame.battles.map(battleOf) });
}

/** A frame may repeat events that are known already. */
function takeEvents({ seq, events }: MapFrame): void {
  const news = events.filter((event) => event.seq > position);
  const omitted = Math.max(0, seq - position) - news.length;
  if (omitted > 0) omittedEvents.value += omitted;
  position = Math.max(position, seq);
  if (news.length === 0) return;
  const newest = news.toSorted((one, other) => other.seq - one.seq);
  recentEvents.value = [...newest, ...recentEvents.peek()].slice(0, RECENT_EVENTS_MAX);
}

function takeTies({ pacts: changed, pactsGone, goods: sent, retired }: MapFrame): void {
  if (changed.length + pactsGone.length > 0)
    pacts.value = withRows(pacts.peek(), changed.map(pactOf)).filter(({ number }) => !pactsGone.includes(number));
  if (sent.length + retired.length > 0)
    goods.value = withRows(goods.peek(), sent.map(goodsOf)).filter(({ receiver }) => !retired.includes(receiver));
}

/** Replaces or adds some. */
function withRows<Row extends Tie>(known: readonly Row[], news: readonly Row[]): Row[] {
  const rows = new Map([...known, ...news].map((row) => [row.number, row]));
  return Array.from(rows.values()).slice(-TIES_MAX);
}

/** Forgets goods that have arrived: no frame tells of it. */
export function dropArrived(nowMs: number): void {
  const left = goods.peek().filter(({ arrivesAtMs }) => arrivesAtMs > nowMs);
  if (left.length < goods.peek().length) goods.value = left;
}

function takeOwners(changes: readonly MapCell[]): void {
  const next = new Map(galaxies.peek());
  for (const [index, cell, owner, owned] of changes) {
    const before = next.get(index) ?? emptyGalaxy(index);
    before.owners[cell] = owner;
    const planets = before.planets + owned - (before.owned[cell] ?? 0);
    before.owned[cell] = owned;
    next.set(index, { ...before, planets });
  }
  galaxies.value = next;
}

function emptyGalaxy(index: number): GalaxyCells {
  const cells = Math.ceil(systemsPerGalaxy.peek() / systemsPerCell.peek());
  const zeros = (): number[] => Array.from({ length: cells }, () => 0);
  return { index, planets: 0, players: 0, owners: zeros(), owned: zeros() };
}

/** @param row as the description of MapFleets orders it */
function legOf(row: readonly number[]): Leg {
  const [fleet = 0, owner = 0, mission = 0, isReturning = 0, ...rest] = row;
  const [from, to] = [placeOf(rest.slice(0, 3)), placeOf(rest.slice(3, 6))];
  const [departsAtMs = 0, arrivesAtMs = 0] = rest.slice(6);
  return { fleet, owner, mission, isReturning: isReturning === 1, from, to, departsAtMs, arrivesAtMs };
}

/** @param row as the description of MapFleets orders it */
function pactOf(row: readonly number[]): Pact {
  const [number = 0, kind = 0, proposer = 0, partner = 0, ...rest] = row;
  const [from, to] = [placeOf(rest.slice(0, 3)), placeOf(rest.slice(3, 6))];
  return { number, kind, proposer, partner, from, to, endsAtMs: rest[6] ?? 0 };
}

/** @param row as the description of MapFleets orders it */
function goodsOf(row: readonly number[]): Goods {
  const [number = 0, sender = 0, receiver = 0, ...rest] = row;
  const [from, to] = [placeOf(rest.slice(0, 3)), placeOf(rest.slice(3, 6))];
  return { number, sender, receiver, from, to, arrivesAtMs: rest[7] ?? 0 };
}

function battleOf([galaxy, system, slot, attacker, defender, attackerLost, defenderLost]: MapBattle): Battle {
  return { galaxy, system, slot, attacker, defender, attackerLost, defenderLost };
}

function placeOf([galaxy = 0, system = 0, slot = 0]: readonly number[]): Place {
  return { galaxy, system, slot };
}

function notify(change: MapChange): void {
  for (const listener of listeners) listener(change);
}
