// Waiting before something is read again.

/** Resolves after a time, or at once if the signal is aborted meanwhile. */
export function pause(lengthMs: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      ended.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, lengthMs);
    ended.addEventListener('abort', end);
  });
}
