// Loaded into a real galaxyd before its own program (node --import), it takes all descriptors except a few away from
// the server, and gives them back, at a signal. The file HOARD_ORDER contains how many it leaves, or "all". It answers
// each order on standard error.
import { readFileSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { Hoard } from './hoard.js';

const STANDARD_ERROR = 2;
const hoard = new Hoard();

// The process that takes snapshots is started with the same options.
if (basename(process.argv[1] ?? '', '.js') === 'main') {
  process.on('SIGUSR2', () => {
    hoard.giveBack();
    const order = readFileSync(process.env['HOARD_ORDER'] ?? '', 'utf8');
    if (order !== 'all') hoard.takeAllBut(Number(order));
    writeSync(STANDARD_ERROR, `left: ${order}\n`);
  });
}
