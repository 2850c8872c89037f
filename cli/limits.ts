// Every limit of the command line, by name.

/** How often a write to standard output or standard error is retried if the pipe is full. */
export const OUTPUT_RETRIES_MAX = 50;
/** How long to wait before each retry. The server is blocked meanwhile. */
export const OUTPUT_RETRY_MS = 2;
