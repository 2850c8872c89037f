// Does nothing. It shows what a player is worth that only exists.
import { type BotKind, NEVER } from '../bot.js';

export const idler: BotKind = {
  name: 'idler',
  summary: 'Does nothing.',
  make: () => ({ wake: async () => NEVER }),
};
