// The story of a finished game, from the events of its log: what each player did on each day, what they said and agreed on, who led, and where
// the points came from.
// Nothing on disk changes.

import { type Watcher, watchedReplay } from '../../cli/play/finished-world.js';
import type { Command } from '../../engine/commands/table.js';
import type { Engine } from '../../engine/engine.js';
import type { WorldEvent } from '../../engine/events/kinds.js';
import { sum } from '../../engine/numbers/arithmetic.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { DAY_MS } from '../../http/turns/turn-game.js';
import { storeAt } from '../../persistence/store-url.js';
import { DealStory } from './deal-story.js';
import { markdownTable, nameIn, nameOf, plural, type Sentence, times, units } from './story-words.js';

/** Sentences per day. Those about most units of resources come first. */
const SENTENCES_PER_DAY = 7;
/** Levels of research that are news. */
const LEVELS_PER_NEWS = 5;

/**
 * Writes the story of a game as Markdown.
 *
 * @param folder data folder of a world with its whole log
 * @param introduction what it begins with; by default a title
 * @throws RecoveryRefused, LogUnreadable, NoWorld
 */
export async function gameStory(folder: string, introduction?: string): Promise<string> {
  const teller = new StoryTeller();
  const { engine } = await watchedReplay(storeAt(folder), teller);
  const { rules, settings } = engine.world;
  const title = introduction ?? `# A game by ${rules.set.name}, seed ${settings.seed}`;
  return [title, ...teller.chapters(engine)].join('\n\n');
}

/** Battles of one player against another in a day or in the whole game. */
interface Feud {
  attacks: number;
  won: number;
  loot: number;
  attackerLost: number;
  defenderLost: number;
}

class StoryTeller implements Watcher {
  readonly #days: string[] = [];
  /** Battles of the day, by `attacker defender`. */
  #feuds = new Map<string, Feud>();
  /** Battles of the whole game. */
  readonly #allFeuds = new Map<string, Feud>();
  /** Counts of the day, indexed by player number. */
  #settled = new Map<number, number>();
  #shipped = new Map<number, number>();
  #turnedAway = new Map<number, number>();
  #news: Sentence[] = [];
  readonly #deals = new DealStory();
  #firsts = new Set<string>();
  #leader = 0;
  /** By player number. */
  #pointsBefore = new Map<number, number>();
  #dayEndsMs = 0;

