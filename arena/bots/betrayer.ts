// Makes pacts and trades like an honest neighbour. Once an attack on a partner pays, it gives notice, promises peace, and attacks as soon as
// the pact is over.
import type { Bot, BotKind } from '../bot.js';
import { lowest } from './support/building.js';
import { defend, Threats } from './support/defence.js';
import { Economy } from './support/economy.js';
import { Espionage } from './support/espionage.js';
import { FleetBudget } from './support/fleet-budget.js';
import { madeOn } from './support/flights.js';
import { GalaxyMap } from './support/galaxy-map.js';
import { Pacts } from './support/pacts.js';
import { hoursBetween, Plan, SURPRISES } from './support/plan.js';
import { goRaiding, raidingMix } from './support/raiding.js';
import { bestRaidOn } from './support/raids.js';
import type { ResearchPriorities } from './support/research.js';
import { Trust } from './support/trust.js';
import { Words } from './support/words.js';

/** Share of what a planet makes that it spends on ships. */
const SHIP_SHARE = 0.08;
const MINES_PER_SHIPYARD = 4;
/** A raid on a partner must bring what the player makes in this many hours, at speed 1. */
const PRICE_HOURS = 0.4;
/** It proposes no pact to whom it has given notice, and gives no further notice, for so many hours at speed 1. */
const VICTIM_HOURS = 96;
const NOTICE_HOURS = 24;

const RESEARCH: ResearchPriorities = {
  output: 1,
  colonies: 4,
  attack: 0.15,
  hit_points: 0.1,
  cargo: 0.1,
  sight: 0.15,
  drives: 0.6,
};

/** Remembers to whom it has given notice, and when. */
class Victims {
  readonly #notices = new Map<string, string>();

  /** Whether a player, or any if none is named, got notice in the last hours. */
  hasRecent({ port: { now, catalog } }: Plan, hours: number, playerId?: string): boolean {
    return [...this.#notices].some(
      ([victim, at]) =>
        (playerId === undefined || victim === playerId) && hoursBetween(at, now) * catalog.speed < hours,
    );
  }

  add({ port: { now } }: Plan, playerId: string): void {
    this.#notices.set(playerId, now);
  }
}

function makeBetrayer(): Bot {
  const fleetBudget = new FleetBudget();
  const economy = new Economy({
    research: RESEARCH,
    minesPerShipyard: MINES_PER_SHIPYARD,
    trades: true,
    orders: (plan, planet) => fleetBudget.order(plan, planet, SHIP_SHARE, raidingMix(plan)),
  });
  const galaxyMap = new GalaxyMap();
  const espionage = new Espionage();
  const threats = new Threats();
  const trust = new Trust();
  const pacts = new Pacts();
  const words = new Words();
  const victims = new Victims();
  return {
    async wake(port) {
      espionage.learn(port.events);
      threats.learn(port.playerId, port.events);
      const [state] = await Promise.all([port.state(), trust.learn(port), pacts.learn(port)]);
      const plan = new Plan(port, state);
      await defend(plan, threats.incoming(plan), false);
      const isWelcome = (playerId: string): boolean =>
        trust.trusts(port, playerId) && !victims.hasRecent(plan, VICTIM_HOURS, playerId);
      await pacts.negotiate(plan, galaxyMap, { kinds: ['non_aggression'], isWelcome, proposes: true });
      for (const partner of pacts.newPartners(port, 'non_aggression')) {
        words.say(plan, partner, 'You have my word: no fleet of mine will ever attack you.');
      }
      const victim = victims.hasRecent(plan, NOTICE_HOURS) ? undefined : victimOf(plan, espionage, pacts);
      if (victim !== undefined) {
        victims.add(plan, victim);
        pacts.cancel(plan, victim);
        words.say(plan, victim, 'Do not mind the notice, it is a matter of form. There will be peace between us.');
      }
      const partners = new Set(pacts.partners(port.playerId));
      await goRaiding(plan, espionage, (playerId) => partners.has(playerId));
      await economy.manage(plan);
      return plan.carryOut([...SURPRISES, 'incoming_fleet', 'pact_ended']);
    },
  };
}

/** The partner whose planets are worth breaking a pact; undefined without one. */
function victimOf(plan: Plan, espionage: Espionage, pacts: Pacts): string | undefined {
  const gainOn = (partner: string): number => bestRaidOn(plan, espionage, partner)?.gain ?? 0;
  const hourly = plan.state.planets.reduce((sum, planet) => sum + madeOn(planet), 0);
  const price = (hourly * PRICE_HOURS) / plan.port.catalog.speed;
  return lowest(
    pacts.partners(plan.port.playerId).filter((partner) => gainOn(partner) >= price),
    (partner) => -gainOn(partner),
  );
}

export const betrayer: BotKind = {
  name: 'betrayer',
  summary: 'Makes pacts with its neighbours, and breaks them when an attack pays.',
  make: makeBetrayer,
};
