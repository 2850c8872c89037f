// Values as people read them: a count, ships and resources, an instant, a planet, a player. Names are text from strangers: they are
// only ever text nodes.
import { type ComponentChildren, createElement, Fragment, type VNode } from 'preact';
import { linkTo } from '../address.js';
import { colourOfPlayer, numberOfPlayer } from '../colours.js';
import { nameOfPlayer } from '../world/names.js';
import { viewerMsOf, worldNowMs } from '../world/world-clock.js';
import {
  formatCount,
  formatDistance,
  formatDuration,
  formatShipsOf,
  formatShort,
  formatViewerTime,
  formatWorldTime,
  placeOfPlanet,
} from './format.js';

/** A template with components among its words. */
export function say(words: TemplateStringsArray, ...values: readonly ComponentChildren[]): VNode {
  return createElement(Fragment, null, ...words.flatMap((word, index) => [word, values[index]]));
}

/** A value that is not known, or does not exist. */
export function Unknown({ text = '–' }: { readonly text?: string }) {
  return <span class="is-unknown">{text}</span>;
}

/** Below this a number in short is not shorter. */
const SHORT_FROM = 100_000;

interface CountProps {
  /** Null is shown as a dash: the number is not known. */
  readonly value: number | null;
  /** `1.235M` instead of `1,234,567`, from a hundred thousand on; the whole number is in the tooltip. */
  readonly isShort?: boolean;
  /** Written after the number. */
  readonly unit?: string;
}

/** A number with separators and digits of equal width. */
export function Count({ value, isShort = false, unit }: CountProps) {
  if (value === null) return <span class="count is-unknown">–</span>;
  const whole = formatCount(value);
  return (
    <span class="count" title={isShort ? whole : undefined}>
      {isShort && value >= SHORT_FROM ? formatShort(value) : whole}
      {unit !== undefined && <span class="unit"> {unit}</span>}
    </span>
  );
}

/** Points, with a bar that compares them with the most that somebody has. */
export function Points({ points, most }: { readonly points: number; readonly most: number }) {
  return (
    <span class="points">
      <span class="points-bar" style={{ width: `${most === 0 ? 0 : (points / most) * 100}%` }} />
      <Count value={points} />
    </span>
  );
}

/** Ships of a type, in either form of the API. */
export type ShipsOfType =
  | { readonly type: string; readonly count: number }
  | { readonly shipType: string; readonly count: number };

/** Types that are named before the rest is only counted. */
const TYPES_SHOWN = 3;

interface ShipsTextProps {
  readonly ships: readonly ShipsOfType[];
  /** Shown if there are none. */
  readonly none?: string;
  /** Names every type. */
  readonly isWhole?: boolean;
}

/** Such as `3 fighters, 1 transport`. */
export function ShipsText({ ships, none = 'no ships', isWhole = false }: ShipsTextProps) {
  const texts = ships.map((some) => formatShipsOf(typeOf(some), some.count));
  if (texts.length === 0) return <Unknown text={none} />;
  const shown = isWhole ? texts : texts.slice(0, TYPES_SHOWN);
  const others = shipsIn(ships.slice(shown.length));
  return (
    <span class="count" title={others > 0 ? texts.join(', ') : undefined}>
      {shown.join(', ')}
      {others > 0 && ` and ${formatCount(others)} more`}
    </span>
  );
}

export function typeOf(ships: ShipsOfType): string {
  return 'type' in ships ? ships.type : ships.shipType;
}

export function shipsIn(ships: readonly { readonly count: number }[]): number {
  return ships.reduce((sum, { count }) => sum + count, 0);
}

/** What a planet produces of each resource, compared with others; nothing if all planets are alike, or the viewer must not know. */
export function RichnessText({ richness }: { readonly richness: Readonly<Record<string, number>> | undefined }) {
  if (richness === undefined) return null;
  const percents = Object.entries(richness).map(([resource, percent]) => `${resource} ${percent} %`);
  return (
    <p class="entry-text">
      <span class="label">Richness</span> {percents.join(', ')}
    </p>
  );
}

interface CargoTextProps {
  readonly amounts: Readonly<Record<string, number>>;
  /** Written before the amounts, if there are any. */
  readonly before?: string;
  /** Written after them. */
  readonly after?: string;
  /** Shown if there are none; nothing by default. */
  readonly none?: string;
}

