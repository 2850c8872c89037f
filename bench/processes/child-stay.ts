// A measurement in a process of its own that lasts for as long as something else is measured beside it.
import { measureInChild } from './child-measurement.js';

export interface Stay<Result> {
  /** Asks the measurement to finish, and resolves to its result. */
  leave(): Promise<Result>;
}

/** Begins the measurement of a module. Settles with its first report, with which it says that it is under way. */
export function startStay<Task extends object, Result>(module: URL, task: Task): Promise<Stay<Result>> {
  const leaving = new AbortController();
  return new Promise((resolve, reject) => {
    const leave = () => {
      leaving.abort();
      return result;
    };
    const options = { onProgress: () => resolve({ leave }), finish: leaving.signal };
    const result = measureInChild<Task, Result>(module, task, options);
    result.catch(reject);
  });
}
