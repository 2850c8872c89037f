// The text of GET /api/limits. All but what the caller has left is rendered once.

import type { Admission, AdmissionSettings } from '../admission/admission.js';
import { windowSecondsOf } from '../admission/request-limits.js';
import type { Exchange, Method } from '../exchange/exchange.js';
import {
  BATCH_BODY_BYTES_MAX,
  BATCH_OPERATIONS_MAX,
  BODY_BYTES_MAX,
  BODY_BYTES_PER_TOKEN,
  CLIENT_SILENCE_MS,
  EVENT_READERS_PER_PLAYER_MAX,
  EVENT_WAIT_SECONDS_MAX,
  EVENTS_PER_REPLY_MAX,
  MESSAGES_PER_REPLY_MAX,
  READER_STALL_MS,
} from '../limits.js';
import type { LimitsBody } from '../schemas/world.js';
import type { ConnectionLimits } from '../server/transport.js';

export interface LimitedOperation {
  readonly operationId: string;
  readonly method: Method;
  readonly path: string;
  readonly cost: number;
}

type ClientLimits = Pick<LimitsBody, 'requests' | 'registrations'>;

const MS_PER_SECOND = 1_000;

export class LimitsPage {
  /** JSON members, without the braces. */
  readonly #constantText: string;

  constructor(
    private readonly admission: Pick<Admission, 'levelsOf'>,
    private readonly settings: AdmissionSettings,
    { connectionsMax, connectionsPerAddressMax }: ConnectionLimits,
    operations: readonly LimitedOperation[],
  ) {
    const constant: Omit<LimitsBody, keyof ClientLimits> = {
      connections: {
        maximum: connectionsMax,
        perAddress: connectionsPerAddressMax,
        idleSeconds: CLIENT_SILENCE_MS / MS_PER_SECOND,
      },
      bodies: {
        bytes: BODY_BYTES_MAX,
        batchBytes: BATCH_BODY_BYTES_MAX,
        batchOperations: BATCH_OPERATIONS_MAX,
        bytesPerToken: BODY_BYTES_PER_TOKEN,
      },
      events: {
        perReply: EVENTS_PER_REPLY_MAX,
        waitSeconds: EVENT_WAIT_SECONDS_MAX,
        readersPerPlayer: EVENT_READERS_PER_PLAYER_MAX,
        stallSeconds: READER_STALL_MS / MS_PER_SECOND,
      },
      messages: { perReply: MESSAGES_PER_REPLY_MAX },
      costs: operations.map(({ operationId, method, path, cost }) => ({ operationId, method, path, cost })),
    };
    this.#constantText = JSON.stringify(constant).slice(1, -1);
  }

  /** The page for the sender of a request. Its version differs if it differs by more than the passing of time. */
  of(exchange: Exchange): { readonly version: string; readonly text: string } {
    const own = this.#clientLimits(exchange);
    const { requests, registrations } = own;
    return {
      version: `${requests?.countedBy}-${requests?.left}-${registrations?.left}`,
      text: `{${JSON.stringify(own).slice(1, -1)},${this.#constantText}}`,
    };
  }

  #clientLimits(exchange: Exchange): ClientLimits {
    const { rateLimits, registrationsPerMinute } = this.settings;
    const { countedBy, requests, registrations } = this.admission.levelsOf(exchange);
    return {
      requests:
        rateLimits === null || requests === null
          ? null
          : {
              countedBy,
              ...rateLimits,
              windowSeconds: windowSecondsOf(rateLimits),
              left: requests.left,
              fullInMs: Math.ceil(requests.fullInMs),
            },
      registrations:
        registrations === null
          ? null
          : {
              perMinute: registrationsPerMinute,
              left: registrations.left,
              fullInMs: Math.ceil(registrations.fullInMs),
            },
    };
  }
}
