// The planets of a player: stocks, what is being built until when, levels and ships, and the plan. Stocks grow between two reads as the
// client's planning functions compute them; only the texts that change are written, a few times a second.
import { type ReadonlySignal, signal, useComputed, useSignal } from '@preact/signals';
import { type GameEvent, type Resource, stockAt } from 'galaxyd-client';
import { useEffect, useState } from 'preact/hooks';
import { PLAN_STEPS_SHOWN, PLAYER_PERIOD_MS, SHIP_ORDERS_SHOWN, STOCK_TICK_MS } from '../../limits.js';
import {
  formatCount,
  formatDuration,
  formatPlural,
  formatShipsOf,
  formatShort,
  formatType,
} from '../../parts/format.js';
import { More, Panel } from '../../parts/page.js';
import {
  Countdown,
  PlanetLink,
  PlayerName,
  Progress,
  RichnessText,
  ShipsText,
  say,
  shipsIn,
  TimeText,
} from '../../parts/values.js';
import type { Shapes } from '../../world/api.js';
import { useCatalog } from '../../world/documents.js';
import { usePolled } from '../../world/poll.js';
import { worldMsAt } from '../../world/world-clock.js';
import { shipOrderStart } from './player-events.js';
import { NAMES, type PlayerPanelProps } from './player-reads.js';

type Planet = Shapes['Planet'];
type Plan = Shapes['Plan'];
type Step = Plan['steps'][number];
type Lane = Plan['lanes'][number];
type Stocks = Readonly<Record<Resource, number>>;

export function PlanetsPanel({ player: { planets }, asOf, events }: PlayerPanelProps) {
  return (
    <Panel title={formatPlural(planets.length, 'planet')}>
      <More entries={planets} noun="planets">
        {(shown) =>
          shown.map((planet, index) => (
            <PlanetEntry key={planet.id} planet={planet} asOf={asOf} events={events ?? []} isOpen={index === 0} />
          ))
        }
      </More>
    </Panel>
  );
}

interface PlanetEntryProps {
  readonly planet: Planet;
  readonly asOf: string;
  /** Events of the player: they say when ship orders were begun. */
  readonly events: readonly GameEvent[];
  readonly isOpen: boolean;
}

export function PlanetEntry({ planet, asOf, events, isOpen }: PlanetEntryProps) {
  const { id, name, buildings, planetShips, supporters = [] } = planet;
  const [isWhole, setWhole] = useState(isOpen);
  return (
    <article class="entry planet-entry" aria-label={`Planet ${name}`}>
      <header class="entry-head">
        <h3 class="entry-title">
          <PlanetLink planetId={id} /> <span class="entry-name">{name}</span>
        </h3>
      </header>
      <GrowingStocks planet={planet} asOf={asOf} />
      <Queues planet={planet} events={events} />
      <details open={isOpen} onToggle={({ currentTarget }) => setWhole(currentTarget.open)}>
        <summary>
          {buildings.length} buildings, {formatPlural(shipsIn(planetShips), 'ship')}
        </summary>
        <RichnessText richness={planet.richness} />
        <Levels entries={buildings} />
        <p class="ships">
          <span class="label">Ships</span> <ShipsText ships={planetShips} isWhole none="none" />
        </p>
        {supporters.map(({ fleetId, playerId, ships }) => (
          <p key={fleetId} class="ships">
            <span class="label">Supporter</span> <PlayerName playerId={playerId} />: <ShipsText ships={ships} isWhole />
          </p>
        ))}
      </details>
      {isWhole && <PlanEntry planetId={id} />}
    </article>
  );
}

