// The bytes of a record, and how each kind of damage is distinguished from the others.
import { crc32 } from 'node:zlib';
import t from 'tap';
import type { CommandRow } from '../../../engine/commands/table.js';
import { WORLD_TIME_MS_MAX } from '../../../engine/rules/limits.js';
import {
  Batch,
  type BatchRecord,
  decodeRecord,
  encodeRecord,
  entriesOf,
  entryBytesBound,
  HEADER_LENGTH,
  lastSeqOf,
  NO_PREVIOUS_HASH,
  RECORD_FAULTS,
  type RecordFault,
  type RecordPlace,
  recordHash,
} from '../../../persistence/log/batch-record.js';
import fc from '../../support/properties.js';

const SAMPLE: BatchRecord = {
  rulesVersion: 1,
  firstSeq: 17,
  count: 2,
  previousHash: Buffer.from('00112233445566778899aabbccddeeff', 'hex'),
  entries: [946_684_800_000, [3, 'Ada', false, null], 250, [7, 123_456, 2]],
};
const PLACE: RecordPlace = {
  firstSeq: SAMPLE.firstSeq,
  previousHash: SAMPLE.previousHash,
  rulesVersions: new Set([1]),
};

/** The body of SAMPLE on disk: an array of four, a double, a row, a small integer, a row. */
const GOLDEN_BODY = '94cb426b8d59f58000009403a3416461c2c0ccfa9307ce0001e24002';
const GOLDEN_CHECKSUM = '668523bd';
const ARRAY_PREFIX_BYTES = 5;

type Damage = (bytes: Buffer) => Buffer;

t.test('a record has the bytes that docs/formats.md describes', async (t) => {
  const bytes = encodeRecord(SAMPLE).toString('hex');
  t.equal(bytes.slice(0, 8), Buffer.from('gxyd').toString('hex'), 'magic');
  t.equal(bytes.slice(16, 24), '0000001c', 'length of the body');
  t.equal(bytes.slice(24, 32), '00010001', 'format and rules version');
  t.equal(bytes.slice(32, 40), '00000002', 'number of entries');
  t.equal(bytes.slice(40, 56), '0000000000000011', 'seq of the first entry');
  t.equal(bytes.slice(56, 88), '00112233445566778899aabbccddeeff', 'hash of the previous record');
  t.equal(bytes.slice(88), GOLDEN_BODY, 'body');
  t.equal(bytes.slice(8, 16), GOLDEN_CHECKSUM, 'checksum of everything after it');
});

t.test('any batch comes back as it was written', async (t) => {
  fc.assert(
    fc.property(anyRecord(), (record) => {
      const { firstSeq, previousHash } = record;
      const place = { firstSeq, previousHash, rulesVersions: new Set([record.rulesVersion]) };
      const bytes = encodeRecord(record);
      const decoded = decodeRecord(bytes, place);
      t.same(decoded, record);
      t.equal(lastSeqOf(bytes), firstSeq + record.count - 1);
    }),
  );
});

