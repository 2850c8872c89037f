// The engine alone under a realistic mix with its timers: nanoseconds per command, ticks included, at several sizes of the
// world. Every world lives through the same passes, so that sizes can be compared.

import type { Rules } from '../../engine/rules/rules.js';
import { spreadOf } from '../reports/statistics.js';
import { consume } from './samplers.js';
import { type DirectCase, rulesOf, type UnitGroup } from './unit-case.js';
import { MixPlay, type PassCounts } from './worlds/mix-play.js';

/** Passes that are measured, one reading each, after one that is not. */
const PASSES = 5;
/** Commands a reading is made of at least: small worlds are played more than once. */
const COMMANDS_PER_READING_MIN = 50_000;
const NANOSECONDS_PER_MS = 1e6;

export const mixUnits: UnitGroup = function* (sizes) {
  yield mixCase(sizes.players, sizes.seed, rulesOf(sizes));
};

/** Several worlds, one after the other, if they are small. */
function mixCase(players: number, seed: number, rules: Rules): DirectCase {
  return {
    kind: 'direct',
    name: 'bots',
    async measure() {
      const worlds = Math.max(1, Math.ceil(COMMANDS_PER_READING_MIN / players));
      const counts = noCounts();
      const elapsedMs = new Array<number>(PASSES).fill(0);
      for (let world = 0; world < worlds; world += 1) {
        const play = new MixPlay(players, seed + world, undefined, rules);
        playPass(play, noCounts());
        for (let pass = 0; pass < PASSES; pass += 1) elapsedMs[pass] = (elapsedMs[pass] ?? 0) + playPass(play, counts);
      }
      consume(counts);
      const nanoseconds = elapsedMs.map((each) => (each * NANOSECONDS_PER_MS) / (worlds * players));
      const commands = counts.accepted + counts.refused;
      const share = (part: number) => exact(part / commands);
      return [
        { name: 'time', unit: 'ns per command', isLowerBetter: true, samples: PASSES, ...spreadOf(nanoseconds) },
        { name: 'accepted', unit: 'share', isLowerBetter: false, samples: 1, ...share(counts.accepted) },
        { name: 'ticks', unit: 'entries per command', isLowerBetter: true, samples: 1, ...share(counts.ticks) },
      ];
    },
  };
}

function noCounts(): PassCounts {
  return { accepted: 0, refused: 0, ticks: 0 };
}

/** @returns milliseconds that the commands and ticks of a pass took, without choosing them */
function playPass(play: MixPlay, counts: PassCounts): number {
  let elapsedMs = 0;
  play.beginPass();
  while (!play.isPassOver) {
    const chunk = play.nextChunk();
    const startMs = performance.now();
    play.apply(chunk, counts);
    elapsedMs += performance.now() - startMs;
  }
  return elapsedMs;
}

/** A number that is counted, not sampled. */
function exact(value: number) {
  return { lower: value, median: value, upper: value };
}
