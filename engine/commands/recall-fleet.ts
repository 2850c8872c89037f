// recall_fleet: an outbound fleet turns round; its flight back takes as long as it has been flying.
import { sendHome } from '../fleets.js';
import { recordIncomingFleetGone } from '../incoming-fleets.js';
import { refuse } from '../rejections.js';
import { type Fleet, recordActivity } from '../state.js';
import type { CommandDefinition } from './command.js';

export interface RecallFleet {
  readonly type: 'recall_fleet';
  readonly playerNumber: number;
  readonly fleetNumber: number;
}

export const recallFleet: CommandDefinition<RecallFleet, Fleet> = {
  type: 'recall_fleet',
  code: 14,
  decode: (row) => ({
    type: 'recall_fleet',
    playerNumber: row.integer('player'),
    fleetNumber: row.integer('fleet'),
  }),

  execute(world, { playerNumber, fleetNumber }) {
    const player = world.players[playerNumber];
    if (player === undefined) return refuse('player_not_found');
    const fleet = world.fleets.get(fleetNumber);
    if (fleet === undefined) return refuse('fleet_not_found');
    if (fleet.owner !== player) return refuse('not_owner');
    // A fleet that is due at its target has already arrived: the engine applies no command while a timer is due.
    if (fleet.isReturning) return refuse('fleet_not_in_transit');
    // commit
    fleet.recalledAtMs = world.nowMs;
    const returnsAtMs = world.nowMs + (world.nowMs - fleet.launchedAtMs);
    sendHome(world, fleet, returnsAtMs);
    recordActivity(world, playerNumber);
    world.events.push({
      kind: 'fleet_recalled',
      atMs: world.nowMs,
      playerNumber: fleet.owner.number,
      fleetNumber: fleet.number,
      mission: fleet.mission,
      originKey: fleet.originKey,
      targetKey: fleet.targetKey,
      returnsAtMs,
    });
    recordIncomingFleetGone(world, fleet);
    return fleet;
  },
};