  before(engine: Engine, atMs: number): void {
    if (engine.seq === 0) return;
    const { world } = engine;
    if (this.#dayEndsMs === 0) this.#dayEndsMs = world.settings.startMs + DAY_MS;
    while (atMs >= this.#dayEndsMs) this.#endDay(world);
  }

  after({ world }: Engine, _atMs: number, _command: Command, events: readonly WorldEvent[]): void {
    for (const event of events) {
      this.#note(world, event);
      this.#deals.note(world, event);
    }
  }

  /** @param engine after the last entry */
  chapters({ world }: Engine): string[] {
    const isQuiet = this.#feuds.size + this.#settled.size + this.#news.length === 0 && this.#deals.isQuiet;
    if (!isQuiet) this.#endDay(world);
    const deals = this.#deals.table(world);
    return [
      ...this.#days,
      ...(deals === null ? [] : [`## What was said and kept\n\n${deals}`]),
      `## Where the points came from\n\n${this.#balance(world)}`,
    ];
  }

  #note(world: ReadonlyWorld, event: WorldEvent): void {
    switch (event.kind) {
      case 'combat_report':
        // Both sides receive the event. Counts it once.
        if (event.playerNumber !== event.attackerNumber) return;
        for (const feuds of [this.#feuds, this.#allFeuds]) countBattle(world, feuds, event);
        return;
      case 'attack_turned_away':
        addTo(this.#turnedAway, event.playerNumber, 1);
        return;
      case 'planet_colonized':
        if (event.fleetNumber !== null) addTo(this.#settled, event.playerNumber, 1);
        return;
      case 'resources_received':
        if (event.senderNumber === event.playerNumber) addTo(this.#shipped, event.playerNumber, sum(event.amounts));
        return;
      case 'research_completed':
        if (event.level % LEVELS_PER_NEWS === 0)
          this.#first(world, event.playerNumber, `${nameIn(world.rules.research, event.researchType)} ${event.level}`);
        return;
      case 'building_completed':
        if (event.level === 1)
          this.#first(world, event.playerNumber, nameIn(world.rules.buildings, event.buildingType));
        return;
      case 'ships_completed':
        this.#first(world, event.playerNumber, nameIn(world.rules.ships, event.shipType));
        return;
      default:
    }
  }

  /** Reports what no player had before. */
  #first(world: ReadonlyWorld, player: number, what: string): void {
    if (this.#firsts.has(what)) return;
    this.#firsts.add(what);
    this.#news.push({ text: `${nameOf(world, player)} is the first to have ${what}.`, weight: 1 });
  }

  #endDay(world: ReadonlyWorld): void {
    const day = Math.round((this.#dayEndsMs - world.settings.startMs) / DAY_MS);
    const { lines, trades } = this.#deals.endDay(world);
    const sentences = [...this.#lead(world), ...this.#fights(world), ...this.#growth(world), ...trades, ...this.#news]
      .sort((one, other) => other.weight - one.weight)
      .slice(0, SENTENCES_PER_DAY)
      .map(({ text }) => text);
    const parts = [
      ...(sentences.length > 0 ? [listOf(sentences)] : []),
      ...(lines.length > 0 ? ['What was agreed, said and broken:', listOf(lines)] : []),
    ];
    if (parts.length > 0) this.#days.push([`## Day ${day}`, ...parts].join('\n\n'));
    this.#pointsBefore = new Map([...world.players.values()].map(({ number, points }) => [number, points]));
    this.#feuds = new Map();
    this.#settled = new Map();
    this.#shipped = new Map();
    this.#turnedAway = new Map();
    this.#news = [];
    this.#dayEndsMs += DAY_MS;
  }

  /** The leader, and who gained most on this day. */
  #lead(world: ReadonlyWorld): Sentence[] {
    const ranked = ranking(world);
    const [leader, second] = ranked;
    if (leader === undefined) return [];
    const sentences: Sentence[] = [];
    if (leader.number !== this.#leader) {
      const before = this.#leader === 0 ? '' : ` from ${nameOf(world, this.#leader)}`;
      const ahead = second === undefined ? '' : `, ${units(leader.points - second.points)} more than ${second.name}`;
      const text = `${leader.name} takes the lead${before} with ${units(leader.points)} points${ahead}.`;
      sentences.push({ text, weight: Number.MAX_SAFE_INTEGER });
      this.#leader = leader.number;
    }
    const gains = ranked.map(({ name, number, points }) => {
      const before = this.#pointsBefore.get(number) ?? 0;
      return { name, before, gain: points - before, share: before === 0 ? 0 : points / before - 1 };
    });
    const [fastest] = gains.toSorted((one, other) => other.share - one.share);
    if (fastest !== undefined && fastest.share > 0) {
      const percent = Math.round(100 * fastest.share);
      sentences.push({ text: `${fastest.name} grows fastest: ${percent} % more points than a day before.`, weight: 2 });
    }
    for (const { name, gain } of gains) {
      if (gain < 0) sentences.push({ text: `${name} ends the day with ${units(-gain)} points less.`, weight: -gain });
    }
    return sentences;
  }

  #fights(world: ReadonlyWorld): Sentence[] {
    return [...this.#feuds].map(([key, feud]) => {
      const profit = feud.loot - feud.attackerLost;
      const verdict = profit > 0 ? `which paid ${units(profit)} units` : `which cost ${units(-profit)} units`;
      return {
        text: `${feudText(world, key, feud)}, ${verdict}.`,
        weight: feud.loot + feud.attackerLost + feud.defenderLost,
      };
    });
  }

  #growth(world: ReadonlyWorld): Sentence[] {
    const owned = (number: number): number => world.players.get(number)?.planets.length ?? 0;
    return [
      ...[...this.#settled].map(([number, count]) => ({
        text: `${nameOf(world, number)} settles ${plural(count, 'planet')} and owns ${owned(number)}.`,
        weight: 1_000 * count,
      })),
      ...[...this.#shipped].map(([number, amount]) => ({
        text: `Transports of ${nameOf(world, number)} bring ${units(amount)} units from planet to planet.`,
        weight: amount / 10,
      })),
      ...[...this.#turnedAway].map(([number, count]) => ({
        text: `${plural(count, 'attack')} of ${nameOf(world, number)} turned round, because of a pact or the protection of newcomers.`,
        weight: 100 * count,
      })),
    ];
  }

  /** What each player has at the end, and its gains and losses in war. */
  #balance(world: ReadonlyWorld): string {
    const { rules } = world;
    const head = [
      'player',
      'points',
      'planets',
      'units in buildings',
      'units in ships',
      'looted',
      'lost to looters',
      'ships lost',
      'most research',
    ];
    const rows = ranking(world).map(({ name, number, points }) => {
      const { planets = [], fleets = [], researchLevels = [] } = world.players.get(number) ?? {};
      const inBuildings = planets.reduce(
        (all, planet) =>
          all + sum(rules.buildings.map((_, type) => rules.buildingPointsThrough(type, planet.levelOf(type)))),
        0,
      );
      const shipUnits = (count: (type: number) => number): number =>
        sum(rules.ships.map((_, type) => count(type) * sum(rules.shipCost(type, 1))));
      const inShips = sum([
        ...[...planets].map((planet) => shipUnits((type) => planet.shipCount(type))),
        ...[...fleets].map((fleet) => shipUnits((type) => fleet.ships[type] ?? 0)),
      ]);
      const own = [...this.#allFeuds].filter(([key]) => key.startsWith(`${number} `)).map(([, feud]) => feud);
      const against = [...this.#allFeuds].filter(([key]) => key.endsWith(` ${number}`)).map(([, feud]) => feud);
      const lost = sum(own.map((feud) => feud.attackerLost)) + sum(against.map((feud) => feud.defenderLost));
      const best = Math.max(0, ...researchLevels);
      const most = best === 0 ? 'none' : `${nameIn(rules.research, researchLevels.indexOf(best))} ${best}`;
      const looted = units(sum(own.map(({ loot }) => loot)));
      const robbed = units(sum(against.map(({ loot }) => loot)));
      return [
        name,
        units(points),
        String(planets.length),
        units(inBuildings),
        units(inShips),
        looted,
        robbed,
        units(lost),
        most,
      ];
    });
    return markdownTable(head, rows);
  }
}

