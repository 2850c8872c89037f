// The process of the innocent client.
import { answerTask } from '../processes/child-measurement.js';
import { type InnocentResult, type InnocentTask, playInnocently } from './innocent-client.js';

await answerTask<InnocentTask, InnocentResult>(playInnocently);