t.test('a batch packs its entries as they come, as they are packed at once', async (t) => {
  const odd: CommandRow = [
    1,
    'x'.repeat(31),
    'x'.repeat(32),
    'ä',
    -1,
    127,
    128,
    255,
    256,
    65_535,
    65_536,
    2 ** 32 - 1,
    2 ** 32,
  ];
  const rows = fc.array(fc.tuple(fc.nat(), fc.oneof(anyRow(), fc.constant(odd))), { minLength: 2, maxLength: 40 });
  fc.assert(
    fc.property(rows, fc.nat(), (entries, choice) => {
      const taken = 1 + (choice % (entries.length - 1));
      const batch = new Batch(1);
      const times: number[] = [];
      for (const [index, [sinceMs, row]] of entries.entries()) {
        if (index === taken) batch.beginUnit();
        times.push((times.at(-1) ?? 0) + sinceMs);
        batch.tryAdd(times[index] as number, row);
      }
      const at = { rulesVersion: 1, firstSeq: 1, previousHash: NO_PREVIOUS_HASH };
      const packed = (list: readonly (readonly [number, CommandRow])[], firstSeq = 1): string =>
        encodeRecord({ ...at, firstSeq, count: list.length, entries: list.flat(1) }).toString('hex');
      t.same(batch.encode(1, NO_PREVIOUS_HASH).toString('hex'), packed(entries));
      const split = batch.splitUnit();
      t.same(batch.encode(1, NO_PREVIOUS_HASH).toString('hex'), packed(entries.slice(0, taken)), 'without the unit');
      const [[, row], ...rest] = entries.slice(taken) as [[number, CommandRow], ...[number, CommandRow][]];
      t.same(
        split.encode(1, NO_PREVIOUS_HASH).toString('hex'),
        packed([[times[taken] as number, row], ...rest], taken + 1),
        'the unit alone',
      );
    }),
  );
  const long = new Batch(1);
  long.beginUnit();
  for (let count = 0; count < 40_000; count += 1) long.tryAdd(1, [2]);
  const entries = [1, [2], ...Array.from({ length: 39_999 }, () => [0, [2]]).flat(1)];
  const record = { rulesVersion: 1, firstSeq: 1, count: 40_000, previousHash: NO_PREVIOUS_HASH, entries };
  t.ok(long.encode(1, NO_PREVIOUS_HASH).equals(encodeRecord(record)), 'more entries than 16 bits count');
});

t.test('any single flipped bit is detected', async (t) => {
  fc.assert(
    fc.property(anyRecord(), fc.nat(), (record, position) => {
      const { firstSeq, previousHash } = record;
      const place = { firstSeq, previousHash, rulesVersions: new Set([record.rulesVersion]) };
      const bytes = encodeRecord(record);
      const bit = position % (8 * bytes.length);
      flipBit(bytes, bit);
      t.type(decodeRecord(bytes, place), 'string', `bit ${bit}`);
    }),
  );
});

t.test('a flip of any bit of a record is detected', async (t) => {
  const sound = encodeRecord(SAMPLE);
  const unseen: number[] = [];
  for (let bit = 0; bit < 8 * sound.length; bit += 1) {
    const bytes = Buffer.from(sound);
    flipBit(bytes, bit);
    if (typeof decodeRecord(bytes, PLACE) !== 'string') unseen.push(bit);
  }
  t.same(unseen, []);
});

t.test('a record of full length never counts as torn, whichever bit flips', async (t) => {
  const sound = encodeRecord(SAMPLE);
  const torn: number[] = [];
  for (let bit = 0; bit < 8 * sound.length; bit += 1) {
    const bytes = Buffer.from(sound);
    flipBit(bytes, bit);
    const fault = decodeRecord(bytes, PLACE);
    if (typeof fault === 'string' && RECORD_FAULTS[fault].torn) torn.push(bit);
  }
  t.same(torn, []);
});

t.test('a record cut at any byte is torn', async (t) => {
  const sound = encodeRecord(SAMPLE);
  for (let length = 0; length < sound.length; length += 1) {
    const fault = decodeRecord(sound.subarray(0, length), PLACE);
    if (typeof fault !== 'string') throw new Error(`cut at ${length}, it was taken for a whole record`);
    t.ok(RECORD_FAULTS[fault].torn, `cut at ${length}: ${fault}`);
  }
});

interface Case {
  readonly record?: Partial<BatchRecord>;
  readonly place?: Partial<RecordPlace>;
  readonly damage?: Damage;
}

const damages: Record<RecordFault, Case> = {
  too_short: { damage: (bytes) => bytes.subarray(0, HEADER_LENGTH - 1) },
  wrong_magic: { damage: (bytes) => overwrite(bytes, 0, 'snap') },
  cut_short: { damage: (bytes) => bytes.subarray(0, -1) },
  wrong_length: { damage: (bytes) => Buffer.concat([bytes, Buffer.alloc(1)]) },
  wrong_checksum: { damage: (bytes) => overwrite(bytes, bytes.length - 1, '!') },
  unknown_format: { damage: (bytes) => resealed(overwrite(bytes, 12, '\x00\x02')) },
  wrong_first_seq: { record: { firstSeq: 18 } },
  wrong_previous_hash: { place: { previousHash: NO_PREVIOUS_HASH } },
  unknown_rules: { record: { rulesVersion: 2 } },
  undecodable_body: { damage: (bytes) => resealed(overwrite(bytes, HEADER_LENGTH, '\xc1')) },
  impossible_time: { record: { entries: [WORLD_TIME_MS_MAX, [2], 1, [2]] } },
  wrong_count: { record: { count: 3 } },
};
for (const [fault, { record, place, damage }] of Object.entries(damages)) {
  t.test(`a record is refused with ${fault}`, async (t) => {
    const sound = encodeRecord({ ...SAMPLE, ...record });
    const bytes = damage === undefined ? sound : damage(sound);
    t.equal(decodeRecord(bytes, { ...PLACE, ...place }), fault);
  });
}

