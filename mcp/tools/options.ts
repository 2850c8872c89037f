// The tool options: what can be started on a planet. Each line says how the tool act starts it.
import { z } from 'zod';
import { foreignText } from '../../text/foreign-text.js';
import type { Shapes } from '../galaxyd-client.js';
import { amounts, answerOf } from '../texts.js';
import { planetId, type Tool } from '../tool.js';

type Option = Shapes['Option'];

const input = z.strictObject({
  planetId,
  action: z
    .enum(['upgrade', 'construct', 'build_ships', 'research', 'second_starter'])
    .optional()
    .describe('Lists only these'),
});

export const options: Tool<z.infer<typeof input>> = {
  name: 'options',
  title: 'What a planet can start',
  description:
    'Everything that can be started on one of your planets, and the free second planet, with cost, duration and gain, and when its stocks ' +
    'cover the cost. `now`: you can start it. `never`: production alone will not cover it. Each line begins with the action and the type ' +
    'for the tool act.',
  input,
  isRead: true,
  async run({ galaxyd }, { planetId, action }, signal) {
    const { body, worldTime } = await galaxyd.get('/api/game/options/{planetId}', {
      params: { path: { planetId } },
      signal,
    });
    const { body: catalog } = await galaxyd.get('/api/catalog', { signal });
    const effects = new Map(catalog.research.map(({ type, unlocks }) => [type, foreignText(unlocks)]));
    const wanted = body.options.filter((option) => action === undefined || option.action === action);
    const open = wanted.filter(({ reason }) => reason === undefined);
    const blocked = wanted.filter(({ reason }) => reason !== undefined);
    const lines = [
      `${planetId} at ${worldTime}`,
      ...open.map((option) => `- ${subject(option)}: ${whenText(option, worldTime)}; ${detailsText(option, effects)}`),
      ...(blocked.length === 0 ? [] : ['Something else is in the way of:']),
      ...blocked.map((option) => `- ${subject(option)}: ${reasonText(option)}; ${detailsText(option, effects)}`),
      ...(body.freePlanets ?? []).map(
        ({ planetId, richness, distance }) =>
          `Rich and free: ${planetId}, distance ${distance}, output in % ${amounts({ ...richness })}`,
      ),
    ];
    return { text: answerOf(lines, 'ask for one action') };
  },
};

function subject(option: Option): string {
  switch (option.action) {
    case 'second_starter':
      return 'second_starter, a free starter planet';
    case 'upgrade':
    case 'construct':
      return `${option.action} ${option.buildingType} to level ${option.level}`;
    case 'build_ships':
      return `build_ships ${option.shipType} x ${option.count}`;
    case 'research':
      return `research ${option.researchType} to level ${option.level}`;
  }
}

function whenText({ affordableAt }: Option, worldTime: string): string {
  if (affordableAt === null) return 'never';
  return affordableAt <= worldTime ? 'now' : affordableAt;
}

function reasonText({ reason }: Option): string {
  if (reason === undefined) return '';
  return reason.until === undefined ? reason.code : `${reason.code} until ${reason.until}`;
}

/** @param effects what each research does, by type */
function detailsText(option: Option, effects: ReadonlyMap<string, string>): string {
  const { cost, seconds, gain } = option;
  if (option.action === 'research') return `${seconds} s; ${effects.get(option.researchType) ?? 'no effect'}`;
  const gains = [`+${gain.points} points`];
  if ('production' in gain && gain.production !== undefined) gains.push(`+${amounts(gain.production)} an hour`);
  if ('unlocks' in gain && gain.unlocks !== undefined) gains.push(`unlocks ${foreignText(gain.unlocks)}`);
  return `costs ${amounts(cost)}; ${seconds} s; ${gains.join(', ')}`;
}
