// Runs groups of units, each in a fresh process, of this checkout or of another one.
import { UNIT_HEAP_MIB } from '../limits.js';
import { measureInChild } from '../processes/child-measurement.js';
import type { Reading, UnitAnswer, UnitTask } from './unit-case.js';

const PROGRAM = new URL('./program.js', import.meta.url);
const NODE_OPTIONS = ['--expose-gc', `--max-old-space-size=${UNIT_HEAP_MIB}`];

/**
 * @param program dist/bench/units/program.js of the checkout to measure; this one's by default
 * @throws Error with what went wrong in the process
 */
export async function measureUnits(
  task: UnitTask,
  onProgress: (text: string) => void,
  program: URL = PROGRAM,
): Promise<readonly Reading[]> {
  const { readings, consumed } = await measureInChild<UnitTask, UnitAnswer>(program, task, onProgress, NODE_OPTIONS);
  if (readings.length > 0 && consumed === 0) throw new Error(`the units ${task.group} gave no result`);
  return readings;
}
