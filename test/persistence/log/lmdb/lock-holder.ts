// A process of its own that locks a folder, reports it, and lives until it is killed (folder-lock.test.ts).
import { lockFolder } from '../../../../persistence/log/lmdb/folder-lock.js';

const [folder = '', platform = ''] = process.argv.slice(2);
await lockFolder(folder, platform as NodeJS.Platform);
process.stdout.write('locked\n');
setInterval(() => {}, 60_000);
