// The planets of a player: stocks, what is being built until when, and below it levels and ships.
import type { GameEvent } from 'galaxyd-client';
import { useState } from 'preact/hooks';
import { SHIP_ORDERS_SHOWN } from '../../limits.js';
import { ShipsText } from '../../parts/amounts.js';
import { formatShips, formatShipsOf, formatType } from '../../parts/format.js';
import { More } from '../../parts/more.js';
import { Panel } from '../../parts/page.js';
import { PlanetLink } from '../../parts/planet-link.js';
import type { Shapes } from '../../world/api.js';
import { GrowingStocks } from './growing-stocks.js';
import { PlanEntry } from './plan-entry.js';
import { Queue } from './queue.js';
import { shipOrderStart } from './ship-order-start.js';

type Planet = Shapes['Planet'];

interface PlanetsPanelProps {
  readonly planets: readonly Planet[];
  readonly asOf: string;
  /** Of the player: they say when ship orders were begun. */
  readonly events: readonly GameEvent[];
}

export function PlanetsPanel({ planets, asOf, events }: PlanetsPanelProps) {
  return (
    <Panel title={planets.length === 1 ? '1 planet' : `${planets.length} planets`}>
      <More entries={planets} noun="planets">
        {(shown) =>
          shown.map((planet, index) => (
            <PlanetEntry key={planet.id} planet={planet} asOf={asOf} events={events} isOpen={index === 0} />
          ))
        }
      </More>
    </Panel>
  );
}

interface PlanetEntryProps {
  readonly planet: Planet;
  readonly asOf: string;
  readonly events: readonly GameEvent[];
  readonly isOpen: boolean;
}

function PlanetEntry({ planet, asOf, events, isOpen }: PlanetEntryProps) {
  const { id, name, buildings, planetShips } = planet;
  const ships = planetShips.reduce((sum, { count }) => sum + count, 0);
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
          {buildings.length} buildings, {formatShips(ships)}
        </summary>
        <ul class="levels">
          {buildings.map(({ id: buildingId, type, level, constructionQueue }) => (
            <li key={buildingId} class={constructionQueue.length > 0 ? 'level is-building' : 'level'}>
              <span class="level-name">{formatType(type)}</span>
              <span class="count level-number">{level}</span>
            </li>
          ))}
        </ul>
        <p class="ships">
          <span class="label">Ships</span> <ShipsText ships={planetShips} isWhole none="none" />
        </p>
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
      <Orders planet={planet} events={events} />
    </>
  );
}

/** The orders of the shipyard, one after the other. */
function Orders({ planet, events }: Pick<PlanetEntryProps, 'planet' | 'events'>) {
  return (
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
  );
}
