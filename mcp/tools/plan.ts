// The tools get_plan and set_plan: what the server starts by itself on a planet, as soon as the rules and the stocks allow it.
import { z } from 'zod';
import { NoReply, type Shapes } from '../galaxyd-client.js';
import { PLAN_LONGER_THAN_SECONDS_MAX, PLAN_STEPS_MAX, SHIPS_PER_ORDER_MAX } from '../limits.js';
import { answerOf, stepText } from '../texts.js';
import { type Answer, cargo, given, mission, name, planetId, ships, type Tool } from '../tool.js';
import { inToolWords } from '../tool-words.js';

type Plan = Shapes['Plan'];
type PlanStep = Plan['steps'][number];
type Lane = Plan['lanes'][number];

const times = z.int().min(1).max(PLAN_STEPS_MAX).optional().describe('Repeats it');
const step = z.discriminatedUnion('action', [
  z.strictObject({ action: z.enum(['upgrade', 'construct']), buildingType: name, times }),
  z.strictObject({
    action: z.literal('build_ships'),
    shipType: name,
    count: z.int().min(1).max(SHIPS_PER_ORDER_MAX),
    times,
  }),
  z.strictObject({ action: z.literal('research'), researchType: name, times }),
  z.strictObject({
    action: z.literal('launch'),
    targetPlanetId: planetId,
    mission,
    ships,
    resources: cargo.optional(),
    drive: name.optional(),
    times,
  }),
]);

const reading = z.strictObject({ planetId });
const setting = z.strictObject({
  planetId,
  steps: z.array(step).max(PLAN_STEPS_MAX).describe('The whole plan, in order; [] removes it'),
  onBlocked: z
    .enum(['wait', 'skip'])
    .default('wait')
    .describe('A step that cannot start as things are, such as ships without a shipyard: wait for it, or drop it'),
  longerThanSeconds: z
    .int()
    .min(0)
    .max(PLAN_LONGER_THAN_SECONDS_MAX)
    .optional()
    .describe('With skip: also drops what stocks cover only after more seconds'),
});

/** The lane of each kind of step. */
const LANES: Readonly<Record<PlanStep['action'], Lane['lane']>> = {
  upgrade: 'buildings',
  construct: 'buildings',
  build_ships: 'ships',
  research: 'research',
  launch: 'fleets',
};

export const getPlan: Tool<z.infer<typeof reading>> = {
  name: 'get_plan',
  title: 'The plan of a planet',
  description:
    'What is left of the plan of one of your planets: its four lanes (buildings, ships, research, fleets), each with its steps in order, whether it ' +
    'is busy, waiting for stocks or blocked, and when its next step starts.',
  input: reading,
  isRead: true,
  async run({ galaxyd }, { planetId }, signal) {
    const { body, worldTime } = await galaxyd.get('/api/plan/planet/{planetId}', {
      params: { path: { planetId } },
      signal,
    });
    return planAnswer(body, worldTime);
  },
};

export const setPlan: Tool<z.infer<typeof setting>> = {
  name: 'set_plan',
  title: 'Plan a planet',
  description:
    `Hands a planet a plan of up to ${PLAN_STEPS_MAX} steps, in place of the old one. The server starts each step by itself, as soon as rules and ` +
    'stocks allow, also while you are away. Four lanes go on side by side, each in order: buildings, ships, research, launches. They share the stocks; what ' +
    'can be paid first starts first, so a dear ship waits while buildings are cheaper. Plan more than you expect to be done: low ' +
    'levels take minutes, and what cannot be paid yet waits. Construct what the planet lacks before its upgrades: only the first step of a lane is ' +
    'checked. You research one thing at a time, so one planet with research is enough.',
  input: setting,
  isRead: false,
  async run(session, { planetId, steps, onBlocked, longerThanSeconds }, signal) {
    try {
      const { body, worldTime } = await session.galaxyd.put('/api/plan/planet/{planetId}', {
        params: { path: { planetId } },
        body: {
          steps: steps.flatMap(repeated),
          onBlocked,
          ...(longerThanSeconds === undefined ? {} : { longerThanSeconds }),
        },
        signal,
      });
      session.knownTurn ??= 'present';
      return planAnswer(body, worldTime);
    } catch (error) {
      if (error instanceof NoReply) return { text: unansweredText(error, planetId), isRefusal: true };
      throw error;
    }
  },
};

/** Repeats a step, since the API has no `times`. */
function repeated({ times = 1, ...once }: z.infer<typeof step>): PlanStep[] {
  const step = once.action === 'launch' ? launchStep(once) : once;
  return Array.from({ length: times }, () => step);
}

function launchStep({
  resources,
  drive,
  ...launch
}: Omit<Extract<z.infer<typeof step>, { action: 'launch' }>, 'times'>): PlanStep {
  return { ...launch, ...(resources === undefined ? {} : { resources: given(resources) }), ...given({ drive }) };
}

/** A plan has no idempotency key to repeat. Reading the plan shows whether it was set. */
function unansweredText({ message }: NoReply, planetId: string): string {
  return `The galaxyd server did not answer. ${message}. Read get_plan of ${planetId} before you set it again: the plan may be set.`;
}

function planAnswer({ planetId, onBlocked, longerThanSeconds, steps, lanes }: Plan, worldTime: string): Answer {
  if (steps.length === 0) return { text: `${planetId} has no plan at ${worldTime}.` };
  const tooLong =
    longerThanSeconds === undefined ? '' : `, as is one that stocks do not cover within ${longerThanSeconds} s`;
  const head = `${planetId} at ${worldTime}: ${steps.length} to start; a blocked step ${
    onBlocked === 'wait' ? 'waits' : `is skipped${tooLong}`
  }.`;
  const parts = lanes.flatMap((lane) => laneLines(lane, steps));
  return { text: answerOf([head, ...parts]) };
}

function laneLines(lane: Lane, steps: readonly PlanStep[]): string[] {
  if (lane.stepsLeft === 0) return [];
  const own = steps.filter(({ action }) => LANES[action] === lane.lane);
  return [`${lane.lane}: ${stateText(lane)}`, `  ${grouped(own).join(', ')}`];
}

function stateText({ state, startsAt, reason }: Lane): string {
  const start = startsAt === null ? 'start not known' : `next starts ${startsAt}`;
  if (state === 'busy') return `busy, ${start}`;
  if (reason === undefined) return `waiting for stocks, ${start}`;
  const why =
    reason.resource === undefined ? `${reason.code}: ${inToolWords(reason.detail)}` : `needs ${reason.resource}`;
  return state === 'blocked' ? `blocked, ${why}` : `waiting, ${start}, ${why}`;
}

/** Joins equal steps that follow each other. */
function grouped(steps: readonly PlanStep[]): string[] {
  const groups: { readonly text: string; times: number }[] = [];
  for (const one of steps) {
    const text = stepText(one);
    const last = groups.at(-1);
    if (last?.text === text) last.times += 1;
    else groups.push({ text, times: 1 });
  }
  return groups.map(({ text, times }) => (times === 1 ? text : `${times} times ${text}`));
}
