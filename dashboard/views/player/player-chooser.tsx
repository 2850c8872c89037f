// Chooses a player: by name among the leaders, or by id.
import { useRef, useState } from 'preact/hooks';
import { goTo } from '../../address.js';
import { type Shortcut, useShortcuts } from '../../keyboard.js';
import { CHOICES_MAX } from '../../limits.js';
import { Button } from '../../parts/button.js';
import { formatCount, playerIdOf } from '../../parts/format.js';
import { Loaded } from '../../parts/notice.js';
import { Page } from '../../parts/page.js';
import { counts, Table } from '../../parts/table.js';
import { PlanetLink, PlayerName } from '../../parts/values.js';
import type { Shapes } from '../../world/api.js';
import { type LeaderboardPlayer, useLeaderboard } from '../../world/documents.js';

type Leaderboard = Shapes['Leaderboard'];

const SEARCH_ID = 'player-search';

const SHORTCUTS: readonly Shortcut[] = [
  { key: '/', label: 'Search for a player', action: () => document.getElementById(SEARCH_ID)?.focus() },
];

export function PlayerChooser() {
  useShortcuts(SHORTCUTS);
  const leaderboard = useLeaderboard().value;
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const players = leaderboard.body?.players ?? [];
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const playerId = playerIdOf(text) ?? matchesOf(players, text)[0]?.id;
    if (playerId === undefined) field.current?.select();
    else goTo({ view: 'player', playerId });
  };
  return (
    <Page title="Players" subtitle={subtitleOf(leaderboard.body)}>
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
        <Button type="submit" look="is-primary">
          Show
        </Button>
      </form>
      <Loaded document={leaderboard}>{({ players }) => <Choices players={players} text={text} />}</Loaded>
    </Page>
  );
}

function Choices({ players, text }: { readonly players: Leaderboard['players']; readonly text: string }) {
  const playerId = playerIdOf(text);
  return (
    <Table
      caption="Players found"
      keyOf={({ id }) => id}
      rows={matchesOf(players, text).slice(0, CHOICES_MAX)}
      empty={emptyText(players.length, playerId)}
      columns={[
        counts<LeaderboardPlayer>('Rank', ({ rank }) => rank),
        { title: 'Player', isHeading: true, cell: ({ id, name }) => <PlayerName playerId={id} name={name} /> },
        { title: 'Id', isMinor: true, cell: ({ id }) => id },
        counts<LeaderboardPlayer>('Points', ({ points }) => points),
        counts<LeaderboardPlayer>('Planets', ({ planets }) => planets, true),
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

function matchesOf(players: Leaderboard['players'], text: string): Leaderboard['players'] {
  const playerId = playerIdOf(text);
  const wanted = text.trim().toLocaleLowerCase();
  return players.filter(({ id, name }) => id === playerId || name.toLocaleLowerCase().includes(wanted));
}
