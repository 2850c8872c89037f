// The one table of refusals, in order of precedence. An expected refusal is a value, never an exception.
import type { ResourceName } from '../rules/resources.js';

/** Classes of refusals in order of precedence: something is missing, not owned, in conflict, or not possible. */
export type RefusalClass = 'not_found' | 'forbidden' | 'conflict' | 'unprocessable';

export interface RefusalRule {
  readonly class: RefusalClass;
  readonly title: string;
}

/** Rows are in the order of the checks. Codes are stable (specification, section 3). */
export const REFUSALS = {
  player_not_found: { class: 'not_found', title: 'There is no such player.' },
  planet_not_found: { class: 'not_found', title: 'There is no such planet.' },
  fleet_not_found: { class: 'not_found', title: 'There is no such fleet that the player can command.' },
  offer_not_found: { class: 'not_found', title: 'There is no such open offer that the player can see.' },
  pact_not_found: { class: 'not_found', title: 'There is no such pact.' },
  building_not_found: { class: 'not_found', title: 'The planet has no such building.' },
  queue_entry_not_found: { class: 'not_found', title: 'There is no such entry in the queue.' },
  not_owner: { class: 'forbidden', title: 'The request names something that the player does not own.' },
  player_suspended: {
    class: 'forbidden',
    title: 'The operator has suspended the player, who changes nothing meanwhile.',
  },
  name_taken: { class: 'conflict', title: 'The name is that of another player, or looks like it.' },
  building_exists: { class: 'conflict', title: 'The planet already has a building of this type.' },
  upgrade_in_progress: { class: 'conflict', title: 'Another building of the planet is being upgraded.' },
  other_ship_in_production: { class: 'conflict', title: 'Another ship type is in production on the planet.' },
  research_in_progress: { class: 'conflict', title: 'The player already has a research in progress.' },
  planet_occupied: { class: 'conflict', title: 'The planet already has an owner.' },
  starter_limit_reached: { class: 'conflict', title: 'The player has as many starter planets as the rules allow.' },
  fleet_not_in_transit: { class: 'conflict', title: 'The fleet is already on its way back.' },
  fleet_not_stationed: { class: 'conflict', title: 'The fleet is not stationed at a planet of the player.' },
  universe_full: { class: 'conflict', title: 'The universe has no planet left for another starter.' },
  limit_reached: { class: 'conflict', title: 'A limit of the world has been reached.' },
  plans_not_in_rules: { class: 'conflict', title: 'The rules of the world have no plans.' },
  sight_not_in_rules: { class: 'conflict', title: 'The rules of the world let planets see no flights.' },
  messages_not_in_rules: { class: 'conflict', title: 'The rules of the world have no messages.' },
  blocked_by_receiver: { class: 'conflict', title: 'The receiver takes no messages of the player.' },
  message_limit_reached: { class: 'conflict', title: 'The player has sent as many messages as it may for now.' },
  market_not_in_rules: { class: 'conflict', title: 'The rules of the world have no market.' },
  shocks_not_in_rules: { class: 'conflict', title: 'The rules of the world have no shocks.' },
  pacts_not_in_rules: { class: 'conflict', title: 'The rules of the world have no pacts.' },
  pact_exists: { class: 'conflict', title: 'The two players have such a pact already, or one is proposed.' },
  pact_in_force: { class: 'conflict', title: 'The pact is in force already.' },
  pact_ending: { class: 'conflict', title: 'The pact has been cancelled already.' },
  rules_not_compatible: { class: 'conflict', title: 'The world cannot switch to these rules.' },
  trade_not_possible: { class: 'unprocessable', title: 'Nobody can trade this.' },
  offer_out_of_reach: { class: 'unprocessable', title: 'The maker of the offer cannot send the goods to this planet.' },
  insufficient_ships: { class: 'unprocessable', title: 'The origin planet does not have enough of these ships.' },
  no_drive_available: { class: 'unprocessable', title: 'No researched drive can fly this far.' },
  hangar_capacity_exceeded: { class: 'unprocessable', title: 'The hangars cannot hold all carried ships.' },
  insufficient_h2: { class: 'unprocessable', title: 'There is not enough h2 for the flight.' },
  cargo_capacity_exceeded: { class: 'unprocessable', title: 'The cargo exceeds the capacity of the ships.' },
  shipyard_required: { class: 'unprocessable', title: 'The planet needs a shipyard of level 1.' },
  nothing_in_production: { class: 'unprocessable', title: 'No such ship is in production on the planet.' },
  insufficient_resources: { class: 'unprocessable', title: 'The planet does not have enough resources.' },
  deliveries_used_up: {
    class: 'unprocessable',
    title:
      'A side would receive more beyond the value of what it gives than its planet still takes from other players.',
  },
  mission_not_possible: { class: 'unprocessable', title: 'The mission is not possible.' },
  pact_with_oneself: { class: 'unprocessable', title: 'A pact needs two players.' },
} as const satisfies Record<string, RefusalRule>;

