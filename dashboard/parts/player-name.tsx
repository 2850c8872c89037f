// A player: a chip in its colour, its name and a link to its page. Names are text from strangers: they are only ever text nodes.
import { linkTo } from '../address.js';
import { colourOfPlayer, numberOfPlayer } from '../colours.js';
import { nameOfPlayer } from '../world/names.js';

interface PlayerNameProps {
  readonly playerId: string;
  /** By default the name that was seen last, or the id. */
  readonly name?: string;
}

export function PlayerName({ playerId, name }: PlayerNameProps) {
  const shown = name ?? nameOfPlayer(playerId) ?? playerId;
  return (
    <a class="player" href={linkTo({ view: 'player', playerId })} title={`${shown} (${playerId})`}>
      <PlayerChip player={numberOfPlayer(playerId)} />
      <bdi class="player-name">{shown}</bdi>
    </a>
  );
}

/** The colour of a player; the name beside it says who it is. */
export function PlayerChip({ player }: { readonly player: number }) {
  return <span class="chip" style={{ backgroundColor: colourOfPlayer(player) }} />;
}
