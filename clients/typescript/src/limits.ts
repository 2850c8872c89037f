// Every limit and default of the client, by name.

/** Requests in flight at a time, by default. */
export const CONCURRENCY = 8;
/** Calls that wait for their turn; a further one is refused at once. */
export const WAITING_CALLS_MAX = 1_000;
/** Calls of a WebSocket without a reply; a further one is refused at once. The server accepts fewer of them at a time. */
export const SOCKET_CALLS_MAX = 16_384;
/** Subscriptions that a WebSocket has asked for and the server has not answered; further ones wait. */
export const SUBSCRIBING_MAX = 128;
/** Players whose keys share a WebSocket: as many as the server takes, less one for a key of the client's own. */
export const PLAYERS_PER_SOCKET_MAX = 4_095;
/** Times that a request is sent, by default, the first one included. */
export const ATTEMPTS = 8;
/** Times that a call follows one server to another that leads, without a pause in between. */
export const LEADER_HOPS_MAX = 4;
/** Time that a call may take, all attempts and pauses included, by default. */
export const DEADLINE_MS = 60_000;
/** Time after which a client gives up that has had no reply yet, if every server refuses its connections, by default: nobody is there. */
export const FIRST_CONTACT_MS = 2_000;
/** Time after which an attempt without a whole reply is given up, by default; the next one may still succeed. */
export const ATTEMPT_DEADLINE_MS = 15_000;
/** Upper bound of the pause before the second attempt; it doubles with each further attempt. */
export const FIRST_PAUSE_MS = 100;
/** Upper bound of every pause, unless the server asks for a longer one. */
export const PAUSE_MS_MAX = 10_000;
/** Bytes of the body of a reply; the longest ones of a galaxyd are a few MiB. */
export const REPLY_BYTES_MAX = 64 * 1024 * 1024;
/** Characters of replies that are cached, by default. */
export const CACHE_CHARACTERS_MAX = 8 * 1024 * 1024;
/** Replies that are cached. */
export const CACHED_REPLIES_MAX = 1_024;
/** Longest time between two looks at the world's clock while waiting for an instant. */
export const LOOK_MS_MAX = 10 * 60_000;
/** The same while the clock stands: an operator moves it, or has paused it. */
export const STANDING_CLOCK_LOOK_MS = 1_000;
/** Shortest time between two looks. */
export const LOOK_MS_MIN = 20;
/** Longest time that a timer can be set to, 24 days; setTimeout() fires at once if it is longer. */
export const TIMER_MS_MAX = 2 ** 31 - 1;
/** Time without a connection after which readers of events fail, by default: a restarted server may have to replay for minutes. */
export const OUTAGE_MS_MAX = 30 * 60_000;
/** Time without a frame after which the client asks whether the server is there; after as long again the connection is given up. */
export const SILENCE_MS_MAX = 20_000;
/** Time that an unused WebSocket stays open. */
export const LINGER_MS = 1_000;
/** Events that wait for their reader; further ones wait at the server. */
export const BUFFERED_EVENTS_MAX = 1_000;
/** A world that was restored or forked counts its events on from a number that is higher by at least this. A smaller gap is an error. */
export const LINEAGE_GAP_MIN = 4_294_967_296;
/** Frames of the map that wait for their reader; then it continues later with a frame that has what it missed. */
export const BUFFERED_FRAMES_MAX = 8;
