// The comparison of settings: that a short run measures what it says, with keys that are valid and limits that count.
import t from 'tap';
import { SETTING_NAMES, SETTINGS } from '../../bench/scenarios/settings.js';
import { cancelOf } from '../../bench/servers/game-client.js';
import { ONLY_LONG } from '../support/process/lengths.js';
import { bench } from './support/bench.js';

t.test('each setting but the first is compared with one before it', async (t) => {
  for (const [index, name] of SETTING_NAMES.entries()) {
    const { base } = SETTINGS[name];
    if (index > 0) t.ok(base !== undefined && SETTING_NAMES.indexOf(base) < index, name);
  }
});

t.test('what cancels an upgrade carries the key of the upgrade', async (t) => {
  const planet = '{"id":"planet-1-0-1","queue":[{"queueId":"queue-7"}]}';
  t.match(cancelOf(planet, { authorization: 'Bearer a' }), { headers: { authorization: 'Bearer a' } });
});

t.test('a short run', { skip: ONLY_LONG }, async (t) => {
  const size = ['--players', '20', '--connections', '2', '--seconds', '1', '--rounds', '1'];
  const names = ['keys-limits', 'keys-limits-tags'] as const;
  const words = ['settings', 'read', '--settings', names.join(), ...size, '--durability', 'relaxed'];
  const { rows, faults } = await bench(words);
  const [limits, tags] = rows('settings');
  t.same(
    rows('settings').map(({ mix, setting }) => [mix, setting]),
    names.map((name) => ['read', SETTINGS[name].title]),
  );
  for (const row of rows('settings')) t.ok(Number(row['requests/s']) > 0, String(row['setting']));
  // the own loader counts 304 as a failure, and both count connections that the server closes after some of them.
  t.same(faults, []);
  t.equal(limits?.['failures'], 0);
  t.match([limits?.['beside'], limits?.['ratio']], [null, null], 'its base was not measured');
  t.equal(tags?.['beside'], SETTINGS['keys-limits'].title);
  t.ok(Number(tags?.['ratio']) > 0);
});