t.test('entries whose world time runs backwards are refused', async (t) => {
  const entries: BatchRecord['entries'] = [1_000, [2], -1, [2]];
  t.equal(decodeRecord(encodeRecord({ ...SAMPLE, entries }), PLACE), 'impossible_time');
});

t.test('entries that do not alternate times and rows cannot be decoded', async (t) => {
  const bodies: unknown[][] = [
    [1, [2], 3],
    [[1], 2],
    [1.5, [1]],
    [1, 'row'],
    ['1', [1]],
  ];
  for (const body of bodies) {
    const entries = body as BatchRecord['entries'];
    t.equal(decodeRecord(encodeRecord({ ...SAMPLE, entries }), PLACE), 'undecodable_body', JSON.stringify(body));
  }
});

t.test('the entries of a record have their own instants', async (t) => {
  t.same(
    [...entriesOf(SAMPLE)],
    [
      [946_684_800_000, [3, 'Ada', false, null]],
      [946_684_800_250, [7, 123_456, 2]],
    ],
  );
});

t.test('the size bound of an entry is never below its size', async (t) => {
  fc.assert(
    fc.property(fc.array(anyRow(), { minLength: 1 }), (rows) => {
      const entries = rows.flatMap((row) => [Number.MAX_SAFE_INTEGER, row]);
      const taken = encodeRecord({ ...SAMPLE, count: rows.length, entries }).length - HEADER_LENGTH;
      const bound = rows.reduce((sum, row) => sum + entryBytesBound(row), ARRAY_PREFIX_BYTES);
      t.ok(taken <= bound, `${taken} bytes, bound ${bound}`);
    }),
  );
});

t.test('the hash of a record depends on each of its bytes', async (t) => {
  const bytes = encodeRecord(SAMPLE);
  const hash = recordHash(bytes);
  t.equal(hash.length, 16);
  flipBit(bytes, 8 * bytes.length - 1);
  t.notSame(recordHash(bytes), hash);
});

function overwrite(bytes: Buffer, at: number, text: string): Buffer {
  bytes.write(text, at, 'latin1');
  return bytes;
}

/** Gives a changed record the checksum that belongs to it, as another program would have. */
function resealed(bytes: Buffer): Buffer {
  bytes.writeUInt32BE(crc32(bytes.subarray(8)), 4);
  return bytes;
}

function flipBit(bytes: Buffer, bit: number): void {
  const at = bit >> 3;
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (bit & 7)), at);
}

function anyRow(): fc.Arbitrary<CommandRow> {
  const integer = fc.maxSafeInteger().map((value) => value + 0);
  const primitive = fc.oneof(integer, fc.string({ unit: 'grapheme' }), fc.boolean(), fc.constant(null));
  return fc.array(fc.oneof(primitive, fc.array(primitive)), { minLength: 1 });
}

function anyRecord(): fc.Arbitrary<BatchRecord> {
  // Twenty of them end before the end of world time.
  const entry = fc.tuple(fc.integer({ min: 0, max: 1e13 }), anyRow());
  return fc
    .record({
      rulesVersion: fc.nat({ max: 65_535 }),
      firstSeq: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER - 100 }),
      previousHash: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((hash) => Buffer.from(hash)),
      rows: fc.array(entry, { minLength: 1, maxLength: 20 }),
    })
    .map(({ rows, ...frame }) => ({ ...frame, count: rows.length, entries: rows.flat(1) }));
}
