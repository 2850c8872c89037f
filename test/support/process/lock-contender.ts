// A process that wants the lock of tools/lock.mjs, and ends while it holds it, by itself or by SIGKILL. Exit code 3 says that
// another living process held the lock at the same time.
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const HELD_MS = 2;
const [lockModule = '', claims = '', holder = ''] = process.argv.slice(2);

type WithLock = (work: () => Promise<void>, folder: string) => Promise<void>;
const { withLock } = (await import(lockModule)) as { readonly withLock: WithLock };

await withLock(async () => {
  if (isHeld()) process.exit(3);
  writeFileSync(holder, String(process.pid));
  await delay(HELD_MS);
  if (readFileSync(holder, 'utf8') !== String(process.pid)) process.exit(3);
  // It leaves the lock behind.
  process.kill(process.pid, 'SIGKILL');
}, claims);

function isHeld(): boolean {
  const pid = Number(readFileSync(holder, 'utf8'));
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}
