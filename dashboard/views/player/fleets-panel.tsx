// The fleets of a player in flight, the next to arrive first, and those of others on their way to its planets.
import type { GameEvent } from 'galaxyd-client';
import { linkTo } from '../../address.js';
import { numberOfPlayer } from '../../colours.js';
import { CargoText, ShipsText } from '../../parts/amounts.js';
import { formatShips } from '../../parts/format.js';
import { More } from '../../parts/more.js';
import { Panel } from '../../parts/page.js';
import { PlanetLink } from '../../parts/planet-link.js';
import { PlayerName } from '../../parts/player-name.js';
import { Progress } from '../../parts/progress.js';
import { Countdown, TimeText } from '../../parts/time-text.js';
import type { Shapes } from '../../world/api.js';
import { fleetsVersion, fleets as legs, missions } from '../../world/map-state.js';
import { worldNowMs } from '../../world/world-clock.js';
import { type IncomingFleet, incomingFleets } from './incoming-fleets.js';

type Fleet = Shapes['Fleet'];

export function FleetsPanel({ fleets }: { readonly fleets: readonly Fleet[] }) {
  const next = fleets.toSorted((one, other) => Date.parse(endOf(one)) - Date.parse(endOf(other)));
  return (
    <Panel title={fleets.length === 1 ? '1 fleet in flight' : `${fleets.length} fleets in flight`}>
      {fleets.length === 0 && <p class="panel-empty">No fleet is in flight.</p>}
      <More entries={next} noun="fleets">
        {(shown) => (
          <ul class="entries">
            {shown.map((fleet) => (
              <FleetEntry key={fleet.id} fleet={fleet} />
            ))}
          </ul>
        )}
      </More>
    </Panel>
  );
}

function FleetEntry({ fleet }: { readonly fleet: Fleet }) {
  const { mission, ships, resources, originPlanetId, targetPlanetId, state } = fleet;
  const isReturning = state === 'returning';
  const [from, to] = isReturning ? [targetPlanetId, originPlanetId] : [originPlanetId, targetPlanetId];
  return (
    <li class="entry">
      <div class="entry-head">
        <span class={`badge is-${mission}`}>{isReturning ? `${mission}, returns` : mission}</span>
        <span class="way">
          <PlanetLink planetId={from} /> <span aria-hidden="true">→</span> <span class="for-readers">to</span>{' '}
          <PlanetLink planetId={to} />
        </span>
        <span class="queue-end">
          <Countdown until={endOf(fleet)} />
        </span>
      </div>
      <Progress from={startOf(fleet)} to={endOf(fleet)} label={`${mission} fleet on its way`} />
      <div class="entry-foot">
        <p class="entry-text">
          <ShipsText ships={ships} />
          <CargoText amounts={resources} before=", carrying " />
        </p>
        <TimeText at={endOf(fleet)} />
      </div>
    </li>
  );
}

/** When the present way began. A recalled fleet has flown back since then, as long as it had flown out. */
function startOf({ state, launchedAt, arrivesAt, recalledAt }: Fleet): string {
  return state === 'returning' ? (recalledAt ?? arrivesAt) : launchedAt;
}

function endOf({ state, arrivesAt, returnsAt }: Fleet): string {
  return state === 'returning' ? (returnsAt ?? arrivesAt) : arrivesAt;
}

interface IncomingPanelProps {
  readonly playerId: string;
  readonly planetIds: ReadonlySet<string>;
  readonly events: readonly GameEvent[];
}

/** Warns of fleets of others. It takes no room if there are none. */
export function IncomingPanel({ playerId, planetIds, events }: IncomingPanelProps) {
  fleetsVersion.value;
  const nowMs = worldNowMs.value ?? 0;
  const incoming = incomingFleets({
    ownNumber: numberOfPlayer(playerId),
    planetIds,
    events,
    legs: legs.values(),
    missions: missions.value,
  }).filter(({ arrivesAtMs }) => arrivesAtMs > nowMs);
  if (incoming.length === 0) return null;
  return (
    <Panel title={incoming.length === 1 ? '1 fleet approaches' : `${incoming.length} fleets approach`}>
      <More entries={incoming} noun="fleets">
        {(shown) => (
          <ul class="entries">
            {shown.map((fleet) => (
              <IncomingEntry key={fleet.number} fleet={fleet} />
            ))}
          </ul>
        )}
      </More>
    </Panel>
  );
}

function IncomingEntry({ fleet }: { readonly fleet: IncomingFleet }) {
  const { senderId, mission, origin, targetPlanetId, shipCount, ships, departsAtMs, arrivesAtMs } = fleet;
  return (
    <li class="entry">
      <div class="entry-head">
        <span class={`badge is-${mission ?? 'unknown'}`}>{mission ?? 'unknown mission'}</span>
        <span class="way">
          <PlayerName playerId={senderId} /> <span aria-hidden="true">→</span> <span class="for-readers">to</span>{' '}
          <PlanetLink planetId={targetPlanetId} />
        </span>
        <span class="queue-end">
          <Countdown until={arrivesAtMs} />
        </span>
      </div>
      <Progress from={departsAtMs} to={arrivesAtMs} label="fleet approaching" />
      <div class="entry-foot">
        <p class="entry-text">
          From{' '}
          <a href={linkTo({ view: 'system', ...origin })}>
            system {origin.galaxy}:{origin.system}
          </a>
          {ships !== null && (
            <>
              {' '}
              with <ShipsText ships={ships} />
            </>
          )}
          {ships === null && shipCount !== null && ` with ${formatShips(shipCount)}`}
        </p>
        <TimeText at={arrivesAtMs} />
      </div>
    </li>
  );
}
