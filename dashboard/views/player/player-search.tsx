// The search for players: by the beginning of a name among all, by a part of it among the leaders, or by id. It is a page, and a dialog over
// any view.
import { signal } from '@preact/signals';
import type { GalaxydClient } from 'galaxyd-client';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { goTo, route } from '../../address.js';
import { CHOICES_MAX, SEARCH_DELAY_MS, SEARCH_PAGES_MAX, SLOW_PERIOD_MS } from '../../limits.js';
import { Button } from '../../parts/button.js';
import { playerIdOf } from '../../parts/format.js';
import { Dialog } from '../../parts/notice.js';
import { Table } from '../../parts/table.js';
import { Count, PlanetLink, PlayerName } from '../../parts/values.js';
import { type FoundPlayer, useLeaderboard } from '../../world/documents.js';
import { rememberNames } from '../../world/names.js';
import { usePolled } from '../../world/poll.js';

export const isSearchOpen = signal(false);

export function openSearch(): void {
  isSearchOpen.value = true;
}

function closeSearch(): void {
  isSearchOpen.value = false;
}

route.subscribe(closeSearch);

export function SearchDialog() {
  return (
    <Dialog title="Search for a player" onClose={closeSearch}>
      <PlayerSearch />
    </Dialog>
  );
}

export function PlayerSearch() {
  const [text, setText] = useState('');
  const { found, isReading } = useFound(text.trim());
  // Whether the first one is to be shown as soon as the server has answered.
  const [isFirstWanted, setFirstWanted] = useState(false);
  const first = found[0]?.id;
  useEffect(() => {
    if (!isFirstWanted || isReading) return;
    setFirstWanted(false);
    if (first !== undefined) goTo({ view: 'player', playerId: first });
  }, [isFirstWanted, isReading, first]);
  const fieldId = useId();
  const place = useRef<HTMLElement>(null);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setFirstWanted(true);
  };
  return (
    <search
      aria-label="Players"
      ref={place}
      onKeyDown={(event) => {
        if (place.current !== null && moveFocus(place.current, event.key)) event.preventDefault();
      }}
    >
      <form class="player-search" onSubmit={submit}>
        <label class="field" for={fieldId}>
          <span>Name, or id such as player-12</span>
          <input
            id={fieldId}
            class="player-search-field"
            type="search"
            autoComplete="off"
            spellcheck={false}
            // biome-ignore lint/a11y/noAutofocus: who opens the search wants to type
            autoFocus
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <Button type="submit" look="is-primary">
          Show
        </Button>
      </form>
      <Table
        caption="Players found"
        keyOf={({ id }) => id}
        rows={found}
        empty={isReading ? 'Looking…' : text === '' ? 'Nobody plays yet.' : 'No name begins like this.'}
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
    </search>
  );
}

/** Moves the focus from the field along the names. @returns whether the key does that */
function moveFocus(place: HTMLElement, key: string): boolean {
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step === undefined) return false;
  const stops = Array.from(place.querySelectorAll<HTMLElement>('.player-search-field, tbody .player'));
  const now = stops.findIndex((stop) => stop.matches(':focus'));
  stops[now + step]?.focus();
  return true;
}

/** The leaders whose names contain the text, behind those whom the server finds. */
function useFound(text: string): { readonly found: readonly FoundPlayer[]; readonly isReading: boolean } {
  const leaders = useLeaderboard().value.body?.players ?? [];
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { state, body } = usePolled(
    `players like ${asked}`,
    (client, ended) => search(client, asked, ended),
    SLOW_PERIOD_MS,
  ).value;
  const wanted = text.toLocaleLowerCase();
  const near = leaders.filter(({ id, name }) => id === playerIdOf(text) || name.toLocaleLowerCase().includes(wanted));
  const far = asked === text ? (body ?? []) : [];
  const found = new Map([...far, ...near].map((player) => [player.id, player]));
  return { found: Array.from(found.values()).slice(0, CHOICES_MAX), isReading: asked !== text || state === 'loading' };
}

/** Asks on while the server has looked at a part of all players and found nobody. Nobody is asked for without a text. */
async function search(client: GalaxydClient, text: string, signal: AbortSignal) {
  const id = playerIdOf(text);
  const players: FoundPlayer[] = [];
  const read = async (query: {
    readonly name?: string;
    readonly ids?: string;
    readonly cursor?: string;
  }): Promise<string | null> => {
    const { body } = await client.get('/api/player', { params: { query: { ...query, limit: CHOICES_MAX } }, signal });
    players.push(...body.players);
    return body.nextCursor;
  };
  if (id !== null) await read({ ids: id });
  let cursor = text === '' ? null : '';
  for (let page = 0; cursor !== null && page < SEARCH_PAGES_MAX && players.length < CHOICES_MAX; page += 1)
    cursor = await read({ name: text, ...(cursor === '' ? {} : { cursor }) });
  rememberNames(players);
  return { body: players, isCached: false };
}
