// A living world with hostile names in this process, for tests of the dashboard.
import type { Test } from 'tap';
import { ADMIN_KEY, begin, type Serving } from '../http/support/serving.js';
import { LivingWorld } from '../support/living-world/living-world.js';
import { HOSTILE_NAMES } from '../support/living-world/names.js';

export interface LivingServing extends Serving {
  readonly url: string;
  readonly life: LivingWorld;
  /** Ids of the players with HOSTILE_NAMES, in their order. */
  readonly hostileIds: readonly string[];
}

/** Some hours of a small world. */
const ACTORS = 24;
const ROUNDS = 30;
const ROUND_SECONDS = 900;
const SYSTEMS_PER_GALAXY = 8;

export async function beginLiving(t: Test): Promise<LivingServing> {
  const serving = await begin(t, { settings: { systemsPerGalaxy: SYSTEMS_PER_GALAXY } });
  const { url } = serving.server;
  const life = new LivingWorld({ url, adminKey: ADMIN_KEY, actors: ACTORS, roundSeconds: ROUND_SECONDS });
  await life.settle();
  const hostileIds: string[] = [];
  for (const name of HOSTILE_NAMES) hostileIds.push((await serving.play.newcomer(name)).id);
  await life.live({ rounds: ROUNDS });
  return { ...serving, url, life, hostileIds };
}
