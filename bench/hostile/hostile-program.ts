// The process that sends one hostile load, so that it does not share an event loop with the innocent client.
import { answerTask } from '../processes/child-measurement.js';
import { type HostileResult, type HostileTask, runHostileLoad } from './hostile-client.js';

await answerTask<HostileTask, HostileResult>((task, tell, finish) => runHostileLoad(task, () => tell('ready'), finish));
