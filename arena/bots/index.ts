// The table of shipped bots. A swarm and a tournament find them by name.
import type { BotKind } from '../bot.js';
import { betrayer } from './betrayer.js';
import { builder } from './builder.js';
import { diplomat } from './diplomat.js';
import { expander } from './expander.js';
import { funnel } from './funnel.js';
import { greedy } from './greedy.js';
import { idler } from './idler.js';
import { planner } from './planner.js';
import { raider } from './raider.js';
import { random } from './random.js';
import { trader } from './trader.js';
import { turtle } from './turtle.js';

export const BOTS: readonly BotKind[] = [
  idler,
  random,
  builder,
  funnel,
  greedy,
  expander,
  raider,
  turtle,
  trader,
  diplomat,
  betrayer,
  planner,
];

/** @returns undefined if there is no bot of that name */
export const botNamed = (name: string): BotKind | undefined => BOTS.find((kind) => kind.name === name);
