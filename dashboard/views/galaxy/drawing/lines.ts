// The lines of the map: ways of fleets, pacts in force, goods on their way. Which are drawn, and how, without drawing them. Pure.
import { TIE_LINES_MAX } from '../../../limits.js';
import type { Goods, Leg, Pact, Place } from '../../../world/map-state.js';

/** What a line shows; it decides its form and colour. */
type LineKind = 'fleet' | 'pact' | 'goods';

export interface MapLine {
  readonly kind: LineKind;
  readonly from: Place;
  readonly to: Place;
  /** Number of the player whose colour it has; 0 for the colour of its kind. */
  readonly owner: number;
  /** 0 to 1. */
  readonly opacity: number;
}

/** Whether a line bends as the way of a fleet does, and how many pixels a dash has with the gap behind it; 0 for an unbroken line. */
export const LINE_FORMS: Readonly<Record<LineKind, { readonly bend: 0 | 1; readonly dashPixels: number }>> = {
  fleet: { bend: 1, dashPixels: 0 },
  pact: { bend: 0, dashPixels: 0 },
  goods: { bend: 1, dashPixels: 9 },
};

const FLEET_OPACITY = 0.5;
/** A line alone; the more there are, the fainter each is. */
const TIE_OPACITY = 0.8;
const TIES_AT_HALF_OPACITY = 100;
/** Of lines of others than the bright player. */
const DIMMED_OPACITY = 0.08;

export function linesOfFleets(legs: readonly Leg[]): MapLine[] {
  return legs.map(({ from, to, owner }) => ({ kind: 'fleet', from, to, owner, opacity: FLEET_OPACITY }));
}

/** The newest pact of each pair of players: several of them are one line. The oldest first. */
export function pactsByPair(pacts: readonly Pact[]): Pact[] {
  const newest = new Map<string, Pact>();
  for (const pact of pacts) {
    const pair = [pact.proposer, pact.partner].sort((one, other) => one - other).join();
    newest.delete(pair);
    newest.set(pair, pact);
  }
  return Array.from(newest.values());
}

/** @param bright number of the player whose lines stand out; 0 if all are alike */
export function linesOfPacts(pacts: readonly Pact[], bright: number): MapLine[] {
  const rows = pactsByPair(pacts).map(({ from, to, proposer, partner }) => ({
    from,
    to,
    players: [proposer, partner],
  }));
  return linesOfTies('pact', rows, bright);
}

export function linesOfGoods(goods: readonly Goods[], bright: number): MapLine[] {
  const rows = goods.map(({ from, to, sender, receiver }) => ({ from, to, players: [sender, receiver] }));
  return linesOfTies('goods', rows, bright);
}

interface TieOfPlayers extends Pick<MapLine, 'from' | 'to'> {
  readonly players: readonly number[];
}

/** @param ties the oldest first */
function linesOfTies(kind: LineKind, ties: readonly TieOfPlayers[], bright: number): MapLine[] {
  const isBright = ({ players }: TieOfPlayers): boolean => players.includes(bright);
  const own = ties.filter(isBright);
  const drawn = [...ties.filter((tie) => !isBright(tie)), ...own].slice(-TIE_LINES_MAX);
  const usual = TIE_OPACITY / (1 + drawn.length / TIES_AT_HALF_OPACITY);
  const opacityOf = (tie: TieOfPlayers): number =>
    bright === 0 ? usual : isBright(tie) ? TIE_OPACITY : Math.min(usual, DIMMED_OPACITY);
  return drawn.map((tie) => ({ kind, from: tie.from, to: tie.to, owner: 0, opacity: opacityOf(tie) }));
}
