// A folder of its own for a test, gone with it. Under the system's own folder, since a socket's path must be short.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';

export async function temporaryFolder(t: Pick<Test, 'teardown'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'galaxyd-test-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
