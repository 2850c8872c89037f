// A fixed log, a fixed snapshot and the fixed events of a world that keeps events: every later version must still read them. After an
// intended change: `TAP_SNAPSHOT=1 npm test -- test/persistence/golden-events.test.ts` writes them anew.
import t from 'tap';
import { fullScene, NEWCOMERS } from '../support/full-scene.js';
import { HOUR_MS, type WorldStory } from '../support/world-story.js';
import { testGoldenWorld } from './golden-world-contract.js';

/** The full scene and what comes of it, newcomers, and somebody who is retired. */
function goldenStory(): WorldStory {
  const { story } = fullScene({ hasEvents: true });
  story.advance(HOUR_MS);
  story.does(NEWCOMERS);
  story.does({ type: 'retire_players', playerNumbers: [story.world.lastPlayerNumber] });
  return story;
}

await testGoldenWorld(t, 'events', goldenStory);
