// Where names stand on the map: beside what they name, and never on each other.
import type { Point } from '../map/geometry.js';

/** A text that wants to stand beside a disc, in CSS pixels. */
export interface Label {
  readonly centre: Point;
  readonly radius: number;
  readonly width: number;
  readonly height: number;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Distance from the disc to its label. */
const GAP = 5;

/**
 * Places labels one after another: right of the disc, left of it, below or above, whichever covers no disc and no earlier label first.
 *
 * @param labels the more important first
 * @returns the left end and the middle of each label; null for one that has no room
 */
export function placeLabels(labels: readonly Label[]): (Point | null)[] {
  const taken = labels.map(discOf);
  return labels.map((label) => {
    const box = placesBeside(label).find((place) => !taken.some((other) => isAcross(place, other)));
    if (box === undefined) return null;
    taken.push(box);
    return { x: box.left, y: box.top + box.height / 2 };
  });
}

function discOf({ centre, radius }: Label): Box {
  return { left: centre.x - radius, top: centre.y - radius, width: 2 * radius, height: 2 * radius };
}

function placesBeside({ centre: { x, y }, radius, width, height }: Label): Box[] {
  const [away, size] = [radius + GAP, { width, height }];
  const [middle, upright] = [x - width / 2, y - height / 2];
  return [
    { left: x + away, top: upright, ...size },
    { left: x - away - width, top: upright, ...size },
    { left: middle, top: y + away, ...size },
    { left: middle, top: y - away - height, ...size },
  ];
}

function isAcross(one: Box, other: Box): boolean {
  const beside = one.left >= other.left + other.width || other.left >= one.left + one.width;
  const above = one.top >= other.top + other.height || other.top >= one.top + one.height;
  return !beside && !above;
}
