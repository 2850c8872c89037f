// The only module of mcp/ that loads the TypeScript client. The build bundles it into one file, so an installed galaxyd needs
// no further package (decision 21).
import type { components } from 'galaxyd-client';

export {
  GalaxydClient,
  GalaxydProblem,
  NoReply,
  type Operation,
  operation,
  type Problem,
  type Result,
  stockAt,
} from 'galaxyd-client';

/** The shapes of the API, by name. */
export type Shapes = components['schemas'];