/** What is under construction and on order. */
function Queues({ planet, events }: Pick<PlanetEntryProps, 'planet' | 'events'>) {
  const upgrades = planet.buildings.flatMap(({ type, constructionQueue }) =>
    constructionQueue.map((entry) => ({ ...entry, type })),
  );
  if (upgrades.length === 0 && planet.shipyardQueue.length === 0)
    return <p class="queue-empty">Nothing is being built.</p>;
  return (
    <>
      <ul class="queues">
        {upgrades.map(({ queueId, type, targetLevel, startedAt, upgradeFinishAt }) => (
          <Queue
            key={queueId}
            title={`${formatType(type)} to level ${targetLevel}`}
            from={startedAt}
            to={upgradeFinishAt}
          />
        ))}
      </ul>
      <More entries={planet.shipyardQueue} noun="ship orders" shown={SHIP_ORDERS_SHOWN}>
        {(shown) => (
          <ul class="queues">
            {shown.map(({ shipType, count, isBuilding, buildFinishAt }, index) => (
              <Queue
                key={`${index} ${buildFinishAt}`}
                title={formatShipsOf(shipType, count)}
                from={isBuilding ? shipOrderStart(events, planet.id, shipType, buildFinishAt) : null}
                to={buildFinishAt}
                isWaiting={!isBuilding}
              />
            ))}
          </ul>
        )}
      </More>
    </>
  );
}

interface QueueProps {
  readonly title: string;
  /** World time of its begin; null if it is not known, or has not come yet. */
  readonly from: string | null;
  readonly to: string;
  /** Whether it waits for another one. */
  readonly isWaiting?: boolean;
}

/** Something that is being made: what it is, how far it has come and when it is complete. */
export function Queue({ title, from, to, isWaiting = false }: QueueProps) {
  return (
    <li class="queue">
      <span class="queue-title">{title}</span>
      <span class="queue-end">
        {isWaiting ? 'waits, ' : ''}
        <Countdown until={to} /> <TimeText at={to} />
      </span>
      {from === null ? <span class="queue-gap" /> : <Progress from={from} to={to} label={title} />}
    </li>
  );
}

interface Leveled {
  readonly id: string;
  readonly type: string;
  readonly level: number;
  readonly constructionQueue?: readonly unknown[];
}

/** Levels by type. What is under construction stands out. */
export function Levels({ entries }: { readonly entries: readonly Leveled[] }) {
  return (
    <ul class="levels">
      {entries.map(({ id, type, level, constructionQueue = [] }) => (
        <li key={id} class={constructionQueue.length > 0 ? 'level is-building' : 'level'}>
          <span class="level-name">{formatType(type)}</span>
          <span class="count level-number">{level}</span>
        </li>
      ))}
    </ul>
  );
}

const RESOURCES: readonly Resource[] = ['iron', 'silver', 'ember', 'h2', 'energy'];

/** World time in ms, renewed while stocks are shown; null before the first answer. */
const nowMs = signal<number | null>(null);
let readers = 0;
let writtenMs = 0;

function tick(atMs: number): void {
  if (readers === 0) return;
  if (atMs - writtenMs >= STOCK_TICK_MS) {
    writtenMs = atMs;
    nowMs.value = worldMsAt(atMs);
  }
  requestAnimationFrame(tick);
}

/** Renews `nowMs` while the component is shown. */
function useTicks(): void {
  useEffect(() => {
    readers += 1;
    if (readers === 1) requestAnimationFrame(tick);
    return () => {
      readers -= 1;
    };
  }, []);
}

