// Named settings: what they settle, that a version does not change, and that a tournament cannot claim a setting by which it was not played.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { ENTRANTS_MAX, GAMES_MAX } from '../../../arena/limits.js';
import { writeSums } from '../../../arena/tournament/folder.js';
import {
  NAMED_SETTINGS,
  SETTING_NAMES,
  SETTINGS_VERSION,
  settingIdentity,
  settledBy,
} from '../../../arena/tournament/named-settings.js';
import { gamesOf } from '../../../arena/tournament/schedule.js';
import { SHIPPED_RULES } from '../../../engine/rules/shipped.js';
import { rulesIdentity } from '../../../persistence/rules/stored-rules.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { galaxyd, refused } from '../../support/process/operator.js';
import { root } from '../../tidy/repository.js';
import { altered, editResult, findingsIn, places, played, SHORT } from '../support/tournament-run.js';

/** A setting that changes needs another version, and its digest here. */
const DIGESTS = {
  'solo 1': '882f827624919ce4e5a044ac95c092c137d9ff70dbb52ba369b1c69cd081e77f',
  'duel 1': '73dcb7fa2a6b406fe5055be4d2360f0abb66135fc10b94a75da4a79c2b8df3f2',
  'melee 1': '4282b1d871117cff1a458e6774f34ddbd3563affcdf66acf2294cb163cc8dd3a',
  'diplomacy 1': '347dcc9588a5f1e6f6c7d3738ff6db9323da493c22b30d96fec04b166a834c1d',
  'endurance 1': '67d645f0391fb6993feea106288afec9d4c5d6a837c5245a7929c7c67b6d87b6',
};

/** The digest of the rules by which each version is played. */
const FROZEN_RULES: Readonly<Record<string, string>> = {
  1: '8c64c5779f073558',
};

/** @returns what is wrong with a version that is played by rules of some digest; null if nothing is */
function versionFault(version: string, digest: string, frozen: Readonly<Record<string, string>>): string | null {
  if (frozen[version] === digest) return null;
  if (frozen[version] === undefined) return `version ${version} needs the digest of its rules here: ${digest}`;
  return `the rules of version ${version} have changed: the settings need a new version`;
}

t.test('a version is of one rule set that never changes', async (t) => {
  for (const name of SETTING_NAMES) {
    const rules = SHIPPED_RULES.find(({ set }) => set.name === NAMED_SETTINGS[name].rules);
    t.ok(rules);
    if (rules !== undefined) t.equal(versionFault(SETTINGS_VERSION, rulesIdentity(rules).digest, FROZEN_RULES), null);
  }
  t.match(versionFault('1', 'new', {}), /version 1 needs the digest of its rules here: new/);
  t.equal(versionFault('1', 'same', { 1: 'same' }), null);
  t.match(versionFault('1', 'changed', { 1: 'same' }), /rules of version 1 have changed: .* a new version/);
});

t.test('docs/arena.md has the version and the numbers of each', async (t) => {
  const document = await readFile(join(root, 'docs', 'arena.md'), 'utf8');
  const [, version, table = ''] = /\n\| setting (\S+) \|.*\n\|.*\n((?:\|.*\n)+)/.exec(document) ?? [];
  t.equal(version, SETTINGS_VERSION);
  const rows = SETTING_NAMES.map((name) => {
    const { playersPerGame, days, instances, rounds, wallSecondsPerTurn } = NAMED_SETTINGS[name];
    return `| \`${name}\` | ${[playersPerGame, days, instances, rounds, wallSecondsPerTurn].join(' | ')} |`;
  });
  t.same(table.trimEnd().split('\n'), rows);
});

