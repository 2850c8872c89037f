// A bot.
import { GalaxydClient } from 'galaxyd-client';

export const builder = new GalaxydClient({ baseUrl: process.argv[2] ?? '' });