/** @param asOf world time at which the stocks were read */
function GrowingStocks({ planet, asOf }: Pick<PlanetEntryProps, 'planet' | 'asOf'>) {
  useTicks();
  const reading = useSignal({ planet, asOf });
  if (reading.peek().planet !== planet) reading.value = { planet, asOf };
  const stocks = useComputed(() => stocksAt(reading.value.planet, reading.value.asOf, nowMs.value));
  return (
    <dl class="stocks">
      {RESOURCES.map((resource) => (
        <div key={resource} class={`stock is-${resource}`}>
          <dt>{resource}</dt>
          <dd>
            <Stock stocks={stocks} resource={resource} />
            <span class="stock-rate">{rateText(planet.production[resource])}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Stock({ stocks, resource }: { readonly stocks: ReadonlySignal<Stocks>; readonly resource: Resource }) {
  const text = useComputed(() => formatCount(stocks.value[resource]));
  return <span class="count stock-amount">{text}</span>;
}

/** The stocks at an instant. After the next timer the planet may produce more: until it is read again, they stand still. */
function stocksAt(planet: Planet, asOf: string, atMs: number | null): Stocks {
  if (atMs === null) return planet;
  const endMs = planet.nextTimerAt === null ? atMs : Math.min(atMs, Date.parse(planet.nextTimerAt));
  return stockAt(planet, asOf, new Date(endMs).toISOString());
}

function rateText(perHour: number): string {
  return perHour === 0 ? 'none' : `+${perHour < 100_000 ? formatCount(perHour) : formatShort(perHour)}/h`;
}

const LANES: Readonly<Record<Lane['lane'], string>> = {
  buildings: 'Buildings',
  ships: 'Ships',
  research: 'Research',
  fleets: 'Fleets',
};

/** The lane of an action, and the action as a verb. */
const ACTIONS: Readonly<Record<Step['action'], readonly [lane: Lane['lane'], verb: string]>> = {
  upgrade: ['buildings', 'Upgrade'],
  construct: ['buildings', 'Construct'],
  build_ships: ['ships', 'Build'],
  research: ['research', 'Research'],
  launch: ['fleets', 'Launch'],
};

/** The plan of a planet: its lanes, what each waits for, and the steps that are left. Nothing is shown if the rules know no plans. */
function PlanEntry({ planetId }: { readonly planetId: string }) {
  const catalog = useCatalog();
  if (catalog.value.body?.plans === undefined) return null;
  return <OpenPlan planetId={planetId} />;
}

function OpenPlan({ planetId }: { readonly planetId: string }) {
  const plan = usePolled(
    NAMES.plan(planetId),
    (client, signal) => client.get('/api/plan/planet/{planetId}', { params: { path: { planetId } }, signal }),
    PLAYER_PERIOD_MS,
  ).value.body;
  if (plan === null) return null;
  const { steps, lanes, onBlocked, longerThanSeconds } = plan;
  if (steps.length === 0) return <p class="plan-empty">No plan.</p>;
  return (
    <section class="plan" aria-label="Plan">
      <p class="label">
        Plan: {formatPlural(steps.length, 'step')} left; a blocked step {onBlocked === 'wait' ? 'waits' : 'is skipped'}
        {longerThanSeconds !== undefined &&
          `, and one that stocks do not cover within ${formatDuration(longerThanSeconds * 1000)}`}
      </p>
      {lanes.map((lane) =>
        lane.stepsLeft === 0 ? null : (
          <div key={lane.lane} class={`plan-lane is-${lane.state}`}>
            <span class="plan-lane-title">{LANES[lane.lane]}</span> <LaneState lane={lane} />
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
  const next = startsAt !== null && say`, next in ${<Countdown until={startsAt} />} ${<TimeText at={startsAt} />}`;
  return <span class="plan-state">{say`${why}${next}`}</span>;
}

function stepText(step: Step): string {
  const [, verb] = ACTIONS[step.action];
  if (step.action === 'launch') {
    const ships = step.ships.map(({ shipType, count }) => formatShipsOf(shipType, count)).join(', ');
    return `${verb} ${ships} to ${step.mission} at ${step.targetPlanetId}`;
  }
  if ('shipType' in step) return `${verb} ${formatShipsOf(step.shipType, step.count)}`;
  return `${verb} ${formatType('buildingType' in step ? step.buildingType : step.researchType)}`;
}

/** The steps of a lane: equal steps that follow each other are one line. `first` is the ordinal of the first of them in the lane. */
function linesOfLane({ steps }: Plan, lane: Lane['lane']) {
  const lines: { readonly step: Step; readonly first: number; times: number }[] = [];
  for (const [first, step] of steps.filter(({ action }) => ACTIONS[action][0] === lane).entries()) {
    const last = lines.at(-1);
    if (last !== undefined && JSON.stringify(last.step) === JSON.stringify(step)) last.times += 1;
    else lines.push({ step, first, times: 1 });
  }
  return lines;
}
