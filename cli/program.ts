// galaxyd itself, for what starts it as another process.
import { fileURLToPath } from 'node:url';

/** Program and arguments that start galaxyd. */
export const GALAXYD: readonly string[] = [process.execPath, fileURLToPath(new URL('./main.js', import.meta.url))];
