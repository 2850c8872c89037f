// The process that runs one open loop.
import { answerTask } from '../processes/child-measurement.js';
import { type OpenLoad, type OpenRunResult, runOpenLoop } from './open-loop-run.js';

await answerTask<OpenLoad, OpenRunResult>(runOpenLoop);
