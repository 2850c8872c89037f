// A process of its own that ends itself at once, as after a fatal error (crash.test.ts).
import { killProcess } from '../../../persistence/fatal.js';

killProcess(new Error(`its last words: ${'x'.repeat(100_000)}`));
