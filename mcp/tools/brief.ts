// The tool brief: the whole situation of the player, as the server writes it.
import { z } from 'zod';
import { answerOf } from '../texts.js';
import type { Tool } from '../tool.js';

export const brief: Tool<object> = {
  name: 'brief',
  title: 'Your situation',
  description:
    'Your whole situation in short: points, rank, research, fleets, newest reports, and for each planet its stocks, buildings, what is in ' +
    'progress and what you can start now. Begin every turn with it. Where it names HTTP paths, use the tools.',
  input: z.strictObject({}),
  isRead: true,
  async run({ galaxyd, playerId }, _input, signal) {
    const { body } = await galaxyd.get('/api/brief/player/{playerId}', { params: { path: { playerId } }, signal });
    return { text: answerOf(String(body).trimEnd().split('\n')) };
  },
};
