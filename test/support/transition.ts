// One row of the table of states and transitions (specification, section 6) as a test: before, trigger, after, and what is refused.
import type { Test } from 'tap';
import type { WorldCommand } from '../../engine/commands/table.js';
import type { RefusalCode } from '../../engine/terms/rejections.js';
import { openScene, type Scene } from './world-story.js';

export interface Transition {
  /** State, trigger and next state in the words of the table. */
  readonly row: string;
  /** Brings the scene into the state. */
  readonly before?: (scene: Scene) => void;
  readonly action: (scene: Scene) => WorldCommand;
  /** Checks the scene after the accepted action. */
  readonly after: (t: Test, scene: Scene) => void;
  readonly refused: readonly Refused[];
}

export interface Refused {
  readonly because: string;
  readonly before?: (scene: Scene) => void;
  readonly action: (scene: Scene) => WorldCommand;
  readonly code: RefusalCode;
}

/** Tests rows of the table, each in a scene of its own. Fails if a refusal changes anything. */
export function testTransitions(t: Test, transitions: readonly Transition[]): void {
  for (const { row, before, action, after, refused } of transitions) {
    t.test(row, async (t) => {
      const scene = openScene();
      before?.(scene);
      scene.story.does(action(scene));
      after(t, scene);
    });
    t.test(`${row}: refused`, async (t) => {
      for (const { because, before, action, code } of refused) {
        const scene = openScene();
        before?.(scene);
        t.equal(scene.story.refusal(action(scene)).code, code, because);
      }
    });
  }
}
