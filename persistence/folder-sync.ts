// Makes the names in a folder durable: a file that is on disk is lost all the same if the folder forgets its name.
import { open } from 'node:fs/promises';

/** Waits until what was created in the folder is found again after a power cut. Windows has no such call and needs none. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
