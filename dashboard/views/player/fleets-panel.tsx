// The fleets of a player in flight, the next to arrive first, those that are stationed, and those of others on their way to its planets.
import type { ComponentChildren } from 'preact';
import { linkTo } from '../../address.js';
import { numberOfPlayer } from '../../colours.js';
import { formatPlural } from '../../parts/format.js';
import { Entries, Panel } from '../../parts/page.js';
import {
  CargoText,
  Countdown,
  PlanetLink,
  PlayerName,
  Progress,
  ShipsText,
  say,
  TimeText,
} from '../../parts/values.js';
import type { Shapes } from '../../world/api.js';
import { fleetsVersion, fleets as legs, missions } from '../../world/map-state.js';
import { worldNowMs } from '../../world/world-clock.js';
import { type IncomingFleet, incomingFleets } from './player-events.js';
import type { PlayerPanelProps } from './player-reads.js';

type Fleet = Shapes['Fleet'];

export function FleetsPanel({ player: { fleets } }: PlayerPanelProps) {
  const stationed = fleets.filter(({ state }) => state === 'stationed');
  const next = fleets
    .filter(({ state }) => state !== 'stationed')
    .sort((one, other) => Date.parse(endOf(one)) - Date.parse(endOf(other)));
  return (
    <Panel title={`${formatPlural(next.length, 'fleet')} in flight`}>
      <Entries entries={next} noun="fleets" empty="No fleet is in flight.">
        {(fleet) => <OwnFleet key={fleet.id} fleet={fleet} />}
      </Entries>
      {stationed.length > 0 && (
        <Entries entries={stationed} noun="fleets" empty="">
          {(fleet) => <StationedFleet key={fleet.id} fleet={fleet} />}
        </Entries>
      )}
    </Panel>
  );
}

function StationedFleet({ fleet: { mission, ships, targetPlanetId } }: { readonly fleet: Fleet }) {
  return (
    <li class="entry">
      <div class="entry-head">
        <span class={`badge is-${mission}`}>{mission}</span>
        <span class="way">
          stationed at <PlanetLink planetId={targetPlanetId} />
        </span>
      </div>
      <p class="entry-text">
        <ShipsText ships={ships} />
      </p>
    </li>
  );
}

function OwnFleet({ fleet }: { readonly fleet: Fleet }) {
  const { mission, ships, resources, originPlanetId, targetPlanetId, state } = fleet;
  const isReturning = state === 'returning';
  const [from, to] = isReturning ? [targetPlanetId, originPlanetId] : [originPlanetId, targetPlanetId];
  return (
    <FleetEntry
      mission={mission}
      badge={isReturning ? `${mission}, returns` : mission}
      origin={<PlanetLink planetId={from} />}
      targetPlanetId={to}
      from={startOf(fleet)}
      to={endOf(fleet)}
      label={`${mission} fleet on its way`}
    >
      <ShipsText ships={ships} />
      <CargoText amounts={resources} before=", carrying " />
    </FleetEntry>
  );
}

/** When the present leg began. A recalled fleet flies back for as long as it had flown out. */
const startOf = ({ state, launchedAt, arrivesAt, recalledAt }: Fleet): string =>
  state === 'returning' ? (recalledAt ?? arrivesAt) : launchedAt;

const endOf = ({ state, arrivesAt, returnsAt }: Fleet): string =>
  state === 'returning' ? (returnsAt ?? arrivesAt) : arrivesAt;

/** Warns of fleets of others. It takes no room if there are none. */
export function IncomingPanel({ player: { id, planets }, events }: PlayerPanelProps) {
  fleetsVersion.value;
  const nowMs = worldNowMs.value ?? 0;
  const incoming = incomingFleets({
    ownNumber: numberOfPlayer(id),
    planetIds: new Set(planets.map((planet) => planet.id)),
    events: events ?? [],
    legs: legs.values(),
    missions: missions.value,
  }).filter(({ arrivesAtMs }) => arrivesAtMs > nowMs);
  if (incoming.length === 0) return null;
  return (
    <Panel title={incoming.length === 1 ? '1 fleet approaches' : `${incoming.length} fleets approach`}>
      <Entries entries={incoming} noun="fleets" empty="">
        {(fleet) => <FleetOfOther key={fleet.number} fleet={fleet} />}
      </Entries>
    </Panel>
  );
}

function FleetOfOther({ fleet }: { readonly fleet: IncomingFleet }) {
  const { senderId, mission, origin, targetPlanetId, shipCount, ships, departsAtMs, arrivesAtMs } = fleet;
  return (
    <FleetEntry
      mission={mission ?? 'unknown'}
      badge={mission ?? 'unknown mission'}
      origin={<PlayerName playerId={senderId} />}
      targetPlanetId={targetPlanetId}
      from={departsAtMs}
      to={arrivesAtMs}
      label="fleet approaching"
    >
      From{' '}
      <a href={linkTo({ view: 'system', galaxy: origin.galaxy, system: origin.system })}>
        system {origin.galaxy}:{origin.system}
      </a>
      {ships !== null && say` with ${<ShipsText ships={ships} />}`}
      {ships === null && shipCount !== null && ` with ${formatPlural(shipCount, 'ship')}`}
    </FleetEntry>
  );
}

interface FleetEntryProps {
  readonly mission: string;
  readonly badge: string;
  readonly origin: ComponentChildren;
  readonly targetPlanetId: string;
  /** World time of the present way. */
  readonly from: string | number;
  readonly to: string | number;
  readonly label: string;
  readonly children: ComponentChildren;
}

function FleetEntry({ mission, badge, origin, targetPlanetId, from, to, label, children }: FleetEntryProps) {
  return (
    <li class="entry">
      <div class="entry-head">
        <span class={`badge is-${mission}`}>{badge}</span>
        <span class="way">
          {origin} <span aria-hidden="true">→</span> <span class="for-readers">to</span>{' '}
          <PlanetLink planetId={targetPlanetId} />
        </span>
        <span class="queue-end">
          <Countdown until={to} />
        </span>
      </div>
      <Progress from={from} to={to} label={label} />
      <div class="entry-foot">
        <p class="entry-text">{children}</p>
        <TimeText at={to} />
      </div>
    </li>
  );
}
