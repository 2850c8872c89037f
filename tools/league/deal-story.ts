// What the players of a finished game said to each other, agreed on and broke, in plain sentences: the lines of each day in their order, its trades,
// and a table at the end. What players wrote is foreign text, and is quoted as such.

import { DEAL_COLUMNS } from '../../arena/tournament/tables.js';
import { DealCounts } from '../../cli/play/deal-counts.js';
import type { EventOf, WorldEvent } from '../../engine/events/kinds.js';
import { RESOURCES } from '../../engine/rules/resources.js';
import type { Lot } from '../../engine/terms/lots.js';
import { PACT_KINDS } from '../../engine/terms/pacts.js';
import { otherParty } from '../../engine/world/pact-table.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { DAY_MS } from '../../http/turns/turn-game.js';
import { foreignQuotation } from '../../text/foreign-text.js';
import { markdownTable, nameIn, nameOf, plural, type Sentence, units } from './story-words.js';

/** Lines per day. What was agreed on comes before what was said. */
const LINES_PER_DAY = 15;
const MS_PER_HOUR = 3_600_000;
/** Joins words: a, b and c. */
const LIST = new Intl.ListFormat('en-GB');

/** A line of a day. */
interface Line {
  readonly atMs: number;
  readonly text: string;
  readonly isWords: boolean;
}

/** What one player has bought from another on a day. */
interface Trades {
  count: number;
  units: number;
  last: EventOf<'trade_agreed'>;
}

/** Takes each event of a game once, in order. */
export class DealStory {
  readonly #counts = new DealCounts();
  #lines: Line[] = [];
  /** By `taker maker`. */
  #trades = new Map<string, Trades>();

  /** @param world after the entry that caused the event */
  note(world: ReadonlyWorld, event: WorldEvent): void {
    const { atMs } = event;
    const isWords = event.kind === 'message_sent' || event.kind === 'message_broadcast';
    const text = isWords ? wordsText(world, event) : this.#changeText(world, event);
    if (text !== null) this.#lines.push({ atMs, text, isWords });
    if (event.kind === 'trade_agreed') this.#noteTrade(event);
    this.#counts.note(world, event);
  }

  /** Whether nothing has happened since the last day. */
  get isQuiet(): boolean {
    return this.#lines.length + this.#trades.size === 0;
  }

  /** Ends a day. @returns its lines, in order, and sentences about its trades */
  endDay(world: ReadonlyWorld): { readonly lines: readonly string[]; readonly trades: readonly Sentence[] } {
    const kept = new Set(
      this.#lines.toSorted((one, other) => Number(one.isWords) - Number(other.isWords)).slice(0, LINES_PER_DAY),
    );
    const lines = this.#lines.filter((line) => kept.has(line)).map(({ atMs, text }) => `${clock(world, atMs)} ${text}`);
    const left = this.#lines.length - kept.size;
    const trades = [...this.#trades.values()].map((trade) => tradeSentence(world, trade));
    this.#lines = [];
    this.#trades = new Map();
    return { lines: left > 0 ? [...lines, `And ${left} more.`] : lines, trades };
  }

  /** The deals of each player in the whole game, as a table; null if there were none. */
  table(world: ReadonlyWorld): string | null {
    const rows = [...world.players.values()].map(({ name, number }) => {
      const deals = this.#counts.of(world, number);
      return { name, counts: Object.keys(DEAL_COLUMNS).map((deal) => deals[deal as keyof typeof DEAL_COLUMNS]) };
    });
    if (rows.every(({ counts }) => counts.every((count) => count === 0))) return null;
    const head = ['player', ...Object.values(DEAL_COLUMNS).map((column) => column.replaceAll('_', ' '))];
    return markdownTable(
      head,
      rows.map(({ name, counts }) => [name, ...counts.map(units)]),
    );
  }

  #noteTrade(event: EventOf<'trade_agreed'>): void {
    const key = `${event.playerNumber} ${event.partnerNumber}`;
    const before = this.#trades.get(key) ?? { count: 0, units: 0 };
    const traded = event.give.units + event.want.units;
    this.#trades.set(key, { count: before.count + 1, units: before.units + traded, last: event });
  }

