// A folder of its own for a test, removed at its end. It is under the system's temporary folder, because a socket's
// path must be short.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';

export async function temporaryFolder(t: Pick<Test, 'teardown'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'galaxyd-test-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
