// Stands for the package async-hook-domain in the bundled test library: an error that no test catches is reported by the test that caused
// it. The package watches the beginning and the end of every promise, which takes a quarter of the processor time of a test that awaits
// much. An AsyncLocalStorage only passes the test on.

import { AsyncLocalStorage } from 'node:async_hooks';

/** @type {AsyncLocalStorage<Domain>} */
const current = new AsyncLocalStorage();
/** @type {Set<Domain>} */
const living = new Set();

/** A test that runs. Everything that its AsyncResource starts belongs to it. */
export class Domain {
  #parent = current.getStore();
  /** @param {(error: unknown, origin: string) => void} onerror */
  constructor(onerror) {
    this.onerror = onerror;
    living.add(this);
    current.enterWith(this);
  }

  destroy() {
    living.delete(this);
  }

  /**
   * The innermost test that still runs, or the outermost one, if the error belongs to no test.
   * @returns {Domain | undefined}
   */
  static get responsible() {
    let domain = current.getStore();
    while (domain !== undefined && !living.has(domain)) domain = domain.#parent;
    return domain ?? [...living][0];
  }
}

process.on('uncaughtException', (error, origin) => {
  const domain = Domain.responsible;
  if (domain === undefined) throw error;
  domain.onerror(error, origin);
});
