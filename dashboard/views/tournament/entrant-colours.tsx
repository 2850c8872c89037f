// Gives the players of the game that is shown the colours of their entrants, on the map and everywhere else.
import { useEffect } from 'preact/hooks';
import { numberOfPlayer, setEntrants } from '../../colours.js';
import { useTournament } from '../../world/tournament.js';
import { position } from '../replay/replay.js';

const NONE: ReadonlyMap<number, number> = new Map();

/** Shows nothing itself. */
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
