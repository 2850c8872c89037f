// Counts what readers of events do, for the metrics. Each reader adds to the counts itself.

/** How an event reaches a client. */
export type ReaderKind = 'long_poll' | 'stream' | 'socket';

/**
 * Why the server ends a reader: its client lagged until the next event was no longer kept (`expired`), or read nothing for
 * READER_STALL_MS (`stalled`); it has no key that is valid (`unauthenticated`); it broke the protocol or a limit of it
 * (`misbehaved`); its player was retired (`retired`); the process is not sure that it leads (`no_leader`).
 */
export type CutReason = 'expired' | 'stalled' | 'unauthenticated' | 'misbehaved' | 'retired' | 'no_leader';

export class ReaderCounts {
  /** Long polls that wait for an event. */
  longPollsHeld = 0;
  /** Open streams of server-sent events. */
  streamsOpen = 0;
  /** Open WebSocket connections. */
  socketsOpen = 0;
  /** Subscriptions of all WebSocket connections. */
  subscriptions = 0;
  /** Subscriptions to the map. */
  mapViewers = 0;
  /** Frames of the map that were made: for all viewers, and for those that have missed some. */
  readonly mapFramesMade = { shared: 0, own: 0 };
  /** Frames of the map given to the transport, and their characters. */
  mapFramesDelivered = 0;
  mapCharactersDelivered = 0;
  /** Events given to the transport. */
  readonly delivered: Record<ReaderKind, number> = { long_poll: 0, stream: 0, socket: 0 };
  /** Streams and WebSocket connections that the server ended. */
  readonly cutOff: Record<CutReason, number> = {
    expired: 0,
    stalled: 0,
    unauthenticated: 0,
    misbehaved: 0,
    retired: 0,
    no_leader: 0,
  };
}
