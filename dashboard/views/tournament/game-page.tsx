// One game of a tournament: how it ended, what each entrant did, and the way into the time machine.
import { Fragment } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { goTo, linkTo } from '../../address.js';
import { type Shortcut, useShortcuts } from '../../keyboard.js';
import { Count } from '../../parts/count.js';
import { type Fact, FactList } from '../../parts/fact-list.js';
import { formatCount, formatType, formatWorldTime } from '../../parts/format.js';
import { Icon } from '../../parts/icon.js';
import { More } from '../../parts/more.js';
import { Notice } from '../../parts/notice.js';
import { Page, Panel } from '../../parts/page.js';
import { PlayerName } from '../../parts/player-name.js';
import { type Column, Table } from '../../parts/table.js';
import type { Tournament, TournamentGame } from '../../world/tournament.js';
import { isMoving, movementFailure, moveReplay, position } from '../replay/replay.js';
import { EntrantName } from './entrant-name.js';
import { type GamePlayer, rankedPlayers, refusalsOf, refusedCount } from './standings.js';

interface GamePageProps {
  readonly tournament: Tournament;
  readonly number: number;
}

export function GamePage({ tournament, number }: GamePageProps) {
  const game = tournament.games.find((each) => each.number === number);
  useShortcuts(useMemo(() => shortcutsOf(tournament, number), [tournament, number]));
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
      subtitle={`Seed ${seed} · round ${formatCount(round)} · ${formatCount(tournament.settings.days)} world days`}
      actions={<Beside tournament={tournament} number={number} />}
    >
      <div class="tournament-game">
        <TimeMachine game={game} />
        {!game.isRepeatable && <NotRepeatable game={game} />}
        <Players game={game} entrants={tournament.entrants} />
        <div class="tournament-about">
          <Refusals game={game} entrants={tournament.entrants} />
          <FactList title="Identity" facts={factsOf(game)} />
        </div>
      </div>
    </Page>
  );
}

/** Shows the world of a game on the map. @returns whether it could be opened */
async function watch(game: number, atSeq?: number): Promise<boolean> {
  const isThere = await moveReplay(atSeq === undefined ? { game } : { game, atSeq });
  if (isThere) goTo({ view: 'universe' });
  return isThere;
}

function shortcutsOf({ games }: Tournament, number: number): readonly Shortcut[] {
  const show = (beside: number): void => {
    if (games.some((game) => game.number === beside)) goTo({ view: 'tournament', number: beside });
  };
  return [
    { key: 'n', label: 'Next game', action: () => show(number + 1) },
    { key: 'p', label: 'Previous game', action: () => show(number - 1) },
    { key: 'o', label: 'Open the game in the time machine', action: () => void watch(number) },
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

function TimeMachine({ game: { number, seq } }: { readonly game: TournamentGame }) {
  const isShown = position.value?.game === number;
  const [failedNumber, setFailed] = useState<number | null>(null);
  const failure = failedNumber === number ? movementFailure.value : null;
  const open = async (atSeq?: number): Promise<void> => {
    const isThere = await watch(number, atSeq);
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
        <button type="button" class="button is-primary" disabled={isMoving.value} onClick={() => void open()}>
          <Icon name="play" />
          Open in the time machine
        </button>
        <button type="button" class="button" disabled={isMoving.value} onClick={() => void open(seq)}>
          See how it ended
        </button>
      </div>
    </div>
  );
}

function NotRepeatable({ game: { players } }: { readonly game: TournamentGame }) {
  const late = players.filter(({ overruns }) => overruns > 0).map(({ label }) => label);
  return (
    <div class="not-repeatable" role="note">
      <strong>Not repeatable.</strong> An entrant ran out of time by the clock
      {late.length > 0 && (
        <>
          {' ('}
          {late.map((label, index) => (
            <Fragment key={label}>
              {index > 0 && ', '}
              <bdi>{label}</bdi>
            </Fragment>
          ))}
          )
        </>
      )}
      , so another run may differ. The promise of an identical result excludes this game; its log can be verified like
      any other.
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
          {isShown ? (
            <PlayerName playerId={playerId} name={label} />
          ) : (
            <EntrantName label={label} entrants={entrants} />
          )}
          {isWithdrawn && <span class="badge is-lost">withdrawn</span>}
        </span>
      ),
    },
    {
      title: 'Points',
      isNumber: true,
      cell: ({ points }) => (
        <span class="points">
          <span class="points-bar" style={{ width: `${(100 * points) / most}%` }} />
          <Count value={points} />
        </span>
      ),
    },
    { title: 'Start', isNumber: true, isMinor: true, cell: (player) => game.players.indexOf(player) + 1 },
    { title: 'Commands', isNumber: true, isMinor: true, cell: ({ commands }) => <Count value={commands} /> },
    { title: 'Refused', isNumber: true, isMinor: true, cell: (player) => <Count value={refusedCount(player)} /> },
    { title: 'Wake-ups', isNumber: true, isMinor: true, cell: ({ wakeups }) => <Count value={wakeups} /> },
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
              { title: 'Times', isNumber: true, cell: ({ count }) => <Count value={count} /> },
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
