// The shipped bots, by the names that the command line knows.
import type { BotKind } from '../bot.js';
import { greedy } from './greedy.js';
import { idler } from './idler.js';
import { random } from './random.js';

export const BOTS: readonly BotKind[] = [idler, random, greedy];

/** @returns undefined if there is none of that name */
export const botNamed = (name: string): BotKind | undefined => BOTS.find((kind) => kind.name === name);