function countBattle(
  world: ReadonlyWorld,
  feuds: Map<string, Feud>,
  event: Extract<WorldEvent, { kind: 'combat_report' }>,
): void {
  const { attackerNumber, defenderNumber, outcome, loot, attackerLost, defenderLost } = event;
  const key = `${attackerNumber} ${defenderNumber}`;
  const feud = feuds.get(key) ?? { attacks: 0, won: 0, loot: 0, attackerLost: 0, defenderLost: 0 };
  const cost = (lost: readonly number[]): number =>
    sum(lost.map((count, type) => sum(world.rules.shipCost(type, count))));
  feud.attacks += 1;
  feud.won += outcome === 'attacker_won' ? 1 : 0;
  feud.loot += sum(loot);
  feud.attackerLost += cost(attackerLost);
  feud.defenderLost += cost(defenderLost);
  feuds.set(key, feud);
}

function feudText(world: ReadonlyWorld, key: string, { attacks, won, loot, attackerLost, defenderLost }: Feud): string {
  const [attacker, defender] = key.split(' ').map((number) => nameOf(world, Number(number)));
  const outcome = `${attacker} attacks ${defender} ${times(attacks)} and wins ${times(won)}`;
  const ships = `loses ships worth ${units(attackerLost)} and destroys ${units(defenderLost)}`;
  return `${outcome}: it takes ${units(loot)} units, ${ships}`;
}

function ranking(world: ReadonlyWorld) {
  return [...world.players.values()].sort((one, other) => other.points - one.points);
}

const listOf = (texts: readonly string[]): string => texts.map((text) => `- ${text}`).join('\n');

function addTo(counts: Map<number, number>, key: number, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
