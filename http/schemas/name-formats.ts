// The formats of names in request schemas. Each has a sentence for what it refuses.
import { NAME_UNITS_MAX } from '../../engine/rules/record-limits.js';
import { Format } from '../../persistence/typebox.js';
import { nameFault, prefixFault } from '../admission/player-names.js';

export const NAME_FORMAT = 'player-name';
export const NAME_PREFIX_FORMAT = 'player-name-prefix';

/** By format: what is wrong with a text, after the name of its field. */
export const FORMAT_FAULTS: Readonly<Record<string, (text: string) => string | undefined>> = {
  [NAME_FORMAT]: nameFault,
  [NAME_PREFIX_FORMAT]: prefixFault,
};

for (const [name, faultOf] of Object.entries(FORMAT_FAULTS)) {
  // A longer text is refused for its length. Looking for emoji in a megabyte would hold up all other requests for a second.
  Format.Set(name, (text) => text.length > NAME_UNITS_MAX || faultOf(text) === undefined);
}
