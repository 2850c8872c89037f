// Readers in a process of their own, for as long as something else is measured beside them.
import { measureInChild } from '../processes/child-measurement.js';
import type { ReadersResult, ReadersTask } from './event-readers.js';

export interface ReaderStay {
  /** Asks the readers to leave, once no more events come. */
  leave(): Promise<ReadersResult>;
}

/** Settles when all readers have subscribed and have caught up. */
export function startReaders(task: ReadersTask): Promise<ReaderStay> {
  const leaving = new AbortController();
  return new Promise((resolve, reject) => {
    const leave = () => {
      leaving.abort();
      return result;
    };
    const options = { onProgress: () => resolve({ leave }), finish: leaving.signal };
    const module = new URL('./event-readers.js', import.meta.url);
    const result = measureInChild<ReadersTask, ReadersResult>(module, task, options);
    result.catch(reject);
  });
}
