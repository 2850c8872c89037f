// An entrant: a chip in its colour and its label. Labels are text from strangers: they are only ever text nodes.
import { colourOfEntrant } from '../../colours.js';
import type { Entrant } from './standings.js';

interface EntrantNameProps {
  readonly label: string;
  /** Of the tournament. */
  readonly entrants: readonly Entrant[];
}

export function EntrantName({ label, entrants }: EntrantNameProps) {
  const place = entrants.findIndex((entrant) => entrant.label === label);
  return (
    <span class="player" title={label}>
      <span class="chip" style={{ backgroundColor: colourOfEntrant(place) }} />
      <bdi class="player-name">{label}</bdi>
    </span>
  );
}
