// The comparison of settings: that a short run measures what it says, with keys that are valid and limits that count.
import t from 'tap';
import { closedLoop } from '../../bench/end-to-end/closed-loop.js';
import { Progress } from '../../bench/reports/progress.js';
import { cancelOf } from '../../bench/servers/game-client.js';
import {
  runSettings,
  SETTING_NAMES,
  SETTINGS,
  type SettingReading,
  settingsSteps,
} from '../../bench/settings/settings-run.js';
import { ONLY_LONG } from '../support/process/lengths.js';

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
  const settings = ['keys-limits', 'keys-limits-tags'] as const;
  const plan = { settings, mixes: ['read'], players: 20, connections: 2, seconds: 1 } as const;
  const others = { rounds: 1, durability: 'relaxed', seed: 1 } as const;
  const stream = { isTTY: false, write: () => true };
  const run = {
    plan: { ...plan, ...others },
    loop: closedLoop(),
    progress: new Progress(settingsSteps({ ...plan, ...others }), stream),
  };
  const readings: SettingReading[] = [];
  await runSettings({ ...run, keep: (reading) => readings.push(reading) });
  t.same(
    readings.map(({ mix, setting }) => `${mix} ${setting}`),
    ['read keys-limits', 'read keys-limits-tags'],
  );
  for (const { mix, setting, requestsPerSecond, failures } of readings) {
    t.ok(requestsPerSecond.median > 0, `${mix} ${setting}`);
    // autocannon counts 304 as a failure, and both count connections that the server closes after some of them.
    if (setting !== 'keys-limits-tags') t.equal(failures, 0, `${mix} ${setting}`);
  }
  t.equal(readings.find(({ setting }) => setting === 'keys-limits')?.base, undefined, 'its base was not measured');
  t.ok((readings.find(({ setting }) => setting === 'keys-limits-tags')?.ratio ?? 0) > 0);
});
