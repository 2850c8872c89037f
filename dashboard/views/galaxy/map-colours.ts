// The colours of the map that are no player's, for both themes: as 0xRRGGBB for WebGL, as text for the canvas of labels.
import type { Theme } from '../../colours.js';

export interface MapColours {
  readonly ground: number;
  /** Dust along the arm and in the core of a galaxy. */
  readonly arm: number;
  readonly core: number;
  /** Systems and planets that nobody owns. */
  readonly free: number;
  readonly flash: number;
  /** 1: lights add up, as in the dark; 0: they cover what is below, as ink does. */
  readonly glow: 0 | 1;
  readonly text: string;
  readonly textSoft: string;
  readonly orbit: string;
  readonly pointer: string;
}

export const MAP_COLOURS: Readonly<Record<Theme, MapColours>> = {
  dark: {
    ground: 0x070a12,
    arm: 0x4f6fb5,
    core: 0xf3dcb4,
    free: 0x6d7c99,
    flash: 0xffb27a,
    glow: 1,
    text: '#e4e8f0',
    textSoft: '#94a0b8',
    orbit: '#7f93bd',
    pointer: '#ffffff',
  },
  light: {
    ground: 0xf6f4ee,
    arm: 0x8ea3c4,
    core: 0xd9b87c,
    free: 0x9aa5b8,
    flash: 0xc2261b,
    glow: 0,
    text: '#171c26',
    textSoft: '#5a6274',
    orbit: '#8190ab',
    pointer: '#171c26',
  },
};

/** Colours of the spectral classes of stars. */
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

/** Red, green and blue from 0 to 1. */
export function channelsOf(rgb: number): [number, number, number] {
  return [((rgb >> 16) & 255) / 255, ((rgb >> 8) & 255) / 255, (rgb & 255) / 255];
}
