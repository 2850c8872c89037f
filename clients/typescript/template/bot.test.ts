// Plays a quarter of a day against a bot that does nothing. Run it with `node --test`.
import { deepEqual, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** How galaxyd is run, with words between spaces. */
const { GALAXYD_COMMAND: command = 'galaxyd' } = process.env;

test('the bot has no faults and no refusals, and more points than one that does nothing', () => {
  const [program = '', ...words] = command.split(' ');
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const game = ['bot', 'try', folder, '--against', 'idler', '--days', '0.25', '--json'];
  const { bot, rivals } = JSON.parse(execFileSync(program, [...words, ...game], { encoding: 'utf8' }));
  deepEqual(bot.faults, []);
  deepEqual(bot.refusals, []);
  // Of the points after each quarter of the game, the last are those at the end.
  const [own, others] = [bot.points.at(-1), rivals[0].points.at(-1)];
  ok(own > others, `${own} points, and ${others} for doing nothing`);
});
