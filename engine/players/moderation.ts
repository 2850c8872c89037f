// What the operator does to a single player, short of retiring it: suspension, and another name.

import { FORMER_NAMES_PER_PLAYER_MAX } from '../rules/record-limits.js';
import type { Player } from '../world/player-table.js';
import { markPlans, touchPlayer, type World } from '../world/state.js';

/** Suspends a player: its commands are refused, and its plans wait. What it has begun goes on, and it can be attacked. */
export function suspend(world: World, player: Player): void {
  player.suspendedAtMs = world.nowMs;
  touchPlayer(world, player);
  markPlans(world, player);
  world.events.push({ kind: 'player_suspended', atMs: world.nowMs, playerNumber: player.number });
}

/** Ends the suspension of a player. Its plans go on at once. */
export function resume(world: World, player: Player): void {
  player.suspendedAtMs = null;
  touchPlayer(world, player);
  markPlans(world, player);
  world.events.push({ kind: 'player_resumed', atMs: world.nowMs, playerNumber: player.number });
}

/** Gives a player another name, which nobody else has or had. Call it only if there is room among its former names. */
export function rename(world: World, player: Player, name: string, nameKey: string): void {
  const { number, name: formerName, nameKey: formerKey, formerNames } = player;
  const isNewKey = world.namedNumbers.numberOf(nameKey) === 0;
  const kept = formerNames.filter((former) => former.name !== name);
  player.setName(name, nameKey);
  player.formerNames = [...kept, { name: formerName, nameKey: formerKey }];
  if (player.formerNames.length > FORMER_NAMES_PER_PLAYER_MAX) throw new Error(`player ${number} has too many names`);
  if (isNewKey) world.namedNumbers.add(nameKey, number);
  touchPlayer(world, player);
  // Planets are shown with the name of their owner.
  for (let planet = player.firstPlanet; planet !== undefined; planet = planet.next) planet.changedSeq = world.seq + 1;
  world.planets.ownerGone(world.seq + 1);
  world.leaderboard.renamed();
  world.events.push({ kind: 'player_renamed', atMs: world.nowMs, playerNumber: number, name, formerName });
}
