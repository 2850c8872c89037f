// The colours of players: visible on both grounds, and the same while a player is among the leaders.
import t from 'tap';
import {
  colourOfEntrant,
  colourOfPlayer,
  numberOfPlayer,
  paletteColour,
  rgbOfPlayer,
  setEntrants,
  setLeaders,
  theme,
} from '../../dashboard/colours.js';
import { PALETTE_LEADERS } from '../../dashboard/limits.js';

const GROUNDS = { dark: 0x0b0e14, light: 0xffffff } as const;

/** Relative luminance, as WCAG 2.2 defines it. */
function luminance(rgb: number): number {
  const [red = 0, green = 0, blue = 0] = [rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff].map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: number, other: number): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((left, right) => left - right);
  return (light + 0.05) / (dark + 0.05);
}

t.test('every player has a colour with a contrast of 3:1 to the ground, in both themes', async (t) => {
  setLeaders(Array.from({ length: PALETTE_LEADERS + 2 }, (_, index) => index + 1));
  for (const shown of ['dark', 'light'] as const) {
    theme.value = shown;
    for (let player = 1; player <= 100; player += 1)
      if (contrast(rgbOfPlayer(player), GROUNDS[shown]) < 3)
        t.fail(`${shown}: player ${player} ${colourOfPlayer(player)}`);
    const palette = new Set(Array.from({ length: PALETTE_LEADERS }, (_, position) => paletteColour(position)));
    t.equal(palette.size, PALETTE_LEADERS, 'the palette has a colour for each leader');
    const leaders = Array.from({ length: PALETTE_LEADERS }, (_, index) => colourOfPlayer(index + 1));
    t.same(new Set(leaders), palette, 'and the leaders have them');
  }
});

t.test('an entrant has the same colour in all games, in any order of places', async (t) => {
  const third = colourOfEntrant(2);
  setLeaders([4, 5, 6]);
  setEntrants(
    new Map([
      [4, 2],
      [7, 40],
    ]),
  );
  t.same([colourOfPlayer(4), colourOfPlayer(7)], [third, colourOfEntrant(40)]);
  setEntrants(new Map([[1, 2]]));
  t.equal(colourOfPlayer(1), third);
  setEntrants(new Map());
  t.not(colourOfPlayer(1), third);
});

t.test('a leader keeps its colour, and a newcomer takes the one that is free', async (t) => {
  setLeaders([1, 2, 3]);
  const [first, second] = [colourOfPlayer(1), colourOfPlayer(2)];
  setLeaders([2, 3, 4]);
  t.equal(colourOfPlayer(2), second);
  t.equal(colourOfPlayer(4), first);
  t.not(colourOfPlayer(1), first);
});

t.test('ids of players have numbers', async (t) => {
  t.equal(numberOfPlayer('player-17'), 17);
  t.equal(numberOfPlayer('17'), 0);
});
