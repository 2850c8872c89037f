// The settings and entrants of a tournament, and how to verify its result.
import { formatCount, formatPlural } from '../../parts/format.js';
import { type Fact, FactPanel, Panel } from '../../parts/page.js';
import { counts, Table } from '../../parts/table.js';
import { Unknown } from '../../parts/values.js';
import type { Tournament } from '../../world/documents.js';
import { EntrantName } from './entrants.js';
import type { Entrant } from './standings.js';

export function AboutPanel({ tournament }: { readonly tournament: Tournament }) {
  return (
    <>
      <div class="tournament-about">
        <FactPanel title="Settings" facts={factsOf(tournament)} />
        <Verification tournament={tournament} />
      </div>
      <Entrants entrants={tournament.entrants} />
    </>
  );
}

function factsOf({ settings, galaxyd }: Tournament): Fact[] {
  const { setting, rules, variation, seeds, keySecret } = settings;
  return [
    ...(setting === undefined ? [] : [['Setting', `${setting.name} ${setting.version}`] as const]),
    ['Rules', `${rules.name}, version ${rules.version}`],
    ['Digest of the rules', rules.digest],
    ...(variation === null ? [] : [['Variation of the rules', String(variation)] as const]),
    ['Length of a game', formatPlural(settings.days, 'world day')],
    ['Seeds', seedText(seeds)],
    ['Rounds', formatCount(settings.rounds)],
    ...(settings.playersPerGame === undefined
      ? []
      : [['Players per game', formatCount(settings.playersPerGame)] as const]),
    ['Commands per world day', formatCount(settings.commandsPerDay)],
    ['Wake-ups per world day', formatCount(settings.wakeupsPerDay)],
    ['Wake-ups by others per world day', formatCount(settings.wakeupsByOthersPerDay)],
    ['Time for a turn', `${formatCount(settings.wallSecondsPerTurn)} s`],
    ['Speed of the worlds', String(settings.speed)],
    ['Systems in a galaxy', formatCount(settings.systemsPerGalaxy)],
    ['Key secret', keySecret ?? 'published at the end'],
    ['Played with', `galaxyd ${galaxyd}`],
  ];
}

/** Seeds that follow each other are written as a range. */
function seedText(seeds: readonly number[]): string {
  const [first = 0] = seeds;
  const isRange = seeds.length > 2 && seeds.every((seed, index) => seed === first + index);
  return isRange ? `${first} to ${first + seeds.length - 1}` : seeds.join(', ');
}

function Verification({ tournament: { games } }: { readonly tournament: Tournament }) {
  const excluded = games.filter(({ isRepeatable }) => !isRepeatable);
  return (
    <Panel title="How to verify it">
      <div class="tournament-verify">
        <p>The folder of the tournament holds all worlds whole. Anybody who has it can replay each of them:</p>
        <pre class="command">galaxyd tournament verify FOLDER</pre>
        <p>
          This compares every state, score and log with the result. One byte that was changed anywhere is found, and
          named. The same entrants, rules, seeds and key secret give the same result again, byte for byte, on any
          machine.
        </p>
        {excluded.length > 0 && (
          <p class="is-warning">
            Except {formatPlural(excluded.length, 'game')}, in which an entrant ran out of time by the clock: another
            run may differ there.
          </p>
        )}
      </div>
    </Panel>
  );
}

function Entrants({ entrants }: Pick<Tournament, 'entrants'>) {
  return (
    <Panel title={`${entrants.length} entrants`}>
      <div class="entrants">
        <Table
          caption="Entrants"
          keyOf={({ label }) => label}
          rows={entrants}
          columns={[
            { title: 'Entrant', cell: ({ label }) => <EntrantName label={label} entrants={entrants} /> },
            {
              title: 'Kind',
              isMinor: true,
              cell: ({ kind }) => <Unknown text={kind === 'bot' ? 'bot of galaxyd' : 'program'} />,
            },
            {
              title: 'Plays as',
              isHeading: true,
              cell: ({ source }) => (
                <code class="entrant-source" title={source}>
                  <bdi>{source}</bdi>
                </code>
              ),
            },
            counts<Entrant>('Commands per day', ({ commandsPerDay }) => commandsPerDay, true),
            counts<Entrant>('Wake-ups per day', ({ wakeupsPerDay }) => wakeupsPerDay, true),
          ]}
        />
      </div>
    </Panel>
  );
}
