// What a brief says of reports: for each where, when, and what came of it, on one line of bounded length.
import { RESOURCES } from '../../engine/rules/resources.js';
import { planetId, playerId, reportId } from '../../engine/terms/ids.js';
import type { CombatReport, EspionageReport, Losses, Report } from '../../engine/terms/reports.js';
import type { ReadonlyPlayer, ReadonlyWorld } from '../../engine/world/state.js';
import { isoText } from '../exchange/iso-time.js';
import { BRIEF_REPORT_LIST_LENGTH_MAX, BRIEF_REPORTS_MAX } from '../limits.js';
import { listed } from './listed.js';
import { buildingLevels, shipCounts } from './ships.js';

/** The newest reports of a player first. */
export function newestReports({ reports }: ReadonlyPlayer): readonly Report[] {
  return reports.slice(-BRIEF_REPORTS_MAX).reverse();
}

export function reportLine(world: ReadonlyWorld, report: Report, playerNumber: number): string {
  const { number, type, planetKey, atMs, attackerNumber } = report;
  const role = attackerNumber === playerNumber ? 'you sent the fleet' : `by ${playerId(world, attackerNumber)}`;
  const outcome = type === 'combat' ? ` ${report.outcome}` : '';
  const place = planetId(world.universe, planetKey);
  const head = `- ${reportId(number)} ${type}${outcome} on ${place}, ${isoText(atMs)}, ${role}`;
  return `${head}: ${contentOf(world, report)}`;
}

function contentOf(world: ReadonlyWorld, report: Report): string {
  switch (report.type) {
    case 'combat':
      return combatText(world, report);
    case 'espionage':
      return espionageText(world, report);
    case 'espionage_detected':
      return `${report.scouts} scouts seen`;
  }
}

function combatText(world: ReadonlyWorld, { attacker, defender, loot }: CombatReport): string {
  const taken = unitsText(loot);
  return `attacker lost ${lossText(world, attacker)}; defender lost ${lossText(world, defender)}; loot ${taken}`;
}

function lossText({ rules }: ReadonlyWorld, { sent, lost }: Losses): string {
  const had = shipCounts(rules, sent);
  if (had.length === 0) return 'nothing, without ships';
  const texts = shipCounts(rules, lost).map(({ shipType, count }) => {
    return `${count} of ${had.find((one) => one.shipType === shipType)?.count} ${shipType}`;
  });
  return listed(texts, BRIEF_REPORT_LIST_LENGTH_MAX) || 'no ship';
}

function espionageText({ rules }: ReadonlyWorld, { stocks, ships, buildings }: EspionageReport): string {
  const shown = (items: readonly string[] | undefined): string =>
    items === undefined ? 'hidden' : listed(items, BRIEF_REPORT_LIST_LENGTH_MAX) || 'none';
  const fleet =
    ships === null ? undefined : shipCounts(rules, ships).map(({ shipType, count }) => `${count} ${shipType}`);
  const levels =
    buildings === null ? undefined : buildingLevels(rules, buildings).map(({ type, level }) => `${type} ${level}`);
  return `stocks ${unitsText(stocks)}; ships ${shown(fleet)}; buildings ${shown(levels)}`;
}

function unitsText(units: readonly number[]): string {
  const texts = units.flatMap((count, resource) => (count === 0 ? [] : [`${count} ${RESOURCES[resource]}`]));
  return texts.join(' ') || 'nothing';
}
