// The reports of a player: each a line that says how it went, with the whole report behind it.
import { CargoText, type ShipsOfType, ShipsText, typeOf } from '../../parts/amounts.js';
import { Count } from '../../parts/count.js';
import { formatCount, formatShips, formatType } from '../../parts/format.js';
import { More } from '../../parts/more.js';
import { Loaded } from '../../parts/notice.js';
import { Panel } from '../../parts/page.js';
import { PlanetLink } from '../../parts/planet-link.js';
import { PlayerName } from '../../parts/player-name.js';
import { Table } from '../../parts/table.js';
import { TimeText } from '../../parts/time-text.js';
import type { Shapes } from '../../world/api.js';
import { useReports } from './player-reads.js';

type Report = Shapes['Report'];
type Combat = Shapes['CombatReport'];

export function ReportsPanel({ playerId }: { readonly playerId: string }) {
  const reports = useReports(playerId);
  return (
    <Panel title="Reports">
      <Loaded document={reports}>
        {(body) =>
          body.length === 0 ? (
            <p class="panel-empty">There are no reports: no battle yet, and no spying.</p>
          ) : (
            <More entries={body} noun="reports">
              {(shown) => (
                <ul class="entries">
                  {shown.map((report) => (
                    <li key={report.id} class="entry">
                      <ReportEntry report={report} playerId={playerId} />
                    </li>
                  ))}
                </ul>
              )}
            </More>
          )
        }
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
      <p class="entry-text">
        <Summary report={report} isAttacker={isAttacker} />
      </p>
      <Whole report={report} />
    </>
  );
}

type Outcome = 'won' | 'lost' | 'draw' | 'spied';

function outcomeOf(report: Report, isAttacker: boolean): readonly [outcome: Outcome, word: string] {
  switch (report.type) {
    case 'combat': {
      if (report.outcome === 'draw') return ['draw', 'Draw'];
      const isWon = (report.outcome === 'attacker_won') === isAttacker;
      const role = isAttacker ? 'attack' : 'defence';
      return isWon ? ['won', `Won the ${role}`] : ['lost', `Lost the ${role}`];
    }
    case 'espionage':
      return ['spied', 'Spied'];
    case 'espionage_detected':
      return ['lost', 'Spied on'];
  }
}

function Summary({ report, isAttacker }: { readonly report: Report; readonly isAttacker: boolean }) {
  if (report.type === 'espionage_detected')
    return (
      <>
        <Count value={report.scouts} /> {report.scouts === 1 ? 'scout was' : 'scouts were'} seen.
      </>
    );
  if (report.type === 'espionage')
    return (
      <>
        Found <CargoText amounts={report.stocks} none="empty stocks" />.
      </>
    );
  const [own, other] = isAttacker ? [report.attacker, report.defender] : [report.defender, report.attacker];
  return (
    <>
      {shareText('Lost', own)}; {shareText('destroyed', other)}.
      <CargoText amounts={report.loot} before={isAttacker ? ' Took ' : ' Had to give '} />
    </>
  );
}

/** Such as `lost 3 of 12 ships`. */
function shareText(verb: string, { sent, lost }: Combat['attacker']): string {
  const ships = shipsIn(sent);
  if (ships === 0) return verb === 'Lost' ? 'Had no ships' : 'met no ships';
  return `${verb} ${formatCount(shipsIn(lost))} of ${formatShips(ships)}`;
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
      {report.type === 'combat' ? (
        <Battle report={report} />
      ) : (
        <>
          <p class="entry-text">
            <span class="label">Ships</span>{' '}
            {report.ships === null ? 'Anti-spy hid them.' : <ShipsText ships={report.ships} isWhole none="none" />}
          </p>
          <p class="entry-text">
            <span class="label">Buildings</span>{' '}
            {report.buildings === null
              ? 'Anti-spy hid them.'
              : report.buildings.map(({ type, level }) => `${formatType(type)} ${level}`).join(', ')}
          </p>
        </>
      )}
    </details>
  );
}

function Battle({ report }: { readonly report: Combat }) {
  const { attacker, defender, rounds, shieldHitPoints, cargoLost } = report;
  const types = new Set([...attacker.sent, ...defender.sent].map(typeOf));
  return (
    <>
      <p class="entry-text">
        {rounds === 1 ? '1 round' : `${rounds} rounds`}
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
          { title: 'Attacker', isNumber: true, cell: (type) => <Count value={countOf(attacker.sent, type)} /> },
          { title: 'lost', isNumber: true, cell: (type) => <Count value={countOf(attacker.lost, type)} /> },
          { title: 'Defender', isNumber: true, cell: (type) => <Count value={countOf(defender.sent, type)} /> },
          { title: 'lost ', isNumber: true, cell: (type) => <Count value={countOf(defender.lost, type)} /> },
        ]}
      />
    </>
  );
}

function countOf(ships: readonly ShipsOfType[], type: string): number {
  return ships.find((some) => typeOf(some) === type)?.count ?? 0;
}

function shipsIn(ships: readonly ShipsOfType[]): number {
  return ships.reduce((sum, { count }) => sum + count, 0);
}
