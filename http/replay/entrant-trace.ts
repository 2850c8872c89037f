// What an entrant of a tournament did in a game, from the files beside the game: its trace, and the end of what it printed. The folder
// may come from anywhere, so lines of another shape are left out.
import type { Static } from 'typebox';
import { openPlainFile } from '../../persistence/files/plain-file.js';
import { Compile } from '../../persistence/typebox.js';
import { parsedJson } from '../../text/foreign-text.js';
import { TRACE_BYTES_MAX, TRACE_LINES_PER_REPLY_MAX, TRACE_OUTPUT_BYTES_MAX } from '../limits.js';
import { type TournamentTraceBody, TraceLine } from '../schemas/tournament.js';

/** The last line of a trace that is cut. */
const CUT_LINE_BYTES = 1_024;

const check = Compile(TraceLine);

type FoundTrace = Pick<TournamentTraceBody, 'lines' | 'lineCount' | 'isCut' | 'output'>;

const NO_TRACE: FoundTrace = { lines: [], lineCount: 0, isCut: false, output: null };

/**
 * @param path of the files of an entrant in a game, without their endings; null for none
 * @param offset how many of the first lines are left out
 * @param areRefused whether only refused requests are shown, and counted
 * @throws UnfitFile, an error of the operating system, except that there is no such file
 */
export async function readTrace(path: string | null, offset: number, areRefused: boolean): Promise<FoundTrace> {
  if (path === null) return NO_TRACE;
  const text = (await readEnd(`${path}.jsonl`, TRACE_BYTES_MAX + CUT_LINE_BYTES)) ?? '';
  // The last line of a server that was killed is not JSON.
  const values = text.split('\n').map(parsedJson);
  const lines = values.filter((value) => check.Check(value)).filter((line) => !areRefused || isRefused(line));
  return {
    lines: lines.slice(offset, offset + TRACE_LINES_PER_REPLY_MAX),
    lineCount: lines.length,
    isCut: values.some(isCutMark),
    output: await readEnd(`${path}.log`, TRACE_OUTPUT_BYTES_MAX),
  };
}

/** The last bytes of a file as text; null if there is none. */
async function readEnd(path: string, bytesMax: number): Promise<string | null> {
  const file = await openPlainFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    const length = Math.min(size, bytesMax);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Without a status the connection ended. */
const isRefused = ({ status }: Static<typeof TraceLine>): boolean => status === null || status >= 400;

const isCutMark = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'isCut' in value && value.isCut === true;
