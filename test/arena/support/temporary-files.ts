// Where this process puts temporary files.
import type { Test } from 'tap';

/** Puts them in a folder until the test ends. */
export function putTemporaryFilesIn(t: Pick<Test, 'teardown'>, folder: string): void {
  const { TMPDIR } = process.env;
  process.env['TMPDIR'] = folder;
  t.teardown(() => {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
  });
}
