// What may replace a file or a folder in a data folder, a row each, and how each command ends on it.
import { execFile } from 'node:child_process';
import { mkdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { dataOf, manifestOf, rowsIn, segment } from './damages.js';
import type { SnapshotWorld } from './snapshot-worlds.js';

const run = promisify(execFile);
const HUGE_BYTES = 2 ** 40;

/** Commands that read a data folder, in the order in which they run: the last one writes. */
export const READING_COMMANDS = ['verify', 'restore', 'fork', 'snapshots', 'log', 'snapshot'] as const;

export type CommandName = 'serve' | (typeof READING_COMMANDS)[number];

export interface PlantedRow {
  readonly place: string;
  readonly thing: string;
  readonly plant: (world: SnapshotWorld) => Promise<unknown>;
  /** Exit code of each command that refuses or finds a fault; the others succeed. */
  readonly codes: Readonly<Partial<Record<CommandName, number>>>;
  /** The message of each of those. */
  readonly sentence: RegExp;
}

type Thing = (path: string) => Promise<unknown>;

const THINGS = {
  'a named pipe': async (path) => {
    await rm(path, { recursive: true, force: true });
    await run('mkfifo', [path]);
  },
  'a link to a device': async (path) => {
    await rm(path, { recursive: true, force: true });
    await symlink('/dev/zero', path);
  },
  'a link to itself': async (path) => {
    await rm(path, { recursive: true, force: true });
    await symlink(basename(path), path);
  },
  'a link to the original': async (path) => {
    const elsewhere = `${path}.elsewhere`;
    await rename(path, elsewhere);
    await symlink(elsewhere, path);
  },
  'a folder': async (path) => {
    await rm(path, { recursive: true, force: true });
    await mkdir(path);
  },
  'a huge file': async (path) => {
    await writeFile(path, '', { flag: 'a' });
    await truncate(path, HUGE_BYTES);
  },
} as const satisfies Record<string, Thing>;

type ThingName = keyof typeof THINGS;

interface Place {
  readonly path: (world: SnapshotWorld) => string;
  readonly things: readonly ThingName[];
  readonly codes: PlantedRow['codes'];
  readonly sentence: RegExp;
}

const READERS_OF_LOG = { serve: 3, verify: 1, restore: 3, fork: 3, log: 3, snapshot: 3 };

const PLACES: Readonly<Record<string, Place>> = {
  'data.mdb of the newest segment': {
    path: (world) => dataOf(world, -1),
    things: ['a named pipe', 'a link to itself', 'a link to the original'],
    codes: READERS_OF_LOG,
    sentence: /the log segment \S+data\.mdb is a (link|named pipe|folder) and not a regular file/,
  },
  'lock.mdb of the newest segment': {
    path: (world) => join(segment(world, -1), 'lock.mdb'),
    things: ['a named pipe', 'a link to a device', 'a folder', 'a huge file'],
    codes: { serve: 3 },
    sentence:
      /\S+lock\.mdb (is a (link|named pipe|folder) and not a regular file|has \d+ bytes, more than the maximum of \d+)/,
  },
  'the newest segment': {
    path: (world) => segment(world, -1),
    things: ['a named pipe', 'a link to the original'],
    codes: READERS_OF_LOG,
    sentence: /the log segment \S+log-\d{16} is a (link|named pipe) and not a folder/,
  },
  'the log': {
    path: ({ folder }) => join(folder, 'log'),
    things: ['a named pipe', 'a link to itself'],
    codes: { ...READERS_OF_LOG, snapshots: 3 },
    sentence: /\S+log is a (named pipe and not a folder|link that does not lead to a folder)/,
  },
  'the manifest of the newest snapshot': {
    path: manifestOf,
    things: ['a named pipe', 'a huge file'],
    codes: { verify: 1, snapshots: 3 },
    sentence: /\S+manifest\.json is a named pipe and not a regular file|damaged_manifest.* it has \d+ bytes/,
  },
  'the rows of the newest snapshot': {
    path: (world) => rowsIn(world, -1),
    things: ['a named pipe', 'a link to the original'],
    codes: { verify: 1 },
    sentence: /\S+rows is a (link|named pipe|folder) and not a regular file/,
  },
  "the record of the world's origin": {
    path: ({ folder }) => join(folder, 'origin.json'),
    things: ['a named pipe', 'a link to a device'],
    codes: { serve: 3, verify: 1 },
    sentence: /\S+origin\.json is a (link|named pipe) and not a regular file/,
  },
  'the snapshots': {
    path: ({ folder }) => join(folder, 'snapshots'),
    things: ['a link to itself'],
    codes: { ...READERS_OF_LOG, snapshots: 3 },
    sentence: /\S+snapshots is a (named pipe and not a folder|link that does not lead to a folder)/,
  },
  'the snapshots, as on another disk': {
    path: ({ folder }) => join(folder, 'snapshots'),
    things: ['a link to the original'],
    codes: {},
    sentence: /^/,
  },
  'the data folder': {
    path: ({ folder }) => folder,
    things: ['a link to the original'],
    codes: {},
    sentence: /^/,
  },
};

export const PLANTED: readonly PlantedRow[] = Object.entries(PLACES).flatMap(
  ([place, { path, things, codes, sentence }]) =>
    things.map((thing) => ({ place, thing, plant: (world) => THINGS[thing](path(world)), codes, sentence })),
);
