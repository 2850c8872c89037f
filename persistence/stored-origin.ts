// The shape of an origin as it is stored. A file of its own, because its schema library takes as long to load as a whole
// subcommand takes to run: `origin.ts` loads it only if there is an origin to check.
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';

/** `restore`: the world as it was at an earlier seq. `fork`: a new world that begins as the other one was. */
export const ORIGIN_KINDS = ['restore', 'fork'] as const;

const OriginSchema = Type.Object({
  kind: Type.Enum([...ORIGIN_KINDS]),
  /** Name of the data folder, or of the copied snapshot, that it was made from. */
  from: Type.String(),
  /** Last seq that it shares with the world it came from. */
  seq: Type.Integer(),
  /** World time at that seq, ISO 8601. */
  worldTime: Type.String(),
  stateHash: Type.String(),
  /** The machine's time at which it was made, ISO 8601. */
  madeAt: Type.String(),
});
export type Origin = Static<typeof OriginSchema>;

const checkedOrigin = Compile(OriginSchema);

/** Reports whether a value read from disk is an origin. */
export function isOrigin(value: unknown): value is Origin {
  return checkedOrigin.Check(value);
}
