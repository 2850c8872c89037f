// What is visible of a galaxyd from outside: the process that it has started, and the names that appear and disappear
// in its folders.
import { type FSWatcher, watch } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Reports when a name with a given prefix appears in a folder. */
export class FolderWatch {
  readonly seen: Promise<void>;
  readonly #watcher: FSWatcher;
  #hasSeen = false;

  private constructor(folder: string, prefix: string) {
    this.#watcher = watch(folder);
    this.seen = new Promise((resolve) => {
      this.#watcher.on('change', (_event, name) => {
        if (!String(name).startsWith(prefix)) return;
        this.#hasSeen = true;
        resolve();
      });
    });
  }

  /** @param folder created if it is missing */
  static async begin(folder: string, prefix: string): Promise<FolderWatch> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new FolderWatch(folder, prefix);
  }

  get hasSeen(): boolean {
    return this.#hasSeen;
  }

  end(): void {
    this.#watcher.close();
  }
}

/** Names of unfinished or half-removed files in a data folder: they all begin with a full stop. */
export async function leftoversIn(dataFolder: string): Promise<string[]> {
  const names = await Promise.all(
    ['log', 'snapshots'].map((place) => readdir(join(dataFolder, place)).catch(() => [])),
  );
  return names.flat().filter((name) => name.startsWith('.'));
}

/** Waits until a process has a child. Linux only: other systems do not show it. @returns null if `end` comes first */
export async function firstChildOf(pid: number, end: Promise<unknown>): Promise<number | null> {
  let isOver = false;
  const over = end.then(() => {
    isOver = true;
  });
  while (!isOver) {
    for (const name of await readdir('/proc').catch(() => [])) {
      if (/^\d+$/.test(name) && (await parentOf(name)) === pid) return Number(name);
    }
    await Promise.race([delay(2), over]);
  }
  return null;
}

async function parentOf(pid: string): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The name of the program is in parentheses and may contain anything; state and parent follow it.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
