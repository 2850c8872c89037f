// The tool leaderboard: the first players by points.
import { z } from 'zod';
import { LEADERS_DEFAULT, LEADERS_MAX } from '../limits.js';
import { answerOf, FOREIGN_NOTE, ownerText } from '../texts.js';
import type { Tool } from '../tool.js';

const input = z.strictObject({ count: z.int().min(1).max(LEADERS_MAX).default(LEADERS_DEFAULT) });

export const leaderboard: Tool<z.infer<typeof input>> = {
  name: 'leaderboard',
  title: 'The ranking',
  description:
    'The first players by points, with where they live. Points come from the resources in buildings and ships; `options` names the gain of each.',
  input,
  isRead: true,
  async run({ galaxyd }, { count }, signal) {
    const { body } = await galaxyd.get('/api/leaderboard', { signal });
    const lines = body.players.slice(0, count).map((player) => {
      const { rank, points, planets, home } = player;
      const place = home === null ? 'no planet' : `home ${home.planetId}`;
      return `${rank}. ${ownerText(player)}: ${points} points, ${planets} planets, ${place}`;
    });
    return { text: answerOf([FOREIGN_NOTE, `${body.playerCount} players`, ...lines]) };
  },
};
