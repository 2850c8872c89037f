// Replies that several routes share.
import type { ReadonlyPlanet, ReadonlyPlayer } from '../../engine/state.js';
import type { Exchange } from '../exchange/exchange.js';
import type { GamePorts } from '../game/game-ports.js';
import { planetVersion } from '../views/planet-view.js';

/** The reply to a command: the planet that it changed. */
export function planetReply({ views, time }: GamePorts, planet: ReadonlyPlanet): string | Uint8Array {
  return views.planets.text(planet, time.nowMs);
}

/** The reply to a command of which there is nothing to show. */
export const successReply = (): string => '{"success":true}';

/**
 * Answers a read of a planet that shows how often it has changed, if no body is needed.
 *
 * @param planet undefined if nobody owns it
 * @returns false if the caller must answer
 */
export function answersUnchangedPlanet(
  { replies, world }: GamePorts,
  exchange: Exchange,
  planet: ReadonlyPlanet | undefined,
): boolean {
  const seq = planet?.changedSeq ?? world.planets.removedSeq;
  return replies.answersWithoutBody(exchange, seq, replies.tagOf(planetVersion(planet)));
}

/** Answers with a player's state. */
export function answerState({ replies, views, time }: GamePorts, exchange: Exchange, player: ReadonlyPlayer): void {
  // StateView lends the bytes: it writes the next state over them.
  exchange.isReplyLent = true;
  replies.answer(exchange, player.changedSeq, views.states.bytes(player, time.nowMs));
}
