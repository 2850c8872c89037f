// The colours of players: a palette that colour-blind people can tell apart for the leaders, and a muted hue for everybody
// else. In both themes; as text for style sheets and as numbers for WebGL.
//
// Source of the palette: M. Okabe and K. Ito, "Color Universal Design", 2008; darkened or lightened if the contrast with the
// background would be below 3:1.
import { computed, signal } from '@preact/signals';
import { PALETTE_LEADERS } from './limits.js';

export type Theme = 'dark' | 'light';

const PALETTES: Readonly<Record<Theme, readonly number[]>> = {
  dark: [0xe69f00, 0x56b4e9, 0x00b386, 0xf0e442, 0x4b8fe2, 0xe8743b, 0xd68fb8, 0xd7dce5],
  light: [0xb87a00, 0x2f8fcb, 0x00805e, 0x8f8500, 0x0063a8, 0xc44f00, 0xb05f8f, 0x4d5666],
};

/** Of cells and planets that nobody owns. */
const NOBODY: Readonly<Record<Theme, number>> = { dark: 0x2a3140, light: 0xd5dae3 };

/** Angle between the hues of two players who follow each other, so that neighbours differ: the golden angle. */
const HUE_STEP_DEGREES = 137.508;
const MUTED: Readonly<Record<Theme, { readonly saturation: number; readonly lightness: number }>> = {
  dark: { saturation: 0.26, lightness: 0.56 },
  light: { saturation: 0.3, lightness: 0.46 },
};

/** The theme that is shown. */
export const theme = signal<Theme>('dark');

/** Player numbers by colour of the palette. A leader keeps its colour as long as it is among the leaders. */
const slots = signal<readonly (number | null)[]>(Array.from({ length: PALETTE_LEADERS }, () => null));

const slotOfPlayer = computed(
  () => new Map(slots.value.flatMap((player, slot) => (player === null ? [] : [[player, slot] as const]))),
);

/** Positions of the entrants of a tournament by player number, in the game that is shown; empty if none is. */
const entrants = signal<ReadonlyMap<number, number>>(new Map());

/**
 * Gives the players of a game the colours of their entrants, the same in every game and every view.
 *
 * @param positions of the entrants in the tournament, from 0, by player number; empty for the colours of leaders
 */
export function setEntrants(positions: ReadonlyMap<number, number>): void {
  entrants.value = positions;
}

/**
 * Gives the colours of the palette to these players.
 *
 * @param players numbers of the players by rank; only the first PALETTE_LEADERS matter
 */
export function setLeaders(players: readonly number[]): void {
  const leaders = players.slice(0, PALETTE_LEADERS);
  const kept = slots.value.map((player) => (player !== null && leaders.includes(player) ? player : null));
  const newcomers = leaders.filter((player) => !kept.includes(player));
  const next = kept.map((player) => player ?? newcomers.shift() ?? null);
  if (next.some((player, slot) => player !== slots.value[slot])) slots.value = next;
}

/** Colour of a player as 0xRRGGBB. It reads signals: what shows it follows the leaderboard and the theme. */
export function rgbOfPlayer(player: number): number {
  const shown = theme.value;
  if (player === 0) return NOBODY[shown];
  const position = entrants.value.get(player);
  if (position !== undefined) return rgbOfEntrant(position);
  const slot = slotOfPlayer.value.get(player);
  return slot === undefined ? mutedOf(player, shown) : (PALETTES[shown][slot] ?? NOBODY[shown]);
}

/** Colour of a player for style sheets and canvases, such as `#e69f00`. */
export function colourOfPlayer(player: number): string {
  return hexOf(rgbOfPlayer(player));
}

/** Colour of the palette by its position, for the lines of a chart. */
export function paletteColour(position: number): string {
  const palette = PALETTES[theme.value];
  return hexOf(palette[position % palette.length] ?? NOBODY[theme.value]);
}

/** Colour of an entrant of a tournament. @param position from 0, in the order of its settings; negative if it is not in them */
export function colourOfEntrant(position: number): string {
  return hexOf(rgbOfEntrant(position));
}

/** Number of a player id: 17 of `player-17`; 0 if it is none. */
export function numberOfPlayer(playerId: string): number {
  return Number(/^player-(\d+)$/.exec(playerId)?.[1] ?? 0);
}

function rgbOfEntrant(position: number): number {
  const shown = theme.value;
  if (position < 0) return NOBODY[shown];
  return PALETTES[shown][position] ?? mutedOf(position, shown);
}

function mutedOf(player: number, shown: Theme): number {
  const { saturation, lightness } = MUTED[shown];
  const hue = (player * HUE_STEP_DEGREES) % 360;
  const chroma = saturation * Math.min(lightness, 1 - lightness);
  const channel = (shift: number): number => {
    const sector = (shift + hue / 30) % 12;
    return Math.round(255 * (lightness - chroma * Math.max(-1, Math.min(sector - 3, 9 - sector, 1))));
  };
  return channel(0) * 0x1_00_00 + channel(8) * 0x1_00 + channel(4);
}

function hexOf(rgb: number): string {
  return `#${rgb.toString(16).padStart(6, '0')}`;
}
