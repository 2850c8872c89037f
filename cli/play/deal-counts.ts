// What the players of a finished game agreed on with each other and what became of it, counted from its events. The result of a game, its
// tables and its story have these counts from here. What players promise in words is not judged.
import type { Deals } from '../../arena/tournament/result.js';
import type { WorldEvent } from '../../engine/events/kinds.js';
import { ATTACK } from '../../engine/terms/missions.js';
import { otherParty } from '../../engine/world/pact-table.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { DAY_MS } from '../../http/turns/turn-game.js';

/** World time after the end of a pact in which an attack by the player who has cancelled it counts. */
const AFTER_BREAKING_MS = DAY_MS;

/** Of a player who has agreed on nothing. */
export const NO_DEALS: Deals = {
  pactsProposed: 0,
  pactsAccepted: 0,
  pactsHonoured: 0,
  pactsBroken: 0,
  attacksAfterBreaking: 0,
  offersMade: 0,
  offersSold: 0,
  offersExpired: 0,
  offersTaken: 0,
  messagesSent: 0,
};

/** Counts while a log is replayed. Takes each event once, in order. */
export class DealCounts {
  /** Indexed by player number. */
  readonly #counts = new Map<number, Record<keyof Deals, number>>();
  /** By `attacker target`, the world time until which attacks count, since the attacker has cancelled a pact. */
  readonly #brokenUntilMs = new Map<string, number>();

  /** @param world after the entry that caused the event */
  note(world: ReadonlyWorld, event: WorldEvent): void {
    const deal = this.#dealOf(world, event);
    if (deal !== null) this.#countsOf(event.playerNumber)[deal] += 1;
    if (event.kind === 'pact_cancelled' && event.playerNumber === event.byNumber)
      this.#brokenUntilMs.set(
        `${event.byNumber} ${otherParty(event, event.byNumber)}`,
        event.endsAtMs + AFTER_BREAKING_MS,
      );
  }

  /** Whether an event is the launch of an attack at a player with whom the attacker has just cancelled a pact. */
  isAttackAfterBreaking({ planets }: ReadonlyWorld, event: WorldEvent): boolean {
    if (event.kind !== 'fleet_launched' || event.mission !== ATTACK) return false;
    const target = planets.get(event.targetKey)?.ownerNumber;
    return event.atMs <= (this.#brokenUntilMs.get(`${event.playerNumber} ${target}`) ?? 0);
  }

  /** @param world at the end of the game, up to which its pacts in force were honoured */
  of({ pacts }: ReadonlyWorld, playerNumber: number): Deals {
    const counts = this.#counts.get(playerNumber) ?? NO_DEALS;
    const inForce = pacts.of(playerNumber).filter((pact) => pact.isInForce && pact.cancelledByNumber === 0);
    return { ...counts, pactsHonoured: counts.pactsHonoured + inForce.length };
  }

  #countsOf(playerNumber: number): Record<keyof Deals, number> {
    const counts = this.#counts.get(playerNumber) ?? { ...NO_DEALS };
    this.#counts.set(playerNumber, counts);
    return counts;
  }

  /** Both parties receive most events, and only one of them did what counts. @returns what counts of the player who receives the event */
  #dealOf(world: ReadonlyWorld, event: WorldEvent): keyof Deals | null {
    const { playerNumber } = event;
    switch (event.kind) {
      case 'pact_proposed':
        return playerNumber === event.proposerNumber ? 'pactsProposed' : null;
      case 'pact_began':
        return playerNumber === event.partnerNumber ? 'pactsAccepted' : null;
      case 'pact_cancelled':
        return playerNumber === event.byNumber ? 'pactsBroken' : null;
      case 'pact_ended':
        return event.reason === 'over' ? 'pactsHonoured' : null;
      case 'fleet_launched':
        return this.isAttackAfterBreaking(world, event) ? 'attacksAfterBreaking' : null;
      case 'offer_made':
        return playerNumber === event.makerNumber ? 'offersMade' : null;
      case 'offer_taken':
        return playerNumber === event.makerNumber ? 'offersSold' : 'offersTaken';
      case 'offer_ended':
        return playerNumber === event.makerNumber && event.reason === 'expired' ? 'offersExpired' : null;
      case 'message_sent':
      case 'message_broadcast':
        return 'messagesSent';
      default:
        return null;
    }
  }
}