/** Such as `467 iron, 277 silver`. */
export function CargoText({ amounts, before = '', after = '', none = '' }: CargoTextProps) {
  const texts = Object.entries(amounts).flatMap(([resource, units]) =>
    units > 0 ? [`${formatCount(units)} ${resource}`] : [],
  );
  return texts.length === 0 ? none : say`${before}${<span class="count">{texts.join(', ')}</span>}${after}`;
}

/** World time as the API writes it, or in ms since 1970. */
type Instant = string | number;

function msOf(instant: Instant): number {
  return typeof instant === 'number' ? instant : Date.parse(instant);
}

interface TimeTextProps {
  /** Null is shown as a dash. */
  readonly at: Instant | null;
  /**
   * `both`: world time, and below it the viewer's time; `short`: world time only, the viewer's time in the tooltip;
   * `distance`: how long ago or how soon, both times in the tooltip.
   */
  readonly form?: 'both' | 'short' | 'distance';
}

/** An instant of the world: world time, with the viewer's own time beside it if the world runs with a clock. */
export function TimeText({ at, form = 'short' }: TimeTextProps) {
  if (at === null) return <span class="time is-unknown">–</span>;
  const worldMs = msOf(at);
  const world = formatWorldTime(worldMs);
  const viewerMs = viewerMsOf(worldMs);
  const viewer = viewerMs === null ? null : `${formatViewerTime(viewerMs)} here`;
  const iso = new Date(worldMs).toISOString();
  if (form === 'both')
    return (
      <time class="time" dateTime={iso}>
        {world}
        {viewer !== null && <span class="time-viewer">{viewer}</span>}
      </time>
    );
  const nowMs = worldNowMs.value;
  return (
    <time class="time" dateTime={iso} title={`${world} in the world${viewer === null ? '' : `, ${viewer}`}`}>
      {form === 'distance' && nowMs !== null ? formatDistance(nowMs, worldMs) : world}
    </time>
  );
}

/** Time left until an instant of the world, counting down. */
export function Countdown({ until }: { readonly until: Instant }) {
  const nowMs = worldNowMs.value;
  return <span class="time">{nowMs === null ? '–' : formatDuration(msOf(until) - nowMs)}</span>;
}

interface ProgressProps {
  readonly from: Instant;
  readonly to: Instant;
  /** What is in progress, for screen readers. */
  readonly label: string;
}

/** A bar that fills from one instant of the world to another. */
export function Progress({ from, to, label }: ProgressProps) {
  const [fromMs, toMs] = [msOf(from), msOf(to)];
  const nowMs = worldNowMs.value ?? fromMs;
  const share = toMs <= fromMs ? 1 : Math.min(1, Math.max(0, (nowMs - fromMs) / (toMs - fromMs)));
  return <progress class="progress" max={1} value={share} aria-label={label} />;
}

/** A planet: its coordinates, with a link to it on the map. */
export function PlanetLink({ planetId }: { readonly planetId: string }) {
  const place = placeOfPlanet(planetId);
  if (place === null) return <span>{planetId}</span>;
  return (
    <a class="planet" href={linkTo({ view: 'planet', ...place })} title={planetId}>
      {place.galaxy}:{place.system}:{place.slot}
    </a>
  );
}

/** A name behind a chip in the colour of who has it. */
export function Named({ colour, name }: { readonly colour: string; readonly name: string }) {
  return (
    <>
      <span class="chip" style={{ backgroundColor: colour }} />
      <bdi class="player-name">{name}</bdi>
    </>
  );
}

/** A player by its number, without a link. */
export function NumberedPlayer({ player }: { readonly player: number }) {
  const playerId = `player-${player}`;
  return <Named colour={colourOfPlayer(player)} name={nameOfPlayer(playerId) ?? playerId} />;
}

interface PlayerNameProps {
  readonly playerId: string;
  /** Defaults to the name that was seen last, or the id. */
  readonly name?: string;
}

/** A player: a chip in its colour, and its name with a link to its page. */
export function PlayerName({ playerId, name }: PlayerNameProps) {
  const shown = name ?? nameOfPlayer(playerId) ?? playerId;
  return (
    <a class="player" href={linkTo({ view: 'player', playerId })} title={`${shown} (${playerId})`}>
      <Named colour={colourOfPlayer(numberOfPlayer(playerId))} name={shown} />
    </a>
  );
}
