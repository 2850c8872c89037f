// The types of the client beside this file, and the shapes of the API by name.
import type { components } from 'galaxyd-client';

export * from 'galaxyd-client';

export type Shapes = components['schemas'];
