// A kept state is returned unchecked if none of its numbers can have changed. At any millisecond it must equal a state
// that is rendered at that instant. And one that is given away stays as it is.

import t from 'tap';
import { RESOURCE_UNITS_MAX } from '../../../engine/rules/limits.js';
import { PlanetView } from '../../../http/views/planet-view.js';
import { StateView } from '../../../http/views/state-view.js';
import { TextWriter } from '../../../http/views/text-writer.js';
import { Draws, drawSeed } from '../../support/process/draws.js';
import { begin } from '../support/serving.js';

const READS = 2_000;

for (const speed of [0.001, 1, 1_000, 1_000_000]) {
  t.test(`a kept state equals a fresh one, at any instant, at speed ${speed}`, async (t) => {
    const draws = new Draws(drawSeed(t));
    const { play, world } = await begin(t, { settings: { speed } });
    const { playerId, planetId } = await play.rich('reader');
    await play.secondStarter(playerId);
    // A full store does not change.
    for (let grant = 0; grant < 4; grant += 1) await play.grant(planetId, { iron: RESOURCE_UNITS_MAX });
    const player = world.engine.world.players.get(Number(playerId.split('-')[1]));
    if (player === undefined) throw new Error('the player does not exist');
    const writer = new TextWriter();
    const planets = new PlanetView(world.engine.world, writer);
    const view = () => new StateView(world.engine.world, planets, writer, String, () => 0);
    const kept = view();
    let nowMs = world.sequencer.nowMs;
    const seen = new Set<string>();
    let given: { readonly bytes: Buffer; readonly text: string } = { bytes: Buffer.alloc(0), text: '' };
    for (let read = 0; read < READS; read += 1) {
      const bytes = Buffer.from(kept.bytes(player, nowMs).buffer);
      const text = bytes.toString();
      if (given.bytes.toString() !== given.text) {
        t.equal(given.bytes.toString(), given.text, 'what was given away is written over');
        return;
      }
      // What stays lent is written over with most reads.
      if (read % 3 === 0) {
        kept.giveAway();
        given = { bytes, text };
      }
      const fresh = Buffer.from(view().bytes(player, nowMs)).toString();
      if (text !== fresh) {
        t.equal(text, fresh, `at ${nowMs}`);
        return;
      }
      seen.add(text);
      nowMs += draws.below(10 ** draws.between(0, 6));
    }
    t.ok(seen.size > 1, 'numbers moved');
    if (speed <= 1) t.ok(seen.size < READS, 'and some reads were equal');
  });
}
