// The table of reports agrees with plain lists: reports of every kind and length come back as they were, whatever was removed meanwhile.
import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { NO_ROW } from '../../../engine/numbers/row-pages.js';
import { TYPES_PER_LIST_MAX } from '../../../engine/rules/limits.js';
import { COMBAT_OUTCOMES, type Report } from '../../../engine/terms/reports.js';
import { ReportTable } from '../../../engine/world/report-table.js';
import fc from '../../support/properties.js';

const count = fc.maxSafeNat();
const ships = fc.array(fc.oneof(fc.constant(0), count), { maxLength: TYPES_PER_LIST_MAX, size: 'max' });
const cargo = fc.array(count, { minLength: 4, maxLength: 4 });
const asLiteral = { noNullPrototype: true };
const losses = fc.record({ sent: ships, lost: ships, left: ships }, asLiteral);
const head = { number: count, atMs: count, planetKey: count, attackerNumber: count, defenderNumber: count };
const combat = fc.record(
  {
    ...head,
    type: fc.constant('combat' as const),
    outcome: fc.constantFrom(...COMBAT_OUTCOMES),
    rounds: count,
    shieldHitPoints: count,
    attacker: losses,
    defender: losses,
    loot: cargo,
    cargoLost: cargo,
  },
  asLiteral,
);
const espionage = fc.record(
  {
    ...head,
    type: fc.constant('espionage' as const),
    stocks: fc.array(count, { minLength: 5, maxLength: 5 }),
    ships: fc.option(ships),
    buildings: fc.option(ships),
  },
  asLiteral,
);
const detected = fc.record({ ...head, type: fc.constant('espionage_detected' as const), scouts: count }, asLiteral);
const report: fc.Arbitrary<Report> = fc.oneof(detected, espionage, combat);

t.test('reports come back as they were, oldest first', async () => {
  const step = fc.record({ reader: fc.nat(2), report: fc.option(report) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const table = new ReportTable();
      const readers = [0, 1, 2].map(() => ({ firstReportRow: NO_ROW, reportCount: 0, plain: [] as Report[] }));
      for (const { reader: index, report } of steps) {
        const reader = readers[index] as (typeof readers)[number];
        if (report !== null) {
          table.add(reader, report);
          reader.plain.push(report);
        } else if (reader.reportCount > 0) {
          table.removeOldest(reader);
          reader.plain.shift();
        }
      }
      return readers.every((reader) => {
        const { plain, reportCount } = reader;
        const newest = table.newestOf(reader);
        return reportCount === plain.length && isDeepStrictEqual([newest, table.of(reader)], [plain.at(-1), plain]);
      });
    }),
    { numRuns: 200 },
  );
});

t.test('the longest report fits', async (t) => {
  const table = new ReportTable();
  const reader = { firstReportRow: NO_ROW, reportCount: 0 };
  const most = new Array<number>(TYPES_PER_LIST_MAX).fill(Number.MAX_SAFE_INTEGER);
  const side = { sent: most, lost: most, left: most };
  const number = Number.MAX_SAFE_INTEGER;
  const longest: Report = {
    ...{ number, atMs: number, planetKey: number, attackerNumber: number, defenderNumber: number },
    ...{ type: 'combat', outcome: 'draw', rounds: number, shieldHitPoints: number, attacker: side, defender: side },
    ...{ loot: most.slice(0, 4), cargoLost: most.slice(0, 4) },
  };
  table.add(reader, longest);
  t.same(table.of(reader), [longest]);
});
