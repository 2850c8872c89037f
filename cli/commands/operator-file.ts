// Reads a file that the operator has written for the server: a configuration, or keys. Links are followed, since managers of
// configurations place links; a pipe, a device or a file of any length is refused.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { withoutByteOrderMark } from '../../text/foreign-text.js';
import { OPERATOR_FILE_BYTES_MAX } from '../limits.js';

/** A file of the operator cannot be used as it is. */
export class UnfitOperatorFile extends Error {
  override readonly name = 'UnfitOperatorFile';
}

/** Something that is wrong with what such a file says. */
export interface FileFault {
  /** Null if it is not in one line, or not in the file alone. */
  readonly line: number | null;
  /** A sentence, or a clause about the file. */
  readonly message: string;
}

/** What a file says cannot be used. */
export class OperatorFileUnsound extends Error {
  override readonly name = 'OperatorFileUnsound';

  /** @param kind what the file should be, such as `a configuration` */
  constructor(
    readonly path: string,
    kind: string,
    readonly faults: readonly FileFault[],
  ) {
    super(`${path} is not ${kind} that can be used`);
  }

  /** One line for each fault. */
  get lines(): readonly string[] {
    return [`${this.message}:`, ...this.faults.map((fault) => `  ${faultText(fault)}`)];
  }
}

export function faultText({ line, message }: FileFault): string {
  return line === null ? message : `line ${line}: ${message}`;
}

export interface OperatorFile {
  readonly text: string;
  /** Whether others than its owner and its group may read or write it. False on systems without modes. */
  readonly isOpenToOthers: boolean;
}

/** To read a pipe would wait for ever. Windows has no such flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const OTHERS = 0o007;

/**
 * @throws UnfitOperatorFile
 * @throws Error of the operating system, if it cannot be read
 */
export async function readOperatorFile(path: string): Promise<OperatorFile> {
  const file = await open(path, FLAGS);
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new UnfitOperatorFile(`${path} is not a regular file`);
    if (found.size > OPERATOR_FILE_BYTES_MAX) {
      throw new UnfitOperatorFile(
        `${path} has ${found.size} bytes, more than the maximum of ${OPERATOR_FILE_BYTES_MAX}`,
      );
    }
    const text = await file.readFile('utf8');
    const isOpenToOthers = process.platform !== 'win32' && (found.mode & OTHERS) !== 0;
    return { text: withoutByteOrderMark(text), isOpenToOthers };
  } finally {
    await file.close();
  }
}
