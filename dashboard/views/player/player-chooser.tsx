// Chooses a player: by name among the leaders, or by id.
import { useRef, useState } from 'preact/hooks';
import { goTo } from '../../address.js';
import { type Shortcut, useShortcuts } from '../../keyboard.js';
import { CHOICES_MAX } from '../../limits.js';
import { Count } from '../../parts/count.js';
import { formatCount } from '../../parts/format.js';
import { Loaded } from '../../parts/notice.js';
import { Page } from '../../parts/page.js';
import { PlanetLink } from '../../parts/planet-link.js';
import { PlayerName } from '../../parts/player-name.js';
import { Table } from '../../parts/table.js';
import type { Shapes } from '../../world/api.js';
import { useLeaderboard } from '../../world/leaderboard.js';

type Leaderboard = Shapes['Leaderboard'];

const SEARCH_ID = 'player-search';

const SHORTCUTS: readonly Shortcut[] = [
  { key: '/', label: 'Search for a player', action: () => document.getElementById(SEARCH_ID)?.focus() },
];

export function PlayerChooser() {
  useShortcuts(SHORTCUTS);
  const leaderboard = useLeaderboard();
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const players = leaderboard.value.body?.players ?? [];
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const playerId = idOf(text) ?? matchesOf(players, text)[0]?.id;
    if (playerId === undefined) field.current?.select();
    else goTo({ view: 'player', playerId });
  };
  return (
    <Page title="Players" subtitle={subtitleOf(leaderboard.value.body)}>
      <form class="player-search" onSubmit={submit}>
        <label class="field">
          <span>Name, or id such as player-12</span>
          <input
            id={SEARCH_ID}
            ref={field}
            type="search"
            autoComplete="off"
            spellcheck={false}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <button type="submit" class="button is-primary">
          Show
        </button>
      </form>
      <Loaded document={leaderboard}>{({ players }) => <Choices players={players} text={text} />}</Loaded>
    </Page>
  );
}

function Choices({ players, text }: { readonly players: Leaderboard['players']; readonly text: string }) {
  const playerId = idOf(text);
  return (
    <Table
      caption="Players found"
      keyOf={({ id }) => id}
      rows={matchesOf(players, text).slice(0, CHOICES_MAX)}
      empty={emptyText(players.length, playerId)}
      columns={[
        { title: 'Rank', isNumber: true, cell: ({ rank }) => <Count value={rank} /> },
        { title: 'Player', isHeading: true, cell: ({ id, name }) => <PlayerName playerId={id} name={name} /> },
        { title: 'Id', isMinor: true, cell: ({ id }) => id },
        { title: 'Points', isNumber: true, cell: ({ points }) => <Count value={points} /> },
        { title: 'Planets', isNumber: true, isMinor: true, cell: ({ planets }) => <Count value={planets} /> },
        {
          title: 'Home',
          isNumber: true,
          isMinor: true,
          cell: ({ home }) => (home === null ? '–' : <PlanetLink planetId={home.planetId} />),
        },
      ]}
    />
  );
}

function subtitleOf(leaderboard: Leaderboard | null): string {
  if (leaderboard === null) return ' ';
  const { playerCount, players } = leaderboard;
  if (playerCount <= players.length) return `${formatCount(playerCount)} in this world`;
  return `${formatCount(playerCount)} in this world; names are searched among the first ${formatCount(players.length)}`;
}

function emptyText(players: number, playerId: string | null): string {
  if (players === 0) return 'Nobody plays yet.';
  if (playerId !== null) return `${playerId} is not among the first ${formatCount(players)}. Press Enter to show it.`;
  return `No name among the first ${formatCount(players)} contains this. An id finds every player.`;
}

/** The id that a text is, `player-12` or `12`; null if it is none. */
function idOf(text: string): string | null {
  const found = /^(?:player-)?(\d{1,15})$/.exec(text.trim());
  return found === null ? null : `player-${found[1]}`;
}

function matchesOf(players: Leaderboard['players'], text: string): Leaderboard['players'] {
  const playerId = idOf(text);
  const wanted = text.trim().toLocaleLowerCase();
  return players.filter(({ id, name }) => id === playerId || name.toLocaleLowerCase().includes(wanted));
}
