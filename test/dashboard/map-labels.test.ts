// Names on the map stand beside what they name, and never on each other or on another planet.
import t from 'tap';
import { type Label, placeLabels } from '../../dashboard/views/galaxy/drawing/labels.js';
import fc from '../support/properties.js';

const SIZE = { radius: 5, width: 60, height: 15 };

t.test('a label stands on the right; where a planet or an earlier label is, on another side', async (t) => {
  const at = (x: number, y: number): Label => ({ centre: { x, y }, ...SIZE });
  t.strictSame(placeLabels([at(100, 100)]), [{ x: 110, y: 100 }]);
  t.strictSame(placeLabels([at(100, 100), at(130, 100)]), [
    { x: 30, y: 100 },
    { x: 140, y: 100 },
  ]);
  const between = placeLabels([at(100, 100), at(130, 100), at(70, 100)]);
  t.strictSame(
    between,
    [
      { x: 70, y: 117.5 },
      { x: 140, y: 100 },
      { x: 0, y: 100 },
    ],
    'below, between two planets',
  );
});

t.test('no label covers a planet or another label, and one without room is left out', async (t) => {
  const places = fc.array(fc.tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 200 })), {
    minLength: 2,
    maxLength: 30,
  });
  let [placed, leftOut] = [0, 0];
  fc.assert(
    fc.property(places, (centres) => {
      const found = placeLabels(centres.map(([x, y]) => ({ centre: { x, y }, ...SIZE })));
      const shown = found.filter((place) => place !== null);
      placed += shown.length;
      leftOut += found.length - shown.length;
      const isFree = shown.every(({ x, y }, index) => {
        const onLabel = shown
          .slice(index + 1)
          .some((other) => Math.abs(other.x - x) < SIZE.width && Math.abs(other.y - y) < SIZE.height);
        const [middle, wide, high] = [x + SIZE.width / 2, SIZE.width / 2 + SIZE.radius, SIZE.height / 2 + SIZE.radius];
        return !onLabel && !centres.some(([cx, cy]) => Math.abs(cx - middle) < wide && Math.abs(cy - y) < high);
      });
      return isFree;
    }),
  );
  t.ok(placed > 0 && leftOut > 0, `both were met: ${placed} placed, ${leftOut} left out`);
});
