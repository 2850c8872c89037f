// The tool options: what can be started on a planet, and answered to other players. Each line says how the tool act starts it.
import { z } from 'zod';
import { foreignText } from '../../text/foreign-text.js';
import type { Shapes } from '../galaxyd-client.js';
import { ANSWERS_SHOWN_MAX } from '../limits.js';
import { amounts, answerOf } from '../texts.js';
import { planetId, type Tool } from '../tool.js';

type Option = Shapes['Option'];
type PlayersAnswer = Shapes['Answer'];

const input = z.strictObject({
  planetId,
  action: z
    .enum([
      'upgrade',
      'construct',
      'build_ships',
      'research',
      'second_starter',
      'accept_pact',
      'decline_pact',
      'take_offer',
    ])
    .optional()
    .describe('Lists only these'),
});

export const options: Tool<z.infer<typeof input>> = {
  name: 'options',
  title: 'What a planet can start',
  description:
    'Everything that can be started on one of your planets, and the free second planet, with cost, duration and gain, and when its stocks ' +
    'cover the cost. `now`: you can start it. `never`: production alone will not cover it. Also pacts that you can answer, and the best offers ' +
    'that the planet can take now. Each line begins with the action and the type for the tool act.',
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
    const answers = (body.answers ?? []).filter((answer) => action === undefined || answer.action === action);
    const lines = [
      `${planetId} at ${worldTime}`,
      ...answerLines(answers),
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

function answerLines(answers: readonly PlayersAnswer[]): string[] {
  if (answers.length === 0) return [];
  const shown = answers.slice(0, ANSWERS_SHOWN_MAX).map((answer) => `- ${answerText(answer)}`);
  const left = answers.length - shown.length;
  return ['To other players:', ...shown, ...(left === 0 ? [] : [`- and ${left} more: ask for one action`])];
}

function answerText(answer: PlayersAnswer): string {
  if (answer.action === 'take_offer') {
    const { action, offerId, makerId, give, want, h2Cost, seconds } = answer;
    const price = `${want.units} ${want.resource}, and ${h2Cost} h2 for the way`;
    return `${action} ${offerId} of ${makerId}: ${give.units} ${give.resource} for ${price}; arrives in ${seconds} s`;
  }
  const { action, pactId, kind, proposerId, durationSeconds, until } = answer;
  return `${action} ${pactId}: ${kind} with ${proposerId} for ${durationSeconds} s; proposed until ${until}`;
}

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
