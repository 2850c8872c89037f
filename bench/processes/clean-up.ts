// What must be gone when the bench ends, however it ends: child processes and temporary folders.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STOP_DEADLINE_MS } from '../limits.js';

/** Where temporary folders are made by default. Its file system decides what a durable write costs. */
export const TEMPORARY_PLACE = tmpdir();

const undone = new Set<() => void>();
let isRegistered = false;

/**
 * Undoes something when this process exits.
 *
 * @param undo synchronous
 * @returns cancels it, for what is gone already
 */
export function atExit(undo: () => void): () => void {
  if (!isRegistered) process.once('exit', undoAll);
  isRegistered = true;
  undone.add(undo);
  return () => undone.delete(undo);
}

function undoAll(): void {
  for (const undo of undone) {
    try {
      undo();
    } catch (error) {
      console.error(`bench: not everything could be cleaned up: ${String(error)}`);
    }
  }
}

/** Waits until a child has cleaned up after itself; kills it if that takes too long. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  const deadline = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
  await exit;
  clearTimeout(deadline);
}

/** Makes a folder below `place` for one measurement, and removes it when the work is over or the process ends. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>, place = TEMPORARY_PLACE): Promise<T> {
  const folder = await mkdtemp(join(place, 'galaxyd-bench-'));
  const forget = atExit(() => rmSync(folder, { recursive: true, force: true }));
  try {
    return await work(folder);
  } finally {
    forget();
    await rm(folder, { recursive: true, force: true });
  }
}