  /** Both parties receive what happens to a pact. It is told once. */
  #changeText(world: ReadonlyWorld, event: WorldEvent): string | null {
    if (event.kind === 'fleet_launched')
      return this.#counts.isAttackAfterBreaking(world, event) ? betrayalText(world, event) : null;
    if (!('proposerNumber' in event) || event.playerNumber !== event.proposerNumber) return null;
    const [proposer, partner] = [nameOf(world, event.proposerNumber), nameOf(world, event.partnerNumber)];
    const pact = pactName(event.pactKind);
    switch (event.kind) {
      case 'pact_proposed':
        return `${proposer} proposes to ${partner} a ${pact} for ${timeText(event.durationSeconds)}.`;
      case 'pact_began':
        return `${partner} accepts: the ${pact} holds until ${instantText(world, event.endsAtMs)}.`;
      case 'pact_cancelled': {
        const other = nameOf(world, otherParty(event, event.byNumber));
        return `${nameOf(world, event.byNumber)} cancels the ${pact} with ${other}, which ends on ${instantText(world, event.endsAtMs)}.`;
      }
      case 'pact_ended':
        return endingText(event, proposer, partner);
    }
  }
}

function endingText({ reason, pactKind }: EventOf<'pact_ended'>, proposer: string, partner: string): string {
  const pact = pactName(pactKind);
  switch (reason) {
    case 'declined':
      return `${partner} declines the ${pact}.`;
    case 'withdrawn':
      return `${proposer} no longer offers ${partner} the ${pact}.`;
    case 'expired':
      return `${partner} has not answered ${proposer}, and the proposal of a ${pact} expires.`;
    case 'over':
      return `The ${pact} of ${proposer} and ${partner} has run to its end.`;
    case 'cancelled':
      return `The ${pact} of ${proposer} and ${partner} is over.`;
    case 'player_retired':
      return `The ${pact} of ${proposer} and ${partner} is over, since one of them is gone.`;
  }
}

function betrayalText(world: ReadonlyWorld, { playerNumber, targetKey, ships }: EventOf<'fleet_launched'>): string {
  const defender = nameOf(world, world.planets.get(targetKey)?.ownerNumber ?? 0);
  const fleet = ships.flatMap((count, type) => (count === 0 ? [] : [plural(count, nameIn(world.rules.ships, type))]));
  return `${nameOf(world, playerNumber)} sends ${LIST.format(fleet)} to attack ${defender}, whose pact it has cancelled.`;
}

function wordsText(world: ReadonlyWorld, event: EventOf<'message_sent' | 'message_broadcast'>): string {
  const receiver = event.kind === 'message_sent' ? nameOf(world, event.receiverNumber) : 'everybody';
  // In a code span, nothing in it is Markdown.
  return `${nameOf(world, event.playerNumber)} writes to ${receiver}: \`${foreignQuotation(event.text)}\``;
}

function tradeSentence(world: ReadonlyWorld, { count, units: traded, last }: Trades): Sentence {
  const [taker, maker] = [nameOf(world, last.playerNumber), nameOf(world, last.partnerNumber)];
  const text =
    count === 1
      ? `${taker} takes an offer of ${maker}: ${lotText(last.give)} for ${lotText(last.want)}.`
      : `${taker} takes ${count} offers of ${maker}, the last one ${lotText(last.give)} for ${lotText(last.want)}.`;
  return { text, weight: traded };
}

const lotText = ({ resource, units: amount }: Lot): string => `${units(amount)} ${RESOURCES[resource] ?? ''}`;

const pactName = (kind: number): string => `pact of ${(PACT_KINDS[kind] ?? '').replaceAll('_', '-')}`;

function timeText(seconds: number): string {
  const hours = (seconds * 1000) / MS_PER_HOUR;
  return hours % 24 === 0 ? plural(hours / 24, 'day') : plural(Math.round(10 * hours) / 10, 'hour');
}

/** The time of the day of the game, such as 06:30. */
function clock({ settings }: ReadonlyWorld, atMs: number): string {
  return new Date((atMs - settings.startMs) % DAY_MS).toISOString().slice(11, 16);
}

function instantText(world: ReadonlyWorld, atMs: number): string {
  return `day ${Math.floor((atMs - world.settings.startMs) / DAY_MS) + 1} at ${clock(world, atMs)}`;
}
