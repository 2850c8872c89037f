// The only module of arena/ that loads the TypeScript client. The build bundles it into one file, so an installed galaxyd needs no
// further package (decision 21).
import type { components } from 'galaxyd-client';

export {
  type Amounts,
  affordableAt,
  type BatchOptions,
  type ClientOptions,
  type EventData,
  EventsExpired,
  earliest,
  GalaxydClient,
  GalaxydProblem,
  type GalaxydSocket,
  type GameEvent,
  NoReply,
  type Operation,
  operation,
  type Problem,
  type Reply,
  type Resource,
  type Result,
  type Resync,
  stockAt,
} from 'galaxyd-client';

/** The shapes of the API, by name. */
export type Shapes = components['schemas'];