export type RefusalCode = keyof typeof REFUSALS;

/** What a client needs to act on a refusal, besides its code. */
export interface RefusalFacts {
  /** The reason in one sentence, if the code alone does not say it. */
  readonly reason?: string;
  /** What is missing, in whole numbers, by name: a resource, a ship type, or room as `hangar` or `cargo`. */
  readonly missing?: Readonly<Record<string, number>>;
  /** The missing resource that production alone covers last, or never. */
  readonly scarcest?: ResourceName | undefined;
  /** World time at which production alone covers what is missing; null if it never does. */
  readonly affordableAtMs?: number | null;
  /** World time at which the same command is possible again. */
  readonly possibleAtMs?: number;
  /** What is in the way until it is complete. */
  readonly inProgress?: InProgress;
  /** The player who owns what the command needs. */
  readonly owner?: { readonly id: string; readonly name: string; readonly isBot: boolean };
  /** The limit that has been reached: its name in engine/rules/limits.ts and its value. */
  readonly limit?: { readonly name: string; readonly maximum: number };
}

/** An upgrade, a research or the ship orders of a planet, with the names and ids that clients use. */
export interface InProgress {
  readonly planetId?: string;
  readonly buildingType?: string | undefined;
  readonly researchType?: string | undefined;
  readonly shipType?: string | undefined;
  readonly queueId?: string;
  readonly targetLevel?: number;
  /** Ships in all orders. */
  readonly count?: number;
  readonly startedAtMs?: number;
  readonly finishAtMs: number;
}

export class Refusal {
  constructor(
    readonly code: RefusalCode,
    readonly facts: RefusalFacts = NO_FACTS,
  ) {}
}

const NO_FACTS: RefusalFacts = Object.freeze({});

/** Returns a refusal. Refusals without facts are shared, so that refusing allocates nothing. */
export function refuse(code: RefusalCode, facts?: RefusalFacts): Refusal {
  if (facts !== undefined) return new Refusal(code, facts);
  return SHARED[code];
}

/** The limits of the world that commands can reach, each with a sentence. */
const LIMITS = {
  BUILDING_LEVEL_MAX: 'The building has the highest level that there is.',
  RESEARCH_LEVEL_MAX: 'The research has the highest level that there is.',
  SHIP_ORDERS_PER_PLANET_MAX: 'The shipyard has as many orders as it takes: one must be complete first.',
  FLEETS_PER_PLAYER_MAX: 'The player has as many fleets in flight as there may be: one must come home first.',
  PLANETS_PER_PLAYER_MAX: 'The player has as many planets as anybody may have.',
  FORMER_NAMES_PER_PLAYER_MAX: 'The player has had as many names as a player may have.',
  PACT_PROPOSALS_RECEIVED_MAX: 'The other player has as many proposals as it may have: it must answer some first.',
  'pacts.openMax': 'The player has as many pacts and proposals as the rules allow: one must end first.',
  'pacts.durationSecondsMax': 'The pact would last longer than the rules allow.',
  'pacts.noticeSeconds': 'The pact would be shorter than its notice.',
  'plans.stepsMax': 'The plan has more steps than the rules allow: some must be left out.',
  'messages.charactersMax': 'The text has more characters than the rules allow.',
  'messages.blockedMax': 'The player blocks as many others as it may: one must be unblocked first.',
  GOODS_PER_PLAYER_MAX: 'As many goods as may be are on their way to one of the players: some must arrive first.',
  'market.offersPerPlayer': 'The player has as many open offers as the rules allow: one must end first.',
  'market.offerSecondsMax': 'The offer would last longer than the rules allow.',
} as const;

/** Returns the refusal of a command that would exceed a limit of the world. */
export function refuseAtLimit(name: keyof typeof LIMITS, maximum: number): Refusal {
  return new Refusal('limit_reached', { reason: LIMITS[name], limit: { name, maximum } });
}

export function isRefusal(outcome: unknown): outcome is Refusal {
  return outcome instanceof Refusal;
}

const SHARED = sharedRefusals();

function sharedRefusals(): Readonly<Record<RefusalCode, Refusal>> {
  const codes = Object.keys(REFUSALS) as RefusalCode[];
  return Object.fromEntries(codes.map((code) => [code, new Refusal(code)])) as Record<RefusalCode, Refusal>;
}