t.test('each can be cited, and played by as many entrants as a tournament may have', async (t) => {
  const identities = SETTING_NAMES.map(settingIdentity);
  t.same(Object.fromEntries(identities.map(({ name, version, digest }) => [`${name} ${version}`, digest])), DIGESTS);
  for (const name of SETTING_NAMES) {
    const { rules, playersPerGame } = NAMED_SETTINGS[name];
    t.ok(SHIPPED_RULES.some(({ set }) => set.name === rules));
    for (let entrants = Math.max(2, playersPerGame); entrants <= ENTRANTS_MAX; entrants += 1) {
      const games = gamesOf({ ...SHORT, ...settledBy(name, entrants, SHORT.keySecret) }, entrants);
      t.ok(games <= GAMES_MAX, `${name} of ${entrants} entrants: ${games} games`);
    }
  }
  t.throws(() => settledBy('melee', 7, SHORT.keySecret), { message: /there are 7 entrants, and not 8/ });
});

t.test('instances follow from the key secret alone', async (t) => {
  const seedsOf = (secret: string) => settledBy('melee', 8, secret).seeds;
  t.same(seedsOf(SHORT.keySecret), settledBy('melee', 50, SHORT.keySecret).seeds);
  const seeds = [...seedsOf(SHORT.keySecret), ...seedsOf('another-secret-of-a-test')];
  t.equal(new Set(seeds).size, 2 * NAMED_SETTINGS.melee.instances);
  t.ok(seeds.every((seed) => Number.isSafeInteger(seed) && seed >= 0));
});

t.test('a tournament of a setting says so, and only one that was played by it is sound', async (t) => {
  const out = join(await temporaryFolder(t), 'cup');
  const play = (...flags: string[]) =>
    galaxyd(t, 'tournament', '--entrants', 'a=idler,b=idler', '--out', out, '--setting', 'duel', ...flags);
  refused(t, await play('--days', '3', '--same-rules'), 2, /--setting duel settles days, sameRules/);
  const limited = await galaxyd(t, 'tournament', '--entrants', 'a=idler@99,b=idler', '--out', out, '--setting', 'duel');
  refused(t, limited, 2, /--setting duel settles the wake-ups of each entrant: leave out @99 of a/);
  t.match(await play('--jobs', '2', '--json'), { code: 0, stdout: /"games":14,/ });
  t.match(await galaxyd(t, 'tournament', 'verify', out), { code: 0, stdout: /everything sound: 14 games/ });
  t.match(await galaxyd(t, 'tournament', 'table', out, '--format', 'latex'), {
    stdout: new RegExp(`^% Setting: duel ${SETTINGS_VERSION} \\([0-9a-f]{16}\\); `),
  });
});

t.test('a claim of a setting is compared with all that it settles', async (t) => {
  const { out } = await played(t, 'a=idler,b=idler', { days: 0.01, seeds: [1] });
  const claimed = async (setting: object): Promise<string[]> => {
    const copy = await altered(t, out, async (copy) => {
      await editResult(copy, (edited) => void Object.assign(edited.settings, { setting }));
      await writeSums(copy);
    });
    return places(await findingsIn(copy)).filter((place) => /settings|number of entrants/.test(place));
  };
  // Two entrants are all in each game.
  const differing = ['rules', 'variation', 'seeds', 'systemsPerGalaxy', 'days', 'rounds'];
  const found = await claimed(settingIdentity('duel'));
  t.same(
    found,
    differing.map((field) => `result.json, settings.${field}`),
  );
  t.ok((await claimed({ ...settingIdentity('duel'), digest: '00' })).includes('result.json, settings.setting'));
  const handicapped = await played(t, 'a=idler@1,b=idler', { days: 0.01, seeds: [1] });
  const alteredBudget = await altered(t, handicapped.out, async (copy) => {
    await editResult(copy, (edited) => void Object.assign(edited.settings, { setting: settingIdentity('duel') }));
    await writeSums(copy);
  });
  t.ok(places(await findingsIn(alteredBudget)).includes('result.json, a, wakeupsPerDay'), 'a budget of its own');
  t.ok((await claimed(settingIdentity('melee'))).includes('result.json, number of entrants'));
  t.same(await claimed({ ...settingIdentity('duel'), version: '9.9' }), ['result.json, settings.setting']);
});
