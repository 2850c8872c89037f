// What galaxyd log prints: commands in the words of the API, and as they are in the log if these are not known.
import t from 'tap';
import { LogWords } from '../../../cli/commands/log-words.js';
import type { Command } from '../../../engine/commands/table.js';
import { STANDARD_2_RULES } from '../../../engine/rules/shipped.js';
import { packStep } from '../../../engine/terms/plan-step.js';
import { SOUND_COMMANDS } from '../../support/sound-commands.js';
import { MemoryStore } from '../../support/stores/memory-store.js';

const words = await LogWords.open(new MemoryStore(), 1);
const unknown = await LogWords.open(new MemoryStore(), 1);
const { genesis, ...commands } = SOUND_COMMANDS;
words.of({ ...genesis, rulesVersion: STANDARD_2_RULES.version, rules: STANDARD_2_RULES.text });

t.test('no command shows a number of the engine', async (t) => {
  const numbers = /^(?!nameKey$|namePrefixKey$).*(Number|Numbers|Key)$/;
  for (const command of Object.values<Command>(commands)) {
    if (command.type === 'switch_rules') continue;
    const shown = words.of(command) as Record<string, unknown>;
    t.equal(shown['type'], command.type);
    for (const [name, value] of Object.entries(shown)) {
      t.notMatch(name, numbers, `${command.type} ${name}`);
      if (name.endsWith('Type') || name === 'mission' || name === 'drive') t.type(value, 'string', name);
    }
  }
  t.same(words.of({ ...commands.launch_fleet, ships: [0, 2], cargo: [1, 2, 3, 4] }), {
    type: 'launch_fleet',
    playerId: 'player-1',
    originPlanetId: 'planet-1-0-8',
    targetPlanetId: 'planet-1-0-9',
    ships: [{ shipType: STANDARD_2_RULES.ships[1]?.type, count: 2 }],
    mission: 'attack',
    resources: { iron: 1, silver: 2, ember: 3, h2: 4 },
    drive: STANDARD_2_RULES.drives[0]?.type,
  });
  t.same(words.of(commands.send_message), {
    type: 'send_message',
    playerId: 'player-1',
    to: 'player-2',
    text: 'hello',
  });
  t.match(words.of({ ...commands.send_message, receiverNumber: 0 }), { to: 'all' });
  t.match(words.of(commands.block_player), { playerId: 'player-1', blockedPlayerId: 'player-2', blocked: true });
  t.same(words.of(commands.propose_pact), {
    type: 'propose_pact',
    playerId: 'player-1',
    partnerId: 'player-2',
    kind: 'non_aggression',
    durationSeconds: 3_600,
  });
  t.match(words.of(commands.make_offer), { giveResource: 'iron', wantResource: 'silver', toPlayerId: 'player-2' });
  t.match(words.of(commands.take_offer), { offerId: 'offer-9', planetId: 'planet-1-0-8' });
  const steps = [
    packStep({ action: 'build_ships', shipType: 0, count: 3 }),
    packStep({ action: 'research', researchType: 1 }),
  ];
  t.match(words.of({ ...commands.put_plan, isSkipping: true, longerThanMs: 90_000, steps }), {
    planetId: 'planet-1-0-8',
    onBlocked: 'skip',
    longerThanSeconds: 90,
    steps: [
      { action: 'build_ships', shipType: STANDARD_2_RULES.ships[0]?.type, count: 3 },
      { action: 'research', researchType: STANDARD_2_RULES.research[1]?.type },
    ],
  });
});

t.test('what cannot be named is shown as it is in the log', async (t) => {
  t.same(unknown.of(commands.build_ships), commands.build_ships, 'a log without its beginning');
  const foreign = { ...commands.put_plan, steps: [packStep({ action: 'research', researchType: 63 })] };
  t.same(words.of(foreign), foreign, 'a type that the rules do not have');
});
