// A log on the disk of the temporary folder, gone when this process ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandLog } from '../../persistence/log/log.js';
import { storeAt } from '../../persistence/store-url.js';
import { atExit } from '../processes/at-exit.js';
import { TEMPORARY_PLACE } from '../processes/temporary-folder.js';

export async function openTemporaryLog(): Promise<CommandLog> {
  const folder = mkdtempSync(join(TEMPORARY_PLACE, 'galaxyd-bench-log-'));
  atExit(() => rmSync(folder, { recursive: true, force: true }));
  return (await storeAt(folder).open()).log;
}
