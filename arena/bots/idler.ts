// Does nothing: a baseline for the others.
import { type BotKind, NEVER } from '../bot.js';

export const idler: BotKind = {
  name: 'idler',
  summary: 'Does nothing.',
  make: () => ({ wake: async () => NEVER }),
};
