// A program of its own: runs command lines of `galaxyd` one after the other with cli/main.js, and prints a line of JSON
// for each that has ended. Starting Node and loading the program takes longer than most commands, so tests run many of
// them in one process. Arguments: the command lines, each a JSON list of words.
import files from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

export interface LineEnding {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Thrown instead of ending this process. */
class Exit extends Error {
  constructor(readonly code: number) {
    super(`exit ${code}`);
  }
}

const MAIN = new URL('../../../cli/main.js', import.meta.url).href;
const [node = '', own = '', ...lines] = process.argv;
const write = process.stdout.write.bind(process.stdout);
const { writeSync } = files;
let printed = { stdout: '', stderr: '' };

process.stdout.write = (text: string | Uint8Array) => {
  printed.stdout += String(text);
  return true;
};
process.stderr.write = (text: string | Uint8Array) => {
  printed.stderr += String(text);
  return true;
};
// The log lines of the server do not go through the streams.
files.writeSync = new Proxy(writeSync, {
  apply(target, self, args: [file: number, bytes: Buffer, offset: number]) {
    const [file, bytes, offset] = args;
    if (file !== 1 && file !== 2) return Reflect.apply(target, self, args);
    printed[file === 1 ? 'stdout' : 'stderr'] += bytes.toString('utf8', offset);
    return bytes.length - offset;
  },
});
syncBuiltinESMExports();
process.exit = (code) => {
  throw new Exit(Number(code));
};

for (const [index, line] of lines.entries()) {
  printed = { stdout: '', stderr: '' };
  process.exitCode = 0;
  process.argv = [node, own, ...(JSON.parse(line) as string[])];
  const code = await import(`${MAIN}?line=${index}`).then(
    () => Number(process.exitCode),
    (error: unknown) => {
      if (error instanceof Exit) return error.code;
      throw error;
    },
  );
  const ending: LineEnding = { code, ...printed };
  write(`${JSON.stringify(ending)}\n`);
}
process.exitCode = 0;
