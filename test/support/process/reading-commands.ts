// A program of its own: runs the operator's commands that read a data folder, one after the other in one process, and prints
// how each ended as JSON. Arguments: the data folder, and a folder for what they make.
import { join } from 'node:path';
import { logCommand } from '../../../cli/commands/log.js';
import { forkCommand, restoreCommand } from '../../../cli/commands/restore.js';
import { snapshotCommand } from '../../../cli/commands/snapshot.js';
import { snapshotsCommand } from '../../../cli/commands/snapshots.js';
import { verifyCommand } from '../../../cli/commands/verify.js';

/** In the order in which they run: the last one writes. */
const READING_COMMANDS = {
  verify: verifyCommand,
  restore: restoreCommand,
  fork: forkCommand,
  snapshots: snapshotsCommand,
  log: logCommand,
  snapshot: snapshotCommand,
} as const;
export type ReadingCommand = keyof typeof READING_COMMANDS;

export interface CommandEnding {
  readonly name: ReadingCommand;
  readonly code: number;
  readonly stderr: string;
}

const [, , dataFolder = '', place = ''] = process.argv;
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true;
const endings: CommandEnding[] = [];
for (const name of Object.keys(READING_COMMANDS) as ReadingCommand[]) {
  const lines: string[] = [];
  console.error = (...parts: unknown[]) => void lines.push(parts.map(String).join(' '));
  process.exitCode = 0;
  const to = name === 'restore' || name === 'fork' ? ['--to', join(place, name)] : [];
  await READING_COMMANDS[name]().parseAsync(['--data', dataFolder, ...to], { from: 'user' });
  endings.push({ name, code: Number(process.exitCode), stderr: lines.join('\n') });
}
process.exitCode = 0;
write(JSON.stringify(endings));
