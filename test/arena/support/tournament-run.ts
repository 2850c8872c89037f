// Short tournaments for tests, in this process. Servers and commands are processes of their own.
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { WALL_SECONDS_DEFAULT } from '../../../arena/limits.js';
import { entrantsOf } from '../../../arena/tournament/entrants.js';
import type { Settings, Tournament } from '../../../arena/tournament/result.js';
import type { Sandbox } from '../../../arena/tournament/sandbox.js';
import { RESULTS_FILE, resultsText } from '../../../arena/tournament/tables.js';
import { runTournament, type TournamentPorts } from '../../../arena/tournament/tournament.js';
import { type Finding, verifyTournament } from '../../../arena/tournament/verify.js';
import { tournamentPorts, verificationPorts } from '../../../cli/play/tournament-ports.js';
import { STANDARD_1_RULES } from '../../../engine/rules/shipped.js';
import { nameFault } from '../../../http/checks/player-names.js';
import { rulesIdentity } from '../../../persistence/rules/stored-rules.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';

/** The settings of a short tournament. The key secret is that of the README. */
export const SHORT: Settings = {
  rules: rulesIdentity(STANDARD_1_RULES),
  variation: null,
  days: 0.2,
  seeds: [1, 2],
  rounds: 1,
  commandsPerDay: 500,
  wakeupsPerDay: 24,
  wakeupsByOthersPerDay: 4,
  wallSecondsPerTurn: WALL_SECONDS_DEFAULT,
  speed: 1,
  systemsPerGalaxy: 300,
  keySecret: 'the-secret-of-an-example',
};

/** Where a tournament is played, and with what. */
interface Place {
  /** A new folder by default. */
  readonly out?: string;
  /** Folder in which command lines name files. */
  readonly programs?: string;
  readonly rulesSource?: string;
  readonly sandbox?: Sandbox | null;
}

export interface Played {
  readonly out: string;
  readonly result: Tournament;
}

/** Plays a tournament. @param entrants as in `--entrants` */
export async function played(
  t: Pick<Test, 'teardown'>,
  entrants: string,
  settings: Partial<Settings> = {},
  ports: Partial<TournamentPorts> = {},
  { out: given, programs = process.cwd(), rulesSource = 'standard-1', sandbox = null }: Place = {},
): Promise<Played> {
  const out = given ?? join(await temporaryFolder(t), 'tournament');
  const where = { folder: programs, path: process.env['PATH'] ?? '', nameFault };
  const options = {
    settings: { ...SHORT, ...settings },
    entrants: entrantsOf(entrants, where),
    rulesSource,
    out,
    jobs: 1,
    transport: null,
    sandbox,
  };
  const result = await runTournament(options, { ...tournamentPorts(), ...ports });
  return { out, result };
}

/** A copy of a tournament's folder in which something is changed. */
export async function altered(t: Test, out: string, change: (copy: string) => Promise<void>): Promise<string> {
  const copy = join(await temporaryFolder(t), 'altered');
  await cp(out, copy, { recursive: true });
  await change(copy);
  return copy;
}

/** Changes the result of a tournament in its folder, and the table that follows from it. */
export async function editResult(folder: string, edit: (result: Tournament) => void): Promise<void> {
  const path = join(folder, 'result.json');
  const result = JSON.parse(await readFile(path, 'utf8')) as Tournament;
  edit(result);
  await writeFile(path, `${JSON.stringify(result, undefined, 2)}\n`);
  if (Array.isArray(result.games)) await writeFile(join(folder, RESULTS_FILE), resultsText(result.games));
}

/** Changes a byte at each occurrence of a text in a file. LMDB leaves old copies of pages behind, in which a change has no effect. */
export async function changeBytes(path: string, text: string): Promise<void> {
  const bytes = await readFile(path);
  let at = bytes.indexOf(text);
  if (at < 0) throw new Error(`${path} does not hold ${text}`);
  for (; at >= 0; at = bytes.indexOf(text, at)) bytes[at] = (bytes[at] as number) ^ 1;
  await writeFile(path, bytes);
}

const ports = verificationPorts();

export async function findingsIn(folder: string): Promise<readonly Finding[]> {
  return (await verifyTournament(folder, ports)).findings;
}

/** Findings as the command line prints them, without the values. */
export function places(findings: readonly Finding[]): string[] {
  return findings.map(({ file, game, entrant, field }) =>
    [file, game === null ? '' : `game ${game}`, entrant ?? '', field].filter((part) => part !== '').join(', '),
  );
}
