// The entrants of a tournament: their names, and their colours on the map and everywhere else.
import { useEffect } from 'preact/hooks';
import { colourOfEntrant, numberOfPlayer, setEntrants } from '../../colours.js';
import { Named } from '../../parts/values.js';
import { useTournament } from '../../world/documents.js';
import { position } from '../../world/replay.js';
import type { Entrant } from './standings.js';

/** An entrant: a chip in its colour and its label. */
export function EntrantName({ label, entrants }: { readonly label: string; readonly entrants: readonly Entrant[] }) {
  const place = entrants.findIndex((entrant) => entrant.label === label);
  return (
    <span class="player" title={label}>
      <Named colour={colourOfEntrant(place)} name={label} />
    </span>
  );
}

const NONE: ReadonlyMap<number, number> = new Map();

/** Gives the players of the game that is shown the colours of their entrants. It shows nothing itself. */
export function EntrantColours() {
  const { body } = useTournament().value;
  const number = position.value?.game ?? null;
  useEffect(() => {
    const game = body?.games.find((each) => each.number === number);
    if (body === null || game === undefined) return;
    const positions = new Map(body.entrants.map(({ label }, index) => [label, index]));
    setEntrants(
      new Map(game.players.map(({ playerId, label }) => [numberOfPlayer(playerId), positions.get(label) ?? -1])),
    );
    return () => setEntrants(NONE);
  }, [body, number]);
  return null;
}
