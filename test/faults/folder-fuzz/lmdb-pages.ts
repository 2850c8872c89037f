// Changes pages of an LMDB file, which have no checksum: numbers in its heads, in the headers of pages, in pointers and in nodes.
import { readFile, writeFile } from 'node:fs/promises';
import { PAGE_HEADER_BYTES, pageBytesOf } from '../../../persistence/log/lmdb/lmdb-format.js';
import type { Draws } from '../../support/process/draws.js';
import { drawUnsigned } from './drawn-values.js';

/** A number in a page. */
interface NumberPlace {
  readonly at: number;
  readonly bytes: 2 | 4 | 8;
}

export interface PagePart {
  readonly what: string;
  /** Whether it is in the first two pages, and then in both of them. */
  readonly isHead: boolean;
  readonly draw: (page: Buffer, draws: Draws) => NumberPlace;
}

/** Numbers of a head, from its beginning: docs and offsets as in lmdb-format.ts. */
const HEAD_NUMBERS: readonly NumberPlace[] = [
  ...[0, 4, 24, 28, 32].map((at): NumberPlace => ({ at, bytes: 4 })),
  ...[30, 76, 78].map((at): NumberPlace => ({ at, bytes: 2 })),
  ...[8, 16, 32, 40, 48, 56, 64, 80, 88, 96, 104, 112, 120, 128].map((at): NumberPlace => ({ at, bytes: 8 })),
];
/** Number, transaction, flags, end of the pointers, and beginning of the nodes; or the count of pages of a large value. */
const HEADER_NUMBERS: readonly NumberPlace[] = [
  ...[0, 8].map((at): NumberPlace => ({ at, bytes: 8 })),
  ...[16, 18, 20, 22].map((at): NumberPlace => ({ at, bytes: 2 })),
  { at: 20, bytes: 4 },
];
const NODE_HEADER_BYTES = 8;
const KEY_BYTES = 8;

export const PAGE_PARTS: readonly PagePart[] = [
  {
    what: 'a number of both heads',
    isHead: true,
    draw: (_, draws) => {
      const { at, bytes } = draws.pick(HEAD_NUMBERS);
      return { at: PAGE_HEADER_BYTES + at, bytes };
    },
  },
  { what: 'the header of a page', isHead: false, draw: (_, draws) => draws.pick(HEADER_NUMBERS) },
  {
    what: 'a pointer to a node',
    isHead: false,
    draw: (page, draws) => ({ at: PAGE_HEADER_BYTES + 2 * draws.below(nodeCount(page)), bytes: 2 }),
  },
  {
    what: 'a length, flag, key or page number of a node',
    isHead: false,
    draw: (page, draws) => {
      const pointer = page.readUInt16LE(PAGE_HEADER_BYTES + 2 * draws.below(nodeCount(page)));
      const node = PAGE_HEADER_BYTES + pointer;
      const places: readonly NumberPlace[] = [
        ...[0, 2, 4, 6].map((at): NumberPlace => ({ at: node + at, bytes: 2 })),
        { at: node, bytes: 4 },
        { at: node + NODE_HEADER_BYTES, bytes: 8 },
        { at: node + NODE_HEADER_BYTES + KEY_BYTES, bytes: 8 },
      ];
      const last = { at: page.length - 8, bytes: 8 } as const;
      return draws.pick([...places.filter(({ at }) => at <= page.length - 8), last]);
    },
  },
];

/** Sets a number of a page to a boundary or to a neighbour. @returns what was set, for people */
export async function changePage(path: string, { isHead, draw }: PagePart, draws: Draws): Promise<string> {
  const { file, pages } = await readPages(path);
  const first = isHead ? 0 : 2;
  const number = Math.min(first + draws.below(Math.max(pages.length - first, 1)), pages.length - 1);
  const page = pages[isHead ? 0 : number] as Buffer;
  const { at, bytes } = draw(page, draws);
  const before = readNumber(page, at, bytes);
  const near = before + BigInt(draws.pick([-2, -1, 1, 2, 8, pages.length, page.length]));
  const drawn = draws.oneIn(2) ? near : BigInt(drawUnsigned(draws, draws.pick([4, 8 * Math.min(bytes, 6)])));
  const value = BigInt.asUintN(8 * bytes, draws.oneIn(8) ? ~0n : drawn);
  for (const changed of isHead ? pages.slice(0, 2) : [page]) writeNumber(changed, at, bytes, value);
  await writeFile(path, file);
  return `page ${isHead ? '0 and 1' : number}, at ${at}, ${bytes} bytes: ${before} is ${value}`;
}

/** Puts a page in the place of another, with its own number or with that of its new place. */
export async function swapPages(path: string, draws: Draws): Promise<string> {
  const { file, pages } = await readPages(path);
  const [from, to] = [draws.below(pages.length), draws.below(pages.length)];
  const [source, target] = [pages[from] as Buffer, pages[to] as Buffer];
  const kept = Buffer.from(target);
  source.copy(target);
  if (draws.oneIn(2)) kept.copy(source);
  if (draws.oneIn(2)) for (const [number, page] of pages.entries()) writeNumber(page, 0, 8, BigInt(number));
  await writeFile(path, file);
  return `page ${from} to ${to}`;
}

interface Pages {
  readonly file: Buffer;
  /** Views of the file. */
  readonly pages: readonly Buffer[];
}

async function readPages(path: string): Promise<Pages> {
  const file = await readFile(path);
  const pageBytes = pageBytesOf(file);
  const count = Math.floor(file.length / pageBytes);
  return {
    file,
    pages: Array.from({ length: count }, (_, page) => file.subarray(page * pageBytes, (page + 1) * pageBytes)),
  };
}

/** Nodes of a page; 1 if the page belongs to no tree. */
function nodeCount(page: Buffer): number {
  return Math.min(Math.max(page.readUInt16LE(20) >> 1, 1), page.length / 4);
}

function readNumber(page: Buffer, at: number, bytes: NumberPlace['bytes']): bigint {
  return bytes === 8 ? page.readBigUInt64LE(at) : BigInt(page.readUIntLE(at, bytes));
}

function writeNumber(page: Buffer, at: number, bytes: NumberPlace['bytes'], value: bigint): void {
  if (bytes === 8) page.writeBigUInt64LE(value, at);
  else page.writeUIntLE(Number(value), at, bytes);
}
