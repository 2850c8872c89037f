// The world of a run, as all of its parts see it.
import type { ChosenSettings } from '../../persistence/recovery/genesis.js';
import type { Clock } from '../../persistence/time/clock.js';
import type { Durability } from '../../persistence/writer/group-commit.js';
import type { Parts } from './parts.js';
import type { Stage } from './stage.js';
import type { Truth } from './truth.js';

export interface SimulatedWorld {
  readonly stage: Stage;
  readonly truth: Truth;
  readonly parts: Parts;
  readonly settings: ChosenSettings;
  readonly clockKind: Clock['kind'];
  readonly durability: Durability;
}
