// One game of a tournament: how it ended, what each entrant did, and the way into the time machine.
import { Fragment } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { goTo, linkTo } from '../../address.js';
import { type Shortcut, useShortcuts } from '../../keyboard.js';
import { WATCHED_SPEED } from '../../limits.js';
import { Button, Icon } from '../../parts/button.js';
import { formatCount, formatPlural, formatType, formatWorldTime } from '../../parts/format.js';
import { Notice } from '../../parts/notice.js';
import { type Fact, FactPanel, More, Page, Panel } from '../../parts/page.js';
import { type Column, counts, Table } from '../../parts/table.js';
import { PlayerName, Points } from '../../parts/values.js';
import type { Target } from '../../routes.js';
import { api, failureOf } from '../../world/api.js';
import type { Tournament, TournamentGame } from '../../world/documents.js';
import { isMoving, movementFailure, moveReplay, position } from '../../world/replay.js';
import { EntrantName } from './entrants.js';
import { type GamePlayer, type Refusal, rankedPlayers, refusalsOf, refusedCount } from './standings.js';
import { TracePanel } from './trace-panel.js';

interface GamePageProps {
  readonly tournament: Tournament;
  readonly number: number;
}

export function GamePage({ tournament, number }: GamePageProps) {
  const game = tournament.games.find((each) => each.number === number);
  const shown = useRef({ tournament, number });
  shown.current = { tournament, number };
  useShortcuts(useMemo(() => shortcutsOf(() => shown.current), []));
  if (game === undefined)
    return (
      <Notice title={`There is no game ${number}`}>
        <p>{tournament.isFinished ? '' : 'It may not be over yet.'}</p>
        <a href={linkTo({ view: 'tournament', number: null })}>Back to the standings</a>
      </Notice>
    );
  const { seed, round } = game;
  return (
    <Page
      title={`Game ${number}`}
      subtitle={`Seed ${seed} · round ${formatCount(round)} · ${formatPlural(tournament.settings.days, 'world day')}`}
      actions={<Beside tournament={tournament} number={number} />}
    >
      <div class="tournament-game">
        <TimeMachine game={game} />
        {!game.isRepeatable && <NotRepeatable game={game} />}
        <Players game={game} entrants={tournament.entrants} />
        <div class="tournament-about">
          <Refusals game={game} entrants={tournament.entrants} />
          <FactPanel title="Identity" facts={factsOf(game)} />
        </div>
        <TracePanel game={game} />
      </div>
    </Page>
  );
}

type Moment = 'beginning' | 'end';

/** Shows the world of a game on the map: plays it from its beginning, or shows its end. @returns whether it could be opened */
async function watch({ number, seq, players }: TournamentGame, moment: Moment): Promise<boolean> {
  // Before its players are there, a world is empty.
  const atSeq = moment === 'end' ? seq : Math.min(1 + players.length, seq);
  if (!(await moveReplay({ game: number, atSeq }))) return false;
  goTo(await settledPlace());
  if (moment === 'beginning') await moveReplay({ isPlaying: true, speed: WATCHED_SPEED });
  return true;
}

/** The galaxy in which all players are, or the map of all galaxies. */
async function settledPlace(): Promise<Target> {
  try {
    const { body } = await api.peek().get('/api/map');
    const [galaxy, ...others] = body.galaxies.filter(({ players }) => players > 0);
    if (galaxy !== undefined && others.length === 0) return { view: 'galaxy', galaxy: galaxy.index };
  } catch (error) {
    failureOf(error);
  }
  return { view: 'universe' };
}

/** @param shown what the page shows when a key is pressed: the keys stay the same from game to game */
function shortcutsOf(shown: () => GamePageProps): readonly Shortcut[] {
  const gameBeside = (distance: number): TournamentGame | undefined => {
    const { tournament, number } = shown();
    return tournament.games.find((game) => game.number === number + distance);
  };
  const show = (distance: number): void => {
    const game = gameBeside(distance);
    if (game !== undefined) goTo({ view: 'tournament', number: game.number });
  };
  const watchShown = (): void => {
    const game = gameBeside(0);
    if (game !== undefined) void watch(game, 'beginning');
  };
  return [
    { key: 'n', label: 'Next game', action: () => show(1) },
    { key: 'p', label: 'Previous game', action: () => show(-1) },
    { key: 'o', label: 'Watch the game in the time machine', action: watchShown },
  ];
}

function Beside({ tournament: { games }, number }: GamePageProps) {
  const link = (beside: number, label: string, icon: 'previous' | 'next') =>
    games.some((game) => game.number === beside) && (
      <a class="button" href={linkTo({ view: 'tournament', number: beside })}>
        <Icon name={icon} />
        {label}
      </a>
    );
  return (
    <>
      <a class="button" href={linkTo({ view: 'tournament', number: null })}>
        Standings
      </a>
      {link(number - 1, `Game ${number - 1}`, 'previous')}
      {link(number + 1, `Game ${number + 1}`, 'next')}
    </>
  );
}

