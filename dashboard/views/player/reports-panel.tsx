// The reports of a player: each a line that says how it went, with the whole report behind it.
import type { ComponentChildren } from 'preact';
import { formatCount, formatPlural, formatType } from '../../parts/format.js';
import { Loaded } from '../../parts/notice.js';
import { Entries, Panel } from '../../parts/page.js';
import { counts, Table } from '../../parts/table.js';
import {
  CargoText,
  Count,
  PlanetLink,
  PlayerName,
  RichnessText,
  type ShipsOfType,
  ShipsText,
  say,
  shipsIn,
  TimeText,
  typeOf,
} from '../../parts/values.js';
import type { Shapes } from '../../world/api.js';
import { type PlayerPanelProps, useReports } from './player-reads.js';

type Report = Shapes['Report'];
type Combat = Shapes['CombatReport'];

const HIDDEN = 'Anti-spy hid them.';

export function ReportsPanel({ player: { id: playerId } }: PlayerPanelProps) {
  const reports = useReports(playerId).value;
  return (
    <Panel title="Reports">
      <Loaded document={reports}>
        {(body) => (
          <Entries entries={body} noun="reports" empty="There are no reports: no battle yet, and no spying.">
            {(report) => (
              <li key={report.id} class="entry">
                <ReportEntry report={report} playerId={playerId} />
              </li>
            )}
          </Entries>
        )}
      </Loaded>
    </Panel>
  );
}

function ReportEntry({ report, playerId }: { readonly report: Report; readonly playerId: string }) {
  const isAttacker = report.attackerId === playerId;
  const [outcome, word] = outcomeOf(report, isAttacker);
  return (
    <>
      <div class="entry-head">
        <span class={`badge is-${outcome}`}>{word}</span>
        <span class="way">
          {isAttacker ? 'against' : 'by'} <PlayerName playerId={isAttacker ? report.defenderId : report.attackerId} />{' '}
          at <PlanetLink planetId={report.planetId} />
        </span>
        <span class="queue-end">
          <TimeText at={report.at} form="distance" />
        </span>
      </div>
      <p class="entry-text">{summaryOf(report, isAttacker)}</p>
      <Whole report={report} />
    </>
  );
}

function outcomeOf(report: Report, isAttacker: boolean): readonly [outcome: string, word: string] {
  if (report.type === 'espionage') return ['spied', 'Spied'];
  if (report.type === 'espionage_detected') return ['lost', 'Spied on'];
  if (report.outcome === 'draw') return ['draw', 'Draw'];
  const isWon = (report.outcome === 'attacker_won') === isAttacker;
  const role = isAttacker ? 'attack' : 'defence';
  return isWon ? ['won', `Won the ${role}`] : ['lost', `Lost the ${role}`];
}

function summaryOf(report: Report, isAttacker: boolean): ComponentChildren {
  if (report.type === 'espionage_detected')
    return say`${<Count value={report.scouts} />} ${report.scouts === 1 ? 'scout was' : 'scouts were'} seen.`;
  if (report.type === 'espionage') return say`Found ${<CargoText amounts={report.stocks} none="empty stocks" />}.`;
  const [own, other] = isAttacker ? [report.attacker, report.defender] : [report.defender, report.attacker];
  const loot = <CargoText amounts={report.loot} before={isAttacker ? ' Took ' : ' Had to give '} />;
  return say`${shareText('Lost', own)}; ${shareText('destroyed', other)}.${loot}`;
}

/** Such as `lost 3 of 12 ships`. */
function shareText(verb: string, { sent, lost }: Combat['attacker']): string {
  const ships = shipsIn(sent);
  if (ships === 0) return verb === 'Lost' ? 'Had no ships' : 'met no ships';
  return `${verb} ${formatCount(shipsIn(lost))} of ${formatPlural(ships, 'ship')}`;
}

/** Everything that a report says. */
function Whole({ report }: { readonly report: Report }) {
  if (report.type === 'espionage_detected') return null;
  return (
    <details>
      <summary>Whole report</summary>
      <p class="entry-text">
        <TimeText at={report.at} form="both" />
      </p>
      {report.type === 'combat' ? <Battle report={report} /> : <Seen report={report} />}
    </details>
  );
}

/** What spies saw. Anti-spy hides some of it. */
function Seen({ report: { richness, ships, buildings } }: { readonly report: Shapes['EspionageReport'] }) {
  const levels = buildings?.map(({ type, level }) => `${formatType(type)} ${level}`).join(', ');
  return (
    <>
      <RichnessText richness={richness} />
      <p class="entry-text">
        <span class="label">Ships</span> {ships === null ? HIDDEN : <ShipsText ships={ships} isWhole none="none" />}
      </p>
      <p class="entry-text">
        <span class="label">Buildings</span> {levels ?? HIDDEN}
      </p>
    </>
  );
}

function Battle({ report }: { readonly report: Combat }) {
  const { attacker, defender, rounds, shieldHitPoints, cargoLost } = report;
  const types = new Set([...attacker.sent, ...defender.sent].map(typeOf));
  return (
    <>
      <p class="entry-text">
        {formatPlural(rounds, 'round')}
        {shieldHitPoints > 0 && `, planetary shield with ${shieldHitPoints} hit points`}
        <CargoText amounts={cargoLost} before=", cargo lost: " />
      </p>
      <Table
        caption="Ships in the battle"
        keyOf={(type) => type}
        rows={Array.from(types)}
        empty="Nobody had ships."
        columns={[
          { title: 'Ship', isHeading: true, cell: (type) => formatType(type) },
          counts<string>('Attacker', (type) => countOf(attacker.sent, type)),
          counts<string>('lost', (type) => countOf(attacker.lost, type)),
          counts<string>('Defender', (type) => countOf(defender.sent, type)),
          counts<string>('lost ', (type) => countOf(defender.lost, type)),
        ]}
      />
    </>
  );
}

const countOf = (ships: readonly ShipsOfType[], type: string): number =>
  ships.find((some) => typeOf(some) === type)?.count ?? 0;
