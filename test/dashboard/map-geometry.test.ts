// The geometry of the map and its camera: everything has a place of its own, what is near in the world is near on the map, and the
// camera shows what it is asked to show.
import t from 'tap';
import {
  cameraOf,
  cameraOfGalaxies,
  flightBetween,
  targetOf,
  toMap,
  zoomAt,
} from '../../dashboard/views/galaxy/map/camera.js';
import {
  cellOf,
  GALAXY_COUNT,
  GALAXY_RADIUS,
  Geometry,
  galaxyAt,
  pointOf,
  SLOT_COUNT,
  type Target,
} from '../../dashboard/views/galaxy/map/geometry.js';
import { fleetsOf, ownersOfCells, pathTo } from '../../dashboard/views/galaxy/summary.js';
import type { Leg } from '../../dashboard/world/map-state.js';

const EXTENT = { width: 1_120, height: 850 };

t.test('each galaxy has a cell of its own, beside the next galaxy', async (t) => {
  for (let galaxy = 1; galaxy <= GALAXY_COUNT; galaxy += 1) {
    const { column, row } = cellOf(galaxy);
    t.equal(galaxyAt(column, row), galaxy);
    if (galaxy === GALAXY_COUNT) continue;
    const next = cellOf(galaxy + 1);
    t.equal(Math.abs(next.column - column) + Math.abs(next.row - row), 1, `${galaxy} and the next`);
  }
  t.equal(galaxyAt(-1, 0), 0);
  t.equal(galaxyAt(0, 10), 0);
});

t.test('systems do not overlap, neighbours by index are near, and all are in their cell', async (t) => {
  for (const count of [1, 10, 300, 1_000]) {
    const geometry = new Geometry(count);
    const points = Array.from({ length: count }, (_, system) => geometry.system(7, system));
    let closest = Number.POSITIVE_INFINITY;
    let widestStep = 0;
    for (const [index, one] of points.entries()) {
      if (Math.hypot(one.x, one.y) > GALAXY_RADIUS + 0.05) t.fail(`system ${index} of ${count} is outside`);
      for (const [other, two] of points.slice(0, index).entries()) {
        const distance = Math.hypot(one.x - two.x, one.y - two.y);
        closest = Math.min(closest, distance);
        if (other === index - 1) widestStep = Math.max(widestStep, distance);
      }
    }
    t.ok(closest > 2 * geometry.systemRadius, `${count} systems: ${closest} apart, radius ${geometry.systemRadius}`);
    if (count >= 300) t.ok(widestStep < 0.09, `${count} systems: neighbours are at most ${widestStep} apart`);
  }
});

t.test('the planets of a system lie on different orbits, farther out with the slot, and do not touch', async (t) => {
  const geometry = new Geometry(300);
  const star = pointOf(geometry.spot(3, 40));
  const planets = Array.from({ length: SLOT_COUNT }, (_, index) => pointOf(geometry.spot(3, 40, index + 1)));
  const radii = planets.map(({ x, y }) => Math.hypot(x - star.x, y - star.y));
  t.same(
    radii,
    radii.toSorted((one, other) => one - other),
  );
  t.ok(radii.every((radius) => radius <= geometry.systemRadius));
  for (const [index, one] of planets.entries())
    for (const two of planets.slice(0, index))
      if (Math.hypot(one.x - two.x, one.y - two.y) < 2 * geometry.planetRadius)
        t.fail(`slot ${index + 1} touches another`);
});

t.test('the system at a point is found', async (t) => {
  const geometry = new Geometry(300);
  for (const system of [0, 1, 150, 299])
    t.match(geometry.nearestSystem(9, geometry.system(9, system)), { system, distance: 0 });
});

const TARGETS: readonly Target[] = [
  { view: 'universe' },
  { view: 'galaxy', galaxy: 100 },
  { view: 'system', galaxy: 13, system: 299 },
];

t.test('the camera of a view shows that view, in windows of any shape', async (t) => {
  const geometry = new Geometry(300);
  for (const extent of [EXTENT, { width: 390, height: 430 }, { width: 2_400, height: 700 }])
    for (const target of TARGETS) t.same(targetOf(geometry, cameraOf(geometry, target, extent), extent), target);
  const planet = { view: 'planet', galaxy: 13, system: 299, slot: 30 } as const;
  t.same(targetOf(geometry, cameraOf(geometry, planet, EXTENT), EXTENT), { view: 'system', galaxy: 13, system: 299 });
});

t.test('zooming keeps what is under the pointer there, and ends at the whole map', async (t) => {
  const geometry = new Geometry(300);
  const camera = cameraOf(geometry, { view: 'galaxy', galaxy: 45 }, EXTENT);
  const pixel = { x: 300, y: 500 };
  const before = toMap(camera, EXTENT, pixel);
  const after = toMap(zoomAt(geometry, camera, EXTENT, pixel, 3), EXTENT, pixel);
  t.ok(Math.hypot(after.x - before.x, after.y - before.y) < 1e-9);
  const far = zoomAt(geometry, camera, EXTENT, pixel, 1e-6);
  t.same(targetOf(geometry, far, EXTENT), { view: 'universe' });
});

t.test('a flight begins and ends where it should', async (t) => {
  const geometry = new Geometry(300);
  for (const from of TARGETS)
    for (const to of TARGETS) {
      const [first, last] = [cameraOf(geometry, from, EXTENT), cameraOf(geometry, to, EXTENT)];
      const { at, lengthMs } = flightBetween(first, last, EXTENT);
      const start = at(0);
      const off = Math.abs(start.scale / first.scale - 1) + Math.hypot(start.x - first.x, start.y - first.y);
      t.ok(off < 1e-6, `${from.view} to ${to.view} begins ${off} off`);
      t.same(at(1), last);
      t.ok(lengthMs > 0 && Number.isFinite(lengthMs));
    }
});

t.test('the settled galaxies can be shown alone', async (t) => {
  const { x, scale } = cameraOfGalaxies([1, 2, 3], EXTENT);
  t.equal(x, 1.5);
  t.equal(scale, 350);
});

t.test('the map in words: who leads, what flies where, and the way to a view', async (t) => {
  const cells = { index: 1, planets: 9, players: 3, owners: [5, 0, 2, 5, 7], owned: [1, 0, 2, 3, 3] };
  t.same(ownersOfCells(cells, 2), [
    { player: 5, cells: 2 },
    { player: 2, cells: 1 },
  ]);
  const leg = (fleet: number, from: number, to: number): Leg => ({
    fleet,
    owner: 1,
    mission: 0,
    isReturning: false,
    from: { galaxy: from, system: 4, slot: 1 },
    to: { galaxy: to, system: 5, slot: 2 },
    departsAtMs: 0,
    arrivesAtMs: 100 - fleet,
  });
  const legs = [leg(1, 1, 2), leg(2, 3, 1), leg(3, 3, 3)];
  t.match(fleetsOf(legs, { view: 'galaxy', galaxy: 1 }, 1), { count: 2, next: [{ fleet: 2 }] });
  t.equal(fleetsOf(legs, { view: 'system', galaxy: 1, system: 4 }, 9).count, 1);
  t.equal(fleetsOf(legs, { view: 'planet', galaxy: 3, system: 5, slot: 2 }, 9).count, 1);
  t.same(
    pathTo({ view: 'planet', galaxy: 1, system: 2, slot: 3 }).map(({ view }) => view),
    ['universe', 'galaxy', 'system', 'planet'],
  );
});
