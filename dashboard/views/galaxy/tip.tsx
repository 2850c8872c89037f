// The tip beside the pointer: what is there, and whose it is.
import type { ComponentChildren } from 'preact';
import { Count } from '../../parts/count.js';
import { PlayerChip } from '../../parts/player-name.js';
import { Countdown } from '../../parts/time-text.js';
import { fleets, fleetsVersion, galaxies, missions } from '../../world/map-state.js';
import { nameOfPlayer } from '../../world/names.js';
import type { Pointed } from './selection.js';
import { pointed, pointerAt } from './selection.js';
import { galaxyDetail, systemShown } from './shown.js';
import { ownersOfCells, placeText } from './summary.js';

/** Beyond this share of the window the tip is on the other side of the pointer. */
const TURNING_SHARE = 0.6;

export function Tip() {
  const under = pointed.value;
  const pixel = pointerAt.value;
  if (under === null || pixel === null) return null;
  const isLeft = pixel.x > innerWidth * TURNING_SHARE;
  const isAbove = pixel.y > innerHeight * TURNING_SHARE;
  return (
    <div
      class={`map-tip${isLeft ? ' is-left' : ''}${isAbove ? ' is-above' : ''}`}
      style={{ left: `${pixel.x}px`, top: `${pixel.y}px` }}
      aria-hidden="true"
    >
      <Content under={under} />
    </div>
  );
}

function Content({ under }: { readonly under: Pointed }) {
  switch (under.kind) {
    case 'galaxy':
      return <GalaxyTip galaxy={under.galaxy} />;
    case 'system':
      return <SystemTip galaxy={under.galaxy} system={under.system} />;
    case 'planet':
      return <PlanetTip slot={under.slot} />;
    case 'fleet':
      return <FleetTip fleet={under.fleet} />;
  }
}

function GalaxyTip({ galaxy }: { readonly galaxy: number }) {
  const cells = galaxies.value.get(galaxy);
  if (cells === undefined) return <Lines title={`Galaxy ${galaxy}`}>Nobody has settled here.</Lines>;
  return (
    <Lines title={`Galaxy ${galaxy}`}>
      <span>
        <Count value={cells.planets} unit="planets" /> of <Count value={cells.players} unit="players" />
      </span>
      {ownersOfCells(cells, 3).map(({ player }) => (
        <Owner key={player} player={player} />
      ))}
    </Lines>
  );
}

function SystemTip({ galaxy, system }: { readonly galaxy: number; readonly system: number }) {
  const detail = galaxyDetail.value;
  const found = detail?.galaxy === galaxy ? detail.systems[system] : undefined;
  return (
    <Lines title={`System ${galaxy}:${system}`}>
      {found === undefined ? null : found.owned === 0 ? (
        'Nobody has settled here.'
      ) : (
        <>
          <Count value={found.owned} unit={found.owned === 1 ? 'planet has an owner' : 'planets have owners'} />
          <Owner player={found.owner} />
        </>
      )}
    </Lines>
  );
}

function PlanetTip({ slot }: { readonly slot: number }) {
  const planet = systemShown.value?.body?.planets.find((candidate) => candidate.slot === slot);
  if (planet === undefined) return null;
  return (
    <Lines title={planet.name}>
      {planet.owner === null ? 'Nobody has settled here.' : <bdi>{planet.owner.name}</bdi>}
    </Lines>
  );
}

function FleetTip({ fleet }: { readonly fleet: number }) {
  fleetsVersion.value;
  const leg = fleets.get(fleet);
  if (leg === undefined) return null;
  const mission = missions.value[leg.mission] ?? '';
  return (
    <Lines title={leg.isReturning ? `${mission}, on its way back` : mission}>
      <Owner player={leg.owner} />
      <span>
        {placeText(leg.from)} → {placeText(leg.to)}
      </span>
      <span>
        arrives in <Countdown until={leg.arrivesAtMs} />
      </span>
    </Lines>
  );
}

function Owner({ player }: { readonly player: number }) {
  return (
    <span class="player">
      <PlayerChip player={player} />
      <bdi class="player-name">{nameOfPlayer(`player-${player}`) ?? `player-${player}`}</bdi>
    </span>
  );
}

function Lines({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <>
      <strong>{title}</strong>
      <div class="map-tip-lines">{children}</div>
    </>
  );
}
