// Processes that an entrant has started and that have left its process group. On Linux they are found by the environment that they were
// started with. A process that was given another environment is not found, and on other systems none is.
import { readdir, readFile } from 'node:fs/promises';
import { STRAY_LOOKS_MAX } from '../limits.js';

/**
 * Ends them.
 *
 * @param variable a variable of their environment with its value, which nobody else has
 */
export async function endStrays(variable: string): Promise<void> {
  // While one is looked for, another may be started.
  for (let look = 0; look < STRAY_LOOKS_MAX; look += 1) {
    const strays = await straysOf(variable);
    if (strays.length === 0) return;
    for (const pid of strays) kill(pid);
  }
}

async function straysOf(variable: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid > 0 && pid !== process.pid);
  const haveIt = await Promise.all(pids.map((pid) => hasVariable(pid, variable)));
  return pids.filter((_, index) => haveIt[index]);
}

/** False if the process is gone, or that of another user. */
async function hasVariable(pid: number, variable: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  return environment.split('\0').includes(variable);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}
