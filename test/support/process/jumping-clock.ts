// Loaded into a real galaxyd before its own program (node --import), it makes the machine's clock jump for that
// process: by the milliseconds in the file CLOCK_SHIFT, which is read again each time that the clock is read.
import { readFileSync } from 'node:fs';

const file = process.env['CLOCK_SHIFT'] ?? '';
const { now } = Date;
Date.now = () => now() + Number(readFileSync(file, 'utf8'));
globalThis.Date = new Proxy(Date, {
  construct(target, args) {
    return Reflect.construct(target, args.length === 0 ? [Date.now()] : args);
  },
});
