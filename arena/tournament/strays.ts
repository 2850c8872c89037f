// Ends the processes that an entrant has started and that have left its process group. On Linux they are found by what they have in
// common with it; on other systems none is. A process that has given up all of that is not found: only a sandbox bounds it.
import { readlinkSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { STRAY_LOOKS_MAX } from '../limits.js';

/** What the processes of an entrant have in common with it, and with no other process. */
export interface StrayMarks {
  /** Id of its session, which is that of its process; undefined if there is none, or none any more. */
  readonly session: number | undefined;
  /** Its folder, which is also its HOME. */
  readonly folder: string;
  /** Ends of the pipes of its output, as links under `/proc/PID/fd`. */
  readonly outputs: readonly string[];
}

/** A process as `/proc/PID/stat` shows it. */
interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  readonly hasTerminal: boolean;
}

/** The pipes of the output of a process that has just been started. */
export function outputsOf(pid: number | undefined): string[] {
  return [1, 2].flatMap((descriptor) => {
    try {
      const link = readlinkSync(`/proc/${pid}/fd/${descriptor}`);
      // It may have opened a file instead, which others may have open as well.
      return /^(socket|pipe):/.test(link) ? [link] : [];
    } catch {
      return [];
    }
  });
}

export async function endStrays(marks: StrayMarks): Promise<void> {
  // While this looks for one process, another may be started.
  for (let look = 0; look < STRAY_LOOKS_MAX; look += 1) {
    const strays = await straysOf(marks);
    if (strays.length === 0) return;
    for (const pid of strays) kill(pid);
  }
}

/** @returns whether no process of a session is left, so that its id may come to name one of somebody else; false if that cannot be seen */
export async function isEmptySession(id: number): Promise<boolean> {
  const processes = await otherProcesses();
  return processes.length > 0 && processes.every(({ session }) => session !== id);
}

async function straysOf(marks: StrayMarks): Promise<number[]> {
  const processes = await otherProcesses();
  const areMarked = await Promise.all(processes.map((one) => isMarked(one, marks)));
  const found = new Set(processes.filter((_, index) => areMarked[index]).map(({ pid }) => pid));
  // What a stray has started is one, too: a session and a parent are inherited.
  for (let count = -1; count < found.size; ) {
    count = found.size;
    for (const { pid, parent, session } of processes) if (found.has(parent) || found.has(session)) found.add(pid);
  }
  return [...found];
}

/** All processes but this one. Empty on systems other than Linux. */
async function otherProcesses(): Promise<Process[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid > 0 && pid !== process.pid);
  return (await Promise.all(pids.map(processOf))).filter((one) => one !== null);
}

/** @returns null if it has ended */
async function processOf(pid: number): Promise<Process | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The name of the program may contain anything.
  const [state, parent, , session, terminal] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (state === undefined || state === '' || state === 'Z') return null;
  return { pid, parent: Number(parent), session: Number(session), hasTerminal: terminal !== '0' };
}

async function isMarked({ pid, session, hasTerminal }: Process, marks: StrayMarks): Promise<boolean> {
  if (session === marks.session) return true;
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  if (environment.split('\0').includes(`HOME=${marks.folder}`)) return true;
  // Somebody who looks into the folder has a terminal, and an entrant has none.
  return !hasTerminal && (await linksOf(pid)).some((link) => isOf(link, marks));
}

/** Its working directory, and its open files. Empty if it has ended or belongs to another user. */
async function linksOf(pid: number): Promise<string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const names = ['cwd', ...descriptors.map((descriptor) => `fd/${descriptor}`)];
  return await Promise.all(names.map((name) => readlink(`/proc/${pid}/${name}`).catch(() => '')));
}

function isOf(link: string, { folder, outputs }: StrayMarks): boolean {
  return link === folder || link.startsWith(`${folder}/`) || outputs.includes(link);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended.
  }
}
