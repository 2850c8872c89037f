// The colours of the page, for both themes, and the theme that is shown. Leaders have a palette that colour-blind people can tell
// apart, everybody else a muted hue. Colours are text for style sheets and numbers for WebGL.
//
// Source of the palette: M. Okabe and K. Ito, "Color Universal Design", 2008; darkened or lightened if the contrast with the
// background would be below 3:1.
import { computed, effect, signal } from '@preact/signals';
import { PALETTE_LEADERS } from './limits.js';

export type Theme = 'dark' | 'light';

const PALETTES: Readonly<Record<Theme, readonly number[]>> = {
  dark: [0xe69f00, 0x56b4e9, 0x00b386, 0xf0e442, 0x4b8fe2, 0xe8743b, 0xd68fb8, 0xd7dce5],
  light: [0xb87a00, 0x2f8fcb, 0x00805e, 0x8f8500, 0x0063a8, 0xc44f00, 0xb05f8f, 0x4d5666],
};

/** The colour of cells and planets that nobody owns. */
const NOBODY: Readonly<Record<Theme, number>> = { dark: 0x2a3140, light: 0xd5dae3 };

/** Angle between the hues of two players who follow each other, so that neighbours differ: the golden angle. */
const HUE_STEP_DEGREES = 137.508;
const MUTED: Readonly<Record<Theme, { readonly saturation: number; readonly lightness: number }>> = {
  dark: { saturation: 0.26, lightness: 0.56 },
  light: { saturation: 0.3, lightness: 0.46 },
};

/** The theme that is shown. */
export const theme = signal<Theme>('dark');

/** Player numbers by colour of the palette. A leader keeps its colour while it is among the leaders. */
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

/** Number of a player id: 17 of `player-17`; 0 if the text is not a player id. */
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

/** Such as `#e69f00`. */
export function hexOf(rgb: number): string {
  return `#${rgb.toString(16).padStart(6, '0')}`;
}

/** The only thing that the dashboard stores. */
const STORED = 'galaxyd-theme';

const themeOfSystem = signal<Theme>('dark');
const chosenTheme = signal<Theme | null>(null);

/** Shows the theme that the viewer has chosen before, or that of the system, from now on. The page calls it once, when it starts. */
export function followTheme(): void {
  const prefersLight = matchMedia('(prefers-color-scheme: light)');
  const follow = (): void => {
    themeOfSystem.value = prefersLight.matches ? 'light' : 'dark';
  };
  follow();
  prefersLight.addEventListener('change', follow);
  chosenTheme.value = storedTheme();
  effect(() => {
    theme.value = chosenTheme.value ?? themeOfSystem.value;
    document.documentElement.dataset['theme'] = theme.value;
  });
}

/** Changes to the other theme. The choice of the system's own theme is not stored. */
export function toggleTheme(): void {
  const next = theme.peek() === 'dark' ? 'light' : 'dark';
  chosenTheme.value = next === themeOfSystem.peek() ? null : next;
  try {
    if (chosenTheme.value === null) localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, next);
  } catch {
    // The viewer allows no storage: the choice ends with the page.
  }
}

function storedTheme(): Theme | null {
  try {
    const stored = localStorage.getItem(STORED);
    return stored === 'dark' || stored === 'light' ? stored : null;
  } catch {
    return null;
  }
}

/** The colours of the map that do not belong to a player, dark and light: as 0xRRGGBB for WebGL, as text for the canvas of labels. */
const MAP_PAIRS = {
  ground: [0x070a12, 0xf6f4ee],
  /** Dust along the arm and in the core of a galaxy. */
  arm: [0x4f6fb5, 0x8ea3c4],
  core: [0xf3dcb4, 0xd9b87c],
  /** Systems and planets that nobody owns. */
  free: [0x6d7c99, 0x9aa5b8],
  flash: [0xffb27a, 0xc2261b],
  /** Lines of pacts in force, and of goods on their way: --good and --warning of the style sheets. */
  pact: [0x34c08b, 0x0b7a53],
  goods: [0xf0b34a, 0x8f5a00],
  /** 1: lights add up, as in the dark; 0: they cover what is below, as ink does. */
  glow: [1, 0],
  text: ['#e4e8f0', '#171c26'],
  textSoft: ['#94a0b8', '#5a6274'],
  orbit: ['#7f93bd', '#8190ab'],
  pointer: ['#ffffff', '#171c26'],
} as const;

type MapColours = { readonly [Name in keyof typeof MAP_PAIRS]: (typeof MAP_PAIRS)[Name][number] };

function mapColoursOf(position: 0 | 1): MapColours {
  // All names are there.
  return Object.fromEntries(Object.entries(MAP_PAIRS).map(([name, pair]) => [name, pair[position]])) as MapColours;
}

export const MAP_COLOURS: Readonly<Record<Theme, MapColours>> = { dark: mapColoursOf(0), light: mapColoursOf(1) };

/** Colours of stars by their spectral class. */
const STARS: Readonly<Record<string, string>> = {
  O: '#9db4ff',
  B: '#aabfff',
  A: '#cad8ff',
  F: '#f8f7ff',
  G: '#fff2c8',
  K: '#ffd2a1',
  M: '#ffb07c',
};

export function colourOfStar(type: string): string {
  return STARS[type] ?? '#fff2c8';
}

/** Red, green and blue from 0 to 255. */
export function bytesOf(rgb: number): [number, number, number] {
  return [(rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255];
}

/** Red, green and blue from 0 to 1. */
export function channelsOf(rgb: number): [number, number, number] {
  const [red, green, blue] = bytesOf(rgb);
  return [red / 255, green / 255, blue / 255];
}
