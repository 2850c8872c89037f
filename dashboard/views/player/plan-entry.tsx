// The plan of a planet: its lanes, what each waits for, and the steps that are left. Nothing is shown where rules know no plans.
import { PLAN_STEPS_SHOWN, PLAYER_PERIOD_MS } from '../../limits.js';
import { formatShipsOf, formatType } from '../../parts/format.js';
import { More } from '../../parts/more.js';
import { Countdown, TimeText } from '../../parts/time-text.js';
import { useCatalog } from '../../world/catalog.js';
import { usePolled } from '../../world/poll.js';
import { type Lane, linesOfLane, type Plan, planName, type Step } from './plan-lanes.js';

const LANE_TITLES: Readonly<Record<Lane['lane'], string>> = {
  buildings: 'Buildings',
  ships: 'Ships',
  research: 'Research',
};

export function PlanEntry({ planetId }: { readonly planetId: string }) {
  const catalog = useCatalog();
  if (catalog.value.body?.plans === undefined) return null;
  return <OpenPlan planetId={planetId} />;
}

function OpenPlan({ planetId }: { readonly planetId: string }) {
  const plan = usePolled(
    planName(planetId),
    (client, signal) => client.get('/api/plan/planet/{planetId}', { params: { path: { planetId } }, signal }),
    PLAYER_PERIOD_MS,
  ).value.body;
  if (plan === null) return null;
  return <PlanLanes plan={plan} />;
}

function PlanLanes({ plan }: { readonly plan: Plan }) {
  const { steps, lanes, onBlocked } = plan;
  if (steps.length === 0) return <p class="plan-empty">No plan.</p>;
  return (
    <section class="plan" aria-label="Plan">
      <p class="label">
        Plan: {steps.length} {steps.length === 1 ? 'step' : 'steps'} left; a blocked step{' '}
        {onBlocked === 'wait' ? 'waits' : 'is skipped'}
      </p>
      {lanes.map((lane) =>
        lane.stepsLeft === 0 ? null : (
          <div key={lane.lane} class={`plan-lane is-${lane.state}`}>
            <span class="plan-lane-title">{LANE_TITLES[lane.lane]}</span> <LaneState lane={lane} />
            <More entries={linesOfLane(plan, lane.lane)} noun="steps" shown={PLAN_STEPS_SHOWN}>
              {(shown) => (
                <ol class="plan-steps">
                  {shown.map(({ step, times, first }) => (
                    <li key={first}>
                      {stepText(step)}
                      {times > 1 && <span class="count"> × {times}</span>}
                    </li>
                  ))}
                </ol>
              )}
            </More>
          </div>
        ),
      )}
    </section>
  );
}

function LaneState({ lane: { state, startsAt, reason } }: { readonly lane: Lane }) {
  if (state === 'blocked') return <span class="plan-state is-blocked">blocked: {formatType(reason?.code ?? '')}</span>;
  const why = state === 'busy' ? 'busy' : 'waits';
  if (startsAt === null) return <span class="plan-state">{why}</span>;
  return (
    <span class="plan-state">
      {why}, next in <Countdown until={startsAt} /> <TimeText at={startsAt} />
    </span>
  );
}

function stepText(step: Step): string {
  switch (step.action) {
    case 'upgrade':
      return `Upgrade ${formatType(step.buildingType)}`;
    case 'construct':
      return `Construct ${formatType(step.buildingType)}`;
    case 'build_ships':
      return `Build ${formatShipsOf(step.shipType, step.count)}`;
    case 'research':
      return `Research ${formatType(step.researchType)}`;
  }
}
