// Draws what happens on one connection: which requests, in which pieces, and how it ends. A case depends on the seed,
// its number and the world alone, so that each can be repeated without those before it.
import { draw } from '../../engine/numbers/random.js';
import { Draws } from '../support/process/draws.js';
import type { FrozenWorld } from './frozen-world.js';
import { mutated } from './mutations.js';
import { RequestDraws, type TortureRequest } from './requests.js';

export type Delivery = 'whole' | 'split' | 'pipelined' | 'reset' | 'unread' | 'flood';
/** `read`: replies are read until no more come; `reset`: the connection is reset; `closed`: it is closed in order. */
export type Ending = 'read' | 'reset' | 'closed';

export interface TortureCase {
  /** Counts from 0. */
  readonly number: number;
  readonly delivery: Delivery;
  readonly requests: readonly TortureRequest[];
  /** Each is written at once, as a segment of its own. */
  readonly pieces: readonly Buffer[];
  /** The pause after a piece; 0 for one turn of the event loop. */
  readonly pauseMs: number;
  /** True if nothing is read before everything is sent. */
  readonly isUnread: boolean;
  readonly ending: Ending;
}

/** How often each delivery is drawn. */
const CHANCES: readonly (readonly [Exclude<Delivery, 'flood'>, number])[] = [
  ['whole', 45],
  ['split', 25],
  ['pipelined', 12],
  ['reset', 13],
  ['unread', 5],
];
const DRAWN = CHANCES.flatMap(([delivery, times]) => Array.from({ length: times }, () => delivery));
/** One in this many cases is a flood: many small reads, until nothing more fits between server and client. */
const FLOOD_EVERY = 100;
const FLOOD_REQUESTS_MAX = 1_200;
const PIPELINED_MAX = 50;
const SALT = 1_002;

/** The seed of the case with a number. */
const seedOf = (seed: number, number: number): number => draw(seed, number, SALT);

export function drawCase(seed: number, number: number, world: FrozenWorld): TortureCase {
  const draws = new Draws(seedOf(seed, number));
  const source = new RequestDraws(draws, world);
  const delivery = number % FLOOD_EVERY === FLOOD_EVERY / 2 ? 'flood' : draws.pick(DRAWN);
  const requests = requestsFor(delivery, draws, source);
  const ending = delivery === 'reset' ? 'reset' : draws.pick(['read', 'read', 'reset', 'closed'] as const);
  return {
    number,
    delivery,
    requests,
    pieces: piecesFor(delivery, requests, draws),
    pauseMs: delivery === 'flood' ? 1 : draws.oneIn(4) ? draws.between(1, 5) : 0,
    isUnread: delivery === 'unread' || delivery === 'flood',
    ending: delivery === 'whole' || delivery === 'split' || delivery === 'pipelined' ? 'read' : ending,
  };
}

function requestsFor(delivery: Delivery, draws: Draws, source: RequestDraws): TortureRequest[] {
  const one = (mutatedOneIn: number): TortureRequest => {
    const request = source.sound();
    return draws.oneIn(mutatedOneIn) ? mutated(request, draws) : request;
  };
  switch (delivery) {
    case 'whole':
    case 'split':
      return [draws.oneIn(4) ? source.sound() : mutated(source.sound(), draws)];
    case 'pipelined': {
      const mutatedOneIn = draws.pick([6, 30, 1_000]);
      return Array.from({ length: draws.between(2, draws.pick([4, 20, PIPELINED_MAX])) }, () => one(mutatedOneIn));
    }
    case 'reset':
      return Array.from({ length: draws.between(1, 5) }, () => one(3));
    case 'unread':
      return Array.from({ length: draws.between(2, 80) }, () => (draws.oneIn(3) ? one(10) : source.publicRead()));
    case 'flood': {
      const request = source.mediumRead();
      return Array.from({ length: draws.between(FLOOD_REQUESTS_MAX / 2, FLOOD_REQUESTS_MAX) }, () => request);
    }
  }
}

function piecesFor(delivery: Delivery, requests: readonly TortureRequest[], draws: Draws): Buffer[] {
  const all = Buffer.concat(requests.map(({ bytes }) => bytes));
  switch (delivery) {
    case 'whole':
    case 'pipelined':
      return [all];
    case 'split':
      return cut(all, draws.between(1, 12), draws);
    case 'reset':
      return cut(all.subarray(0, draws.between(1, all.length)), draws.below(4), draws);
    case 'unread':
      return bursts(requests, draws.pick([1, 4, 14, 50]), draws);
    case 'flood':
      return bursts(requests, draws.pick([4, 8, 14]), draws);
  }
}

/** Cuts bytes at random places, sometimes into single bytes at the beginning. */
function cut(bytes: Buffer, times: number, draws: Draws): Buffer[] {
  const places = draws.oneIn(10)
    ? Array.from({ length: 40 }, (_, index) => index + 1)
    : Array.from({ length: times }, () => draws.below(bytes.length + 1));
  const ordered = [0, ...places.filter((place) => place < bytes.length).sort((a, b) => a - b), bytes.length];
  return ordered.slice(1).map((end, index) => bytes.subarray(ordered[index] ?? 0, end));
}

/** A few requests in each segment. */
function bursts(requests: readonly TortureRequest[], burstMax: number, draws: Draws): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < requests.length; ) {
    const end = at + draws.between(1, burstMax);
    pieces.push(Buffer.concat(requests.slice(at, end).map(({ bytes }) => bytes)));
    at = end;
  }
  return pieces;
}
