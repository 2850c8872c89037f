// Every limit of the command line, by name.

/** How often a write to standard output or standard error is retried if the pipe is full. */
export const OUTPUT_RETRIES_MAX = 50;
/** How long to wait before each retry. The server is blocked meanwhile. */
export const OUTPUT_RETRY_MS = 2;

/** Worlds that one `galaxyd worlds` holds at the same time. Each has a listening socket. */
export const WORLDS_MAX = 4096;
/** Connections to each of them. */
export const WORLD_CONNECTIONS_MAX = 64;
/** Length of a line on standard input of `galaxyd worlds`. */
export const WORLD_LINE_LENGTH_MAX = 65_536;
