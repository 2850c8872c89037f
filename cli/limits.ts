// Every limit of the command line, by name.

/** Retries of a write to standard output or standard error if the pipe is full. */
export const OUTPUT_RETRIES_MAX = 50;
/** Pause before each retry. The server is blocked meanwhile. */
export const OUTPUT_RETRY_MS = 2;

/** Bytes of a configuration file, and of a file of admin keys. */
export const OPERATOR_FILE_BYTES_MAX = 256 * 1024;

/** How often a copy that follows a server reports its position, if standard error is not a terminal. */
export const COPY_LINE_EVERY_MS = 10_000;
/** After the command that stops the server, a copy waits this long for the source before it reports that it waits. */
export const COPY_PATIENCE_MS = 5_000;
/** How long `galaxyd status` waits for the answer of a server. */
export const STATUS_DEADLINE_MS = 5_000;
/** Characters of a server's status that it prints; an honest one has a few thousand. */
export const STATUS_LENGTH_MAX = 65_536;

/** Worlds that one `galaxyd worlds` serves at the same time, if it may open enough files. */
export const WORLDS_MAX = 2048;
/**
 * Open files that a world may need: its listening socket and some connections. WORLDS_MAX times this must stay below
 * CONNECTIONS_MAX, because the server of each world counts all open files of the process.
 */
export const FILES_PER_WORLD = 4;
/** Characters of a line on standard input of `galaxyd worlds`. */
export const WORLD_LINE_LENGTH_MAX = 65_536;
/** How long `galaxyd admin` waits for the answer of a server: a snapshot of a large world takes long. */
export const ADMIN_DEADLINE_MS = 600_000;
/** How often it follows a process to the one that leads. */
export const LEADERS_FOLLOWED_MAX = 3;
