// The commands of `call` frames: they can be repeated for ever, because each is undone by the next one of its planet.
import type { WorldNames } from '../servers/world-set-up.js';
import { textFrame } from './frames.js';

/** Ids of calls have four digits, so that the status of a reply is at a fixed offset. */
export const FIRST_CALL_ID = 1_000;

export interface CallMix {
  readonly title: string;
  /** Prefer: return=minimal. */
  readonly isMinimal: boolean;
  readonly beginPath: string;
  readonly undoPath: string;
  /** Planets of the world that have what it takes. */
  planetIds(names: WorldNames): readonly string[];
  beginBody(planetId: string): object;
  /** @param queueId of what was begun; '' if the reply shows none */
  undoBody(planetId: string, queueId: string): object;
}

export const CALL_MIXES = {
  ships: {
    title: 'order ships and cancel them, minimal replies',
    isMinimal: true,
    beginPath: '/api/shipyard/build',
    undoPath: '/api/shipyard/cancel',
    planetIds: ({ workedPlanetIds }) => workedPlanetIds,
    beginBody: (planetId) => ({ planetId, shipType: 'scout', count: 1 }),
    undoBody: (planetId) => ({ planetId, shipType: 'scout' }),
  },
  // Its replies cannot be minimal: a cancel needs the id that the upgrade's reply shows.
  'upgrade-cancel': {
    title: 'upgrade and cancel, whole replies',
    isMinimal: false,
    beginPath: '/api/building/upgrade',
    undoPath: '/api/building/cancel',
    planetIds: ({ bots }) => bots.map(({ planetId }) => planetId),
    beginBody: (planetId) => ({ planetId, buildingType: 'iron_mine' }),
    undoBody: (planetId, queueId) => ({ planetId, queueId }),
  },
} as const satisfies Record<string, CallMix>;

export type CallMixName = keyof typeof CALL_MIXES;
export const CALL_MIX_NAMES = Object.keys(CALL_MIXES) as CallMixName[];

/** The frame that begins something on a planet. */
export function beginFrame(mix: CallMix, id: number, planetId: string): Buffer {
  return callFrame(mix, id, mix.beginPath, mix.beginBody(planetId));
}

/** The frame that undoes it. */
export function undoFrame(mix: CallMix, id: number, planetId: string, queueId: string): Buffer {
  return callFrame(mix, id, mix.undoPath, mix.undoBody(planetId, queueId));
}

/** Its fields are in the order in which the clients write them, which the server reads fastest. */
function callFrame({ isMinimal }: CallMix, id: number, path: string, body: object): Buffer {
  const preference = isMinimal ? { prefer: 'return=minimal' } : {};
  return textFrame(JSON.stringify({ op: 'call', id, method: 'POST', path, body, ...preference }));
}
