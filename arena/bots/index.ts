// The shipped bots, by the names that the command line knows.
import type { BotKind } from '../bot.js';
import { expander } from './expander.js';
import { greedy } from './greedy.js';
import { idler } from './idler.js';
import { random } from './random.js';
import { turtle } from './turtle.js';

export const BOTS: readonly BotKind[] = [idler, random, greedy, expander, turtle];

/** @returns undefined if there is none of that name */
export const botNamed = (name: string): BotKind | undefined => BOTS.find((kind) => kind.name === name);
