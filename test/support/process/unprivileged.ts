// Runs `galaxyd` as a user without permissions, because no folder is closed to root.
import type { Test } from 'tap';
import { runGalaxyd } from './galaxyd-process.js';

/** Drops the rights of root. */
const AS_NOBODY: readonly string[] = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];

/** The command prefix; null if no unprivileged user can run it here, and then the test is skipped with the reason. */
export async function unprivileged(t: Test): Promise<readonly string[] | null> {
  const by = process.getuid?.() === 0 ? AS_NOBODY : [];
  const probe = await runGalaxyd(t, { args: ['--version'], by });
  if (probe.code === 0) return by;
  t.pass('not tested', { skip: `an unprivileged user cannot run galaxyd here: ${probe.stderr}` });
  return null;
}
