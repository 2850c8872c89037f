// Every limit of the command line, by name.

/** How often a write to standard output or standard error is retried if the pipe is full. */
export const OUTPUT_RETRIES_MAX = 50;
/** How long to wait before each retry. The server is blocked meanwhile. */
export const OUTPUT_RETRY_MS = 2;

/** How often a copy that follows a server says where it is, if standard error is no terminal. */
export const COPY_LINE_EVERY_MS = 10_000;
/** How long a copy waits for the source to be released, after the command that stops the server, before it says so. */
export const COPY_PATIENCE_MS = 5_000;
/** How long `galaxyd status` waits for a server's answer. */
export const STATUS_DEADLINE_MS = 5_000;
/** Characters of a server's status that it prints; an honest one has a few thousand. */
export const STATUS_LENGTH_MAX = 65_536;

/** Worlds that one `galaxyd worlds` holds at the same time, if it may open enough files. */
export const WORLDS_MAX = 2048;
/**
 * Open files that a world may need: its listening socket and some connections. Times WORLDS_MAX it must stay below CONNECTIONS_MAX:
 * the server of each world takes all open files of the process for its own connections.
 */
export const FILES_PER_WORLD = 4;
/** Length of a line on standard input of `galaxyd worlds`. */
export const WORLD_LINE_LENGTH_MAX = 65_536;
