// Every bound of the command line, by name.

/** How often a write to standard output or standard error that finds its pipe full is tried again before it is given up. */
export const OUTPUT_RETRIES_MAX = 50;
/** How long to wait before each. The server does nothing else meanwhile. */
export const OUTPUT_RETRY_MS = 2;
