// The faults of entrants: crashes, refused starts and overruns, counted and in words; and whose connections were too many.
import type { GameTiming } from './folder.js';
import type { Tournament, TournamentPlayer } from './result.js';

/** What faults need of a player of a game. */
export type Faulty = Pick<TournamentPlayer, 'isWithdrawn' | 'earlyEnd' | 'overruns'>;

/** Number of faults of a player in a game: each overrun is one, and so is an early end. */
export function faultsIn({ earlyEnd, overruns }: Faulty): number {
  return overruns + (earlyEnd === null ? 0 : 1);
}

/** The faults of an entrant in all games. */
export interface EntrantFaults {
  readonly label: string;
  /** Number of the first game with a fault. */
  readonly game: number;
  /** What it did wrong, how often, and how first. */
  readonly words: string;
  /** Whether its output is in a file of that game. */
  readonly hasLog: boolean;
}

/**
 * The faults of each entrant that has any, in the order of the entrants.
 *
 * @param timings of the games; empty if they are not known. Only they have the connections, which differ from run to run
 */
export function faultyEntrants({ entrants, games }: Tournament, timings: readonly GameTiming[]): EntrantFaults[] {
  const refusedIn = new Map(timings.map(({ number, refusedConnections }) => [number, refusedConnections]));
  return entrants.flatMap(({ label, kind }) => {
    const rows = games.flatMap(({ number, players }) => {
      const refused = refusedIn.get(number)?.[label] ?? 0;
      const own = players.filter((one) => one.label === label && faultsIn(one) + refused > 0);
      return own.map((player) => ({ number, player, refused }));
    });
    const [first] = rows;
    if (first === undefined) return [];
    const refused = rows.reduce((sum, row) => sum + row.refused, 0);
    const words = faultWords(
      rows.map(({ player }) => player),
      refused,
    );
    return [{ label, game: first.number, words, hasLog: kind === 'command' }];
  });
}

function faultWords(players: readonly Faulty[], refusedConnections: number): string {
  const ends = players.flatMap(({ earlyEnd }) => earlyEnd ?? []);
  const crashes = ends.filter(({ kind }) => kind === 'crash');
  const [crash] = crashes;
  const refusedStarts = ends.length - crashes.length;
  const overruns = players.reduce((sum, one) => sum + one.overruns, 0);
  return [
    ...(crash === undefined
      ? []
      : [
          `ended before ${counted(crashes.length, 'game')} ${crashes.length === 1 ? 'was' : 'were'} over (${endWords(crash)})`,
        ]),
    ...(refusedStarts === 0 ? [] : [`could not be started in ${counted(refusedStarts, 'game')}`]),
    ...(overruns === 0 ? [] : [`ran out of time in ${counted(overruns, 'turn')}`]),
    ...(refusedConnections === 0 ? [] : [`opened ${counted(refusedConnections, 'connection')} too many`]),
  ].join(', ');
}

function endWords({ exitCode, signal }: NonNullable<Faulty['earlyEnd']>): string {
  if (signal !== null) return signal;
  return exitCode === null ? 'the bot failed' : `exit code ${exitCode}`;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
