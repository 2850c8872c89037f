// A folder for the worlds and databases of one measurement, removed afterwards.
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './at-exit.js';

/** Where temporary folders are made by default. What it lies on decides what a durable write costs. */
export const TEMPORARY_PLACE = tmpdir();

/** Makes a folder below `place`, and removes it when the work is over or the process ends. */
export async function inTemporaryFolder<T>(place: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(place, 'galaxyd-bench-'));
  const forget = atExit(() => rmSync(folder, { recursive: true, force: true }));
  try {
    return await work(folder);
  } finally {
    forget();
    await rm(folder, { recursive: true, force: true });
  }
}
