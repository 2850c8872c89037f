// Running `galaxyd` as somebody to whom a folder can be closed: nothing is closed to root.
import type { Test } from 'tap';
import { runGalaxyd } from './galaxyd-process.js';

/** Makes of root somebody without rights. */
const AS_NOBODY: readonly string[] = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];

/** What has to stand before the program; null, and the test is skipped with the reason, where nobody can run it here. */
export async function unprivileged(t: Test): Promise<readonly string[] | null> {
  const by = process.getuid?.() === 0 ? AS_NOBODY : [];
  const probe = await runGalaxyd(t, { args: ['--version'], by });
  if (probe.code === 0) return by;
  t.pass('not tested', { skip: `nobody cannot run galaxyd here: ${probe.stderr}` });
  return null;
}
