// The row of a report that a player keeps. A report on a battle is a row of each of the two players. Its lists cover
// the types that existed when it was filed; the rules may have more by now.

import { BUILDING_LEVEL_MAX, COMBAT_ROUNDS_MAX, STOCK_UNITS_MAX, TYPE_NAME_LENGTH_MAX } from '../rules/limits.js';
import { CARGO_RESOURCE_COUNT, RESOURCES } from '../rules/resources.js';
import type { Rules } from '../rules/rules.js';
import { COMBAT_OUTCOMES, type CombatOutcome, type Losses, type Report, type ReportHead } from '../terms/reports.js';
import type { Player } from '../world/player-table.js';
import { ROW_KINDS, type Row, type RowReader } from './row.js';
import type { WorldDraft } from './world-draft.js';

/** Number of values at the start of every report. */
const HEAD_LENGTH = 8;

export function writeReport(reader: Player, report: Report): Row {
  const head = [
    ROW_KINDS.report,
    reader.number,
    report.number,
    report.type,
    report.atMs,
    report.planetKey,
    report.attackerNumber,
    report.defenderNumber,
  ];
  switch (report.type) {
    case 'combat':
      return [
        ...head,
        report.outcome,
        report.rounds,
        report.shieldHitPoints,
        [report.attacker.sent, report.attacker.lost, report.attacker.left],
        [report.defender.sent, report.defender.lost, report.defender.left],
        report.loot,
        report.cargoLost,
      ];
    case 'espionage':
      return [...head, report.stocks, report.ships, report.buildings];
    case 'espionage_detected':
      return [...head, report.scouts];
  }
}

export function readReport(draft: WorldDraft, row: RowReader): void {
  const { world, owner } = draft;
  row.integer('reader', owner.number, owner.number);
  const number = row.integer('number', 1, world.lastReportNumber);
  const type = row.text('type', TYPE_NAME_LENGTH_MAX);
  const head = {
    number,
    atMs: row.integer('time', 0, world.nowMs),
    planetKey: row.integer('planet'),
    attackerNumber: draft.referencePlayer(row.integer('attacker', 1)),
    defenderNumber: draft.referencePlayer(row.integer('defender', 1)),
  };
  if (!world.universe.holds(head.planetKey)) throw new Error(`the universe has no planet ${head.planetKey}`);
  world.reports.add(owner, readContent(world.rules, type, head, row));
}

function readContent(rules: Rules, type: string, head: ReportHead, row: RowReader): Report {
  switch (type) {
    case 'combat':
      row.requireLength(HEAD_LENGTH + 7);
      return {
        ...head,
        type,
        outcome: outcomeOf(row.text('outcome', TYPE_NAME_LENGTH_MAX)),
        rounds: row.integer('rounds', 0, COMBAT_ROUNDS_MAX),
        shieldHitPoints: row.integer('shield hit points'),
        attacker: readLosses(rules, row.group('attacker losses', 3)),
        defender: readLosses(rules, row.group('defender losses', 3)),
        loot: row.integers('loot', CARGO_RESOURCE_COUNT),
        cargoLost: row.integers('lost cargo', CARGO_RESOURCE_COUNT),
      };
    case 'espionage':
      row.requireLength(HEAD_LENGTH + 3);
      return {
        ...head,
        type,
        stocks: row.integers('stocks', RESOURCES.length, 0, STOCK_UNITS_MAX),
        ships: row.fewIntegersOrNull('ships', rules.ships.length, 0, Number.MAX_SAFE_INTEGER),
        buildings: row.fewIntegersOrNull('buildings', rules.buildings.length, 0, BUILDING_LEVEL_MAX),
      };
    case 'espionage_detected':
      row.requireLength(HEAD_LENGTH + 1);
      return { ...head, type, scouts: row.integer('scouts', 1) };
    default:
      throw new Error(`the report type "${type}" is unknown`);
  }
}

function outcomeOf(text: string): CombatOutcome {
  const outcome = COMBAT_OUTCOMES.find((known) => known === text);
  if (outcome === undefined) throw new Error(`the outcome "${text}" is unknown`);
  return outcome;
}

function readLosses({ ships }: Rules, losses: RowReader): Losses {
  return {
    sent: losses.fewIntegers('ships sent', ships.length),
    lost: losses.fewIntegers('ships lost', ships.length),
    left: losses.fewIntegers('ships left', ships.length),
  };
}