function TimeMachine({ game }: { readonly game: TournamentGame }) {
  const { number } = game;
  const isShown = position.value?.game === number;
  const [failedNumber, setFailed] = useState<number | null>(null);
  const failure = failedNumber === number ? movementFailure.value : null;
  const open = async (moment: Moment): Promise<void> => {
    const isThere = await watch(game, moment);
    setFailed(isThere ? null : number);
  };
  return (
    <div class="time-machine">
      <p class="time-machine-text" role="status">
        {failure !== null
          ? failure.message
          : isShown
            ? 'This game is in the time machine: every view shows its world.'
            : 'The time machine shows its world at any moment. All who look at this replay see the same game.'}
      </p>
      <div class="time-machine-buttons">
        <Button look="is-primary" icon="play" disabled={isMoving.value} onClick={() => void open('beginning')}>
          Watch it in the time machine
        </Button>
        <Button disabled={isMoving.value} onClick={() => void open('end')}>
          See how it ended
        </Button>
      </div>
    </div>
  );
}

function NotRepeatable({ game: { players } }: { readonly game: TournamentGame }) {
  const late = players.filter(({ overruns }) => overruns > 0).map(({ label }) => label);
  return (
    <div class="not-repeatable" role="note">
      <strong>Not repeatable.</strong> An entrant ran out of time by the clock
      {late.length > 0 && ' ('}
      {late.map((label, index) => (
        <Fragment key={label}>
          {index > 0 && ', '}
          <bdi>{label}</bdi>
        </Fragment>
      ))}
      {late.length > 0 && ')'}, so another run may differ. The promise of an identical result excludes this game; its
      log can be verified like any other.
    </div>
  );
}

interface PlayersProps {
  readonly game: TournamentGame;
  readonly entrants: Tournament['entrants'];
}

function Players({ game, entrants }: PlayersProps) {
  const most = Math.max(1, ...game.players.map(({ points }) => points));
  const isShown = position.value?.game === game.number;
  const columns: readonly Column<GamePlayer>[] = [
    { title: 'Place', isNumber: true, cell: ({ rank }) => (Number.isInteger(rank) ? rank : rank.toFixed(1)) },
    {
      title: 'Entrant',
      isHeading: true,
      cell: ({ label, playerId, isWithdrawn }) => (
        <span class="game-name">
          {isShown && <PlayerName playerId={playerId} name={label} />}
          {!isShown && <EntrantName label={label} entrants={entrants} />}
          {isWithdrawn && <span class="badge is-lost">withdrawn</span>}
        </span>
      ),
    },
    { title: 'Points', isNumber: true, cell: ({ points }) => <Points points={points} most={most} /> },
    { title: 'Start', isNumber: true, isMinor: true, cell: (player) => game.players.indexOf(player) + 1 },
    counts('Commands', ({ commands }) => commands, true),
    counts('Refused', refusedCount, true),
    counts('Wake-ups', ({ wakeups }) => wakeups, true),
    {
      title: 'Overruns',
      isNumber: true,
      isMinor: true,
      cell: ({ overruns }) => (overruns === 0 ? '0' : <span class="is-warning">{formatCount(overruns)}</span>),
    },
  ];
  return (
    <Panel title="Result">
      <Table
        caption="Entrants by place in the game"
        keyOf={({ label }) => label}
        rows={rankedPlayers(game)}
        columns={columns}
      />
    </Panel>
  );
}

function Refusals({ game, entrants }: PlayersProps) {
  return (
    <Panel title="Refused commands">
      <More entries={refusalsOf(game)} noun="rows">
        {(rows) => (
          <Table
            caption="Refused commands by entrant and error code"
            keyOf={({ label, code }) => `${code} ${label}`}
            rows={rows}
            empty="None was refused."
            columns={[
              { title: 'Why', isHeading: true, cell: ({ code }) => formatType(code) },
              { title: 'Entrant', cell: ({ label }) => <EntrantName label={label} entrants={entrants} /> },
              counts<Refusal>('Times', ({ count }) => count),
            ]}
          />
        )}
      </More>
    </Panel>
  );
}

function factsOf({ worldTime, seq, orderSeed, stateHash, logDigest }: TournamentGame): Fact[] {
  return [
    ['Ended at', `${formatWorldTime(Date.parse(worldTime))} world time`],
    ['Entries of the log', formatCount(seq)],
    ['Seed of the order of turns', String(orderSeed)],
    ['State hash', <code class="digest">{stateHash}</code>],
    ['Digest of the log', <code class="digest">{logDigest}</code>],
  ];
}
