// What the fuzz changes in a sound data folder, a row each, and how.
import { readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { encodeCommand } from '../../../engine/commands/table.js';
import { ROW_KINDS } from '../../../engine/rows/world-rows.js';
import type { SnapshotManifest } from '../../../persistence/snapshots/snapshot-store.js';
import { PLAYED_RULES } from '../../support/played-rules.js';
import {
  copyOver,
  cutToHalf,
  dataOf,
  emptied,
  flipMiddle,
  overwrite,
  segment,
  snapshot,
} from '../../support/process/damages.js';
import type { Draws } from '../../support/process/draws.js';
import { PLANTED } from '../../support/process/planted-rows.js';
import { change, changeText, drawUnsigned, drawValue } from './drawn-values.js';
import { changePage, PAGE_PARTS, swapPages } from './lmdb-pages.js';
import { changeRecords, changeSnapshot, type OpenRecord, type OpenSnapshot, readRows } from './sealed-parts.js';
import type { FolderKind, SoundFolder } from './sound-folders.js';

export interface Mutation {
  readonly what: string;
  /** The folders that have what is changed. */
  readonly kinds: readonly FolderKind[];
  /**
   * @param world a copy that may be changed
   * @param others all sound folders, which may be read
   * @returns how it was changed, for people
   */
  readonly apply: (world: SoundFolder, draws: Draws, others: readonly SoundFolder[]) => Promise<string>;
}

/** Characters of a value that are shown. */
const SHOWN_MAX = 60;
const WITH_LOG: readonly FolderKind[] = ['whole', 'continued'];
/** Folders that cannot be opened without the snapshot. */
const WITH_SNAPSHOT: readonly FolderKind[] = ['restored', 'continued'];
const ALL: readonly FolderKind[] = ['whole', 'restored', 'continued'];

export const MUTATIONS: readonly Mutation[] = [
  ...entryRows({
    'a field of an entry': (entries, draws) => changeRow(entries, draws),
    'several fields of entries': (entries, draws) => several(draws, () => changeRow(entries, draws)),
    'the time of an entry': (entries, draws) => {
      const index = 2 * draws.below(entries.length / 2);
      const value = draws.oneIn(2) ? drawValue(draws) : Number(entries[index]) + drawUnsigned(draws, 53);
      entries[index] = value as number;
      return `entry ${index / 2}: ${show(value)}`;
    },
    'entries left out, doubled or swapped': (entries, draws) => {
      // An entry is a time and a row.
      const pairs = Array.from({ length: entries.length / 2 }, (_, index) => entries.slice(2 * index, 2 * index + 2));
      const how = several(draws, () => rearrange(pairs, draws));
      entries.splice(0, entries.length, ...pairs.flat(1));
      return how;
    },
    'the list of entries': (entries, draws) => change(entries, draws),
    'an entry that brings rules': (entries, draws) => {
      const { text, how } = changeText(draws.pick(PLAYED_RULES), draws);
      const at = 2 * draws.below(entries.length / 2 + 1);
      entries.splice(at, 0, 0, encodeCommand({ type: 'switch_rules', rules: text }));
      return `entry ${at / 2}${how}`;
    },
    'an entry of many players': (entries, draws) => {
      const count = draws.pick([0, 1, 100, 1_000, 9_999, 10_000, 10_001, 2 ** 31, 2 ** 40, 2 ** 53 - 1]);
      const namePrefix = draws.pick(['crowd', '', '\0', 'x'.repeat(64), 'x'.repeat(2 ** 16)]);
      const players = { type: 'create_players', count, namePrefix, keyHashes: [], namePrefixKey: namePrefix } as const;
      entries.push(0, encodeCommand(players));
      return `${count} players`;
    },
  }),
  {
    what: 'the rules of the genesis',
    kinds: ['whole'],
    apply: (world, draws) =>
      ofRecords(world, ([first]) => {
        const genesis = first?.entries[1] as unknown[];
        const at = genesis.findIndex((value) => typeof value === 'string');
        const { text, how } = changeText(String(genesis[at]), draws);
        genesis[at] = text;
        return how;
      }),
  },
  {
    what: 'the header of a record',
    kinds: WITH_LOG,
    apply: (world, draws) =>
      ofRecords(world, (records) => {
        const fields: readonly OpenRecord['set'][] = [
          { rulesVersion: drawUnsigned(draws, 16) },
          { count: drawUnsigned(draws, 32) },
          { firstSeq: drawUnsigned(draws, 53) },
          { previousHash: Buffer.alloc(16, draws.below(256)) },
        ];
        const set = draws.pick(fields);
        draws.pick(records).set = set;
        return Object.entries(set).join();
      }),
  },
  {
    what: 'records left out, doubled or swapped',
    kinds: WITH_LOG,
    apply: (world, draws) => ofRecords(world, (records) => rearrange(records, draws)),
  },
  ...rowRows({
    'a field of a row': ({ rows }, draws) => changeRow(rows, draws),
    'several fields of rows': ({ rows }, draws) => several(draws, () => changeRow(rows, draws)),
    'rows left out, doubled or swapped': ({ rows }, draws) => several(draws, () => rearrange(rows, draws)),
    'the list of rows': ({ rows }, draws) => change(rows as unknown[], draws),
    'the rules of a snapshot': ({ rows }, draws) => {
      const row = rows.findIndex(([kind]) => kind === ROW_KINDS.rules);
      const { text, how } = changeText(String(rows[row]?.[1]), draws);
      rows[row] = [ROW_KINDS.rules, text];
      return how;
    },
    'the header of a chunk': ({ chunk }, draws) => {
      const fields: readonly OpenSnapshot['chunk'][] = [
        { index: drawUnsigned(draws, 32) },
        { rulesVersion: drawUnsigned(draws, 16) },
        { seq: drawUnsigned(draws, 53) },
        { logHash: '0'.repeat(32) },
      ];
      Object.assign(chunk, draws.pick(fields));
      return Object.entries(chunk).join();
    },
    'a field of the manifest': ({ manifest }, draws) => {
      const names = [
        'rulesVersion',
        'seq',
        'worldTimeMs',
        'stateHash',
        'logHash',
        'rowCount',
        'chunkCount',
        'byteCount',
        'createdAtMs',
      ];
      const name = draws.pick(names);
      const value = draws.pick([
        drawUnsigned(draws, 53),
        draws.pick([-1, 0.5, '', '0'.repeat(16), '0'.repeat(32), null, [], {}]),
      ]);
      Object.assign(manifest as Partial<SnapshotManifest>, { [name]: value });
      return `${name}: ${show(value)}`;
    },
  }),
  {
    what: "another world's rows",
    kinds: WITH_SNAPSHOT,
    apply: async (world, draws, others) => {
      const foreign = await readRows(draws.pick(others));
      const kind = draws.pick(Object.values(ROW_KINDS));
      return ofSnapshot(world, (opened) => {
        const begin = opened.rows.findIndex((row) => row[0] === kind);
        const own = opened.rows.filter((row) => row[0] !== kind);
        own.splice(begin < 0 ? own.length : begin, 0, ...foreign.filter((row) => row[0] === kind));
        opened.rows = own;
        return `kind ${kind}`;
      });
    },
  },
  {
    what: 'the origin',
    kinds: WITH_SNAPSHOT,
    apply: async ({ folder }, draws) => {
      const path = join(folder, 'origin.json');
      const { text, how } = changeText(await readFile(path, 'utf8'), draws);
      await writeFile(path, text);
      return how;
    },
  },
  ...PAGE_PARTS.map(
    (part): Mutation => ({
      what: `pages: ${part.what}`,
      kinds: ALL,
      apply: (world, draws) => changePage(dataOf(world, -1 - draws.below(world.segmentSeqs.length)), part, draws),
    }),
  ),
  {
    what: 'pages: swapped or copied',
    kinds: ALL,
    apply: (world, draws) => swapPages(dataOf(world, -1 - draws.below(world.segmentSeqs.length)), draws),
  },
  {
    what: 'a file is damaged or left out',
    kinds: ALL,
    apply: (world, draws) => damaged(world, draws, FILE_DAMAGES, false),
  },
  {
    what: 'a folder is left out or emptied',
    kinds: ALL,
    apply: (world, draws) => damaged(world, draws, { 'left out': FILE_DAMAGES['left out'], emptied }, true),
  },
  {
    what: 'segments or snapshots renamed or replaced',
    kinds: ALL,
    apply: async (world, draws, others) => {
      const placeOf = draws.pick([segment, snapshot]);
      const own = placeOf(world, -1 - draws.below(2));
      const other = draws.pick([...others, world]);
      const seq = draws.oneIn(2) ? drawUnsigned(draws, 53) : draws.pick([...world.segmentSeqs, ...world.snapshotSeqs]);
      const renamed = join(
        dirname(own),
        `${placeOf === segment ? 'log' : 'snapshot'}-${String(seq).padStart(16, '0')}`,
      );
      if (draws.oneIn(2)) await copyOver(placeOf(other, -1), renamed).catch(orNotThere);
      else await rename(own, renamed).catch(orNotThere);
      return renamed.slice(world.folder.length);
    },
  },
  {
    what: 'something else in the place of a file',
    kinds: ALL,
    apply: async (world, draws) => {
      const { place, thing, plant } = draws.pick(PLANTED);
      await plant(world).catch(orNotThere);
      return `${place}: ${thing}`;
    },
  },
];

type Damage = (path: string, draws: Draws) => Promise<unknown>;

const FILE_DAMAGES = {
  'left out': (path) => rm(path, { recursive: true }),
  emptied: (path) => truncate(path),
  'cut to half': cutToHalf,
  'a flipped bit': flipMiddle,
  overwritten: (path, draws) => overwrite(path, draws.below(256)),
  extended: (path, draws) => truncate(path, 2 ** draws.between(12, 40)),
} as const satisfies Record<string, Damage>;

async function damaged(
  { folder }: SoundFolder,
  draws: Draws,
  damages: Readonly<Record<string, Damage>>,
  isFolder: boolean,
): Promise<string> {
  const places = await readdir(folder, { recursive: true, withFileTypes: true });
  const chosen = draws.pick(places.filter((place) => place.isDirectory() === isFolder));
  const path = join(chosen.parentPath, chosen.name);
  const name = draws.pick(Object.keys(damages));
  await damages[name]?.(path, draws);
  return `${path.slice(folder.length)}: ${name}`;
}

type EntryChange = (entries: OpenRecord['entries'], draws: Draws) => string;

/** Changes of the entries of one record. */
function entryRows(changes: Readonly<Record<string, EntryChange>>): Mutation[] {
  return Object.entries(changes).map(([what, changeEntries]) => ({
    what,
    kinds: WITH_LOG,
    apply: (world, draws) => ofRecords(world, (records) => changeEntries(draws.pick(records).entries, draws)),
  }));
}

/** Changes of a snapshot. */
function rowRows(changes: Readonly<Record<string, (opened: OpenSnapshot, draws: Draws) => string>>): Mutation[] {
  return Object.entries(changes).map(([what, changeRows]) => ({
    what,
    kinds: WITH_SNAPSHOT,
    apply: (world, draws) => ofSnapshot(world, (opened) => changeRows(opened, draws)),
  }));
}

async function ofRecords(world: SoundFolder, operate: (records: OpenRecord[]) => string): Promise<string> {
  let how = 'no record';
  await changeRecords(world, (records) => {
    how = operate(records);
  });
  return how;
}

async function ofSnapshot(world: SoundFolder, operate: (opened: OpenSnapshot) => string): Promise<string> {
  let how = '';
  await changeSnapshot(world, (opened) => {
    how = operate(opened);
  });
  return how;
}

/** Changes a field of a row. Each kind of row, or of command, is drawn as often as the others. */
function changeRow(rows: readonly unknown[], draws: Draws): string {
  const lists = rows.filter((row) => Array.isArray(row) && row.length > 0) as unknown[][];
  if (lists.length === 0) return 'no row';
  const kind = draws.pick([...new Set(lists.map(([first]) => first))]);
  const row = draws.pick(lists.filter(([first]) => [kind].includes(first)));
  return `kind ${show(row[0])} ${change(row, draws)}`;
}

/** Leaves an element out, doubles it, or swaps it with another. */
function rearrange(list: unknown[], draws: Draws): string {
  if (list.length === 0) return 'nothing to rearrange';
  const [one, other] = [draws.below(list.length), draws.below(list.length)];
  const how = draws.pick(['left out', 'doubled', 'swapped', 'moved']);
  const [element] = how === 'doubled' ? list.slice(one, one + 1) : list.splice(one, 1);
  if (how === 'doubled' || how === 'moved') list.splice(other, 0, structuredClone(element));
  if (how === 'swapped') list.splice(one, 0, ...list.splice(other, 1, element));
  return `${one} ${how}, ${other}`;
}

function several(draws: Draws, once: () => string): string {
  return Array.from({ length: draws.between(2, 4) }, once).join(', ');
}

/** What is damaged may not be in this folder. */
function orNotThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
}

function show(value: unknown): string {
  const text = String(typeof value === 'object' ? JSON.stringify(value) : value);
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}
