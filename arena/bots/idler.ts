// Does nothing. A baseline for the other bots.
import { type BotKind, NEVER } from '../bot.js';

export const idler: BotKind = {
  name: 'idler',
  summary: 'Does nothing.',
  make: () => ({ wake: async () => NEVER }),
};
