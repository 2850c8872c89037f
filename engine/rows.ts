// A world as rows of primitives in one canonical order: its counters, then each player by number with all that belongs
// to it, then the kept replies. The state hash reads them; snapshots will. Whatever is state stands here; whatever is derived does not.
import type { KeptReply } from './kept-replies.js';
import type { Planet } from './planet-table.js';
import type { Report } from './reports.js';
import type { Fleet, Player, World } from './state.js';
import { NO_TIMER } from './timer-queue.js';

export type RowValue = string | number | boolean | null | readonly RowValue[];
export type Row = readonly RowValue[];

/** First value of each row; never reused. */
export const ROW_KINDS = { world: 1, player: 2, planet: 3, fleet: 4, report: 5, kept_reply: 6 } as const;

/** All rows of a world. The world must not change while they are being read. */
export function* worldRows(world: World): Generator<Row> {
  yield counterRow(world);
  for (const player of world.players) {
    if (player === undefined) continue;
    yield playerRow(world, player);
    for (const planet of player.planets) yield planetRow(world, planet);
    for (const fleet of player.fleets) yield fleetRow(world, fleet);
    for (const report of player.reports) yield reportRow(player, report);
  }
  for (const kept of world.keptReplies.inOrder()) yield keptReplyRow(kept);
}

function counterRow(world: World): Row {
  const { settings, starters } = world;
  return [
    ROW_KINDS.world,
    settings.seed,
    settings.systemsPerGalaxy,
    settings.speedThousandths,
    settings.rulesVersion,
    settings.startMs,
    world.seq,
    world.nowMs,
    world.humanNumber,
    world.lastFleetNumber,
    world.lastQueueNumber,
    world.lastReportNumber,
    world.lastTimerId,
    starters.pass,
    starters.galaxy,
    starters.turn,
    starters.step,
  ];
}

function playerRow(world: World, player: Player): Row {
  const { research } = player;
  return [
    ROW_KINDS.player,
    player.number,
    player.name,
    player.isBot,
    player.keyHash,
    player.changedSeq,
    player.starterCount,
    player.researchLevels,
    research === null
      ? null
      : [research.researchType, research.startedAtMs, research.finishAtMs, world.timers.idOf(research.timer)],
  ];
}

function planetRow(world: World, planet: Planet): Row {
  const { upgrade } = planet;
  return [
    ROW_KINDS.planet,
    planet.key,
    planet.ownerNumber,
    planet.changedSeq,
    planet.stock,
    planet.stockSinceMs,
    planet.levels,
    upgrade === null
      ? null
      : [
          upgrade.queueNumber,
          upgrade.buildingType,
          upgrade.targetLevel,
          upgrade.startedAtMs,
          upgrade.finishAtMs,
          world.timers.idOf(upgrade.timer),
        ],
    planet.ships,
    planet.orders.map((order) => [order.shipType, order.count, order.finishAtMs]),
    planet.orderTimer === NO_TIMER ? null : world.timers.idOf(planet.orderTimer),
  ];
}

function fleetRow(world: World, fleet: Fleet): Row {
  return [
    ROW_KINDS.fleet,
    fleet.number,
    fleet.owner.number,
    fleet.mission,
    fleet.originKey,
    fleet.targetKey,
    fleet.ships,
    fleet.cargo,
    fleet.drive,
    fleet.distance,
    fleet.flightMs,
    fleet.h2Cost,
    fleet.launchedAtMs,
    fleet.arrivesAtMs,
    fleet.returnsAtMs,
    fleet.recalledAtMs,
    fleet.isReturning,
    world.timers.idOf(fleet.timer),
  ];
}

function reportRow(reader: Player, report: Report): Row {
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

function keptReplyRow({ seq, scope, keyDigest, requestDigest, status, form, reply }: KeptReply): Row {
  return [ROW_KINDS.kept_reply, seq, scope, keyDigest, requestDigest, status, form, reply];
}
