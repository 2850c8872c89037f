// The panel beside the map: what is shown in numbers, the legend of colours, and what happens there.
import type { ComponentChildren } from 'preact';
import { linkTo } from '../../address.js';
import { numberOfPlayer } from '../../colours.js';
import { MAP_LIST_MAX, PALETTE_LEADERS } from '../../limits.js';
import { Count } from '../../parts/count.js';
import { PlanetLink } from '../../parts/planet-link.js';
import { PlayerChip, PlayerName } from '../../parts/player-name.js';
import { Countdown, TimeText } from '../../parts/time-text.js';
import { useLeaderboard } from '../../world/leaderboard.js';
import { fleets, fleetsVersion, fleetTotal, galaxies, type Leg, missions, stride } from '../../world/map-state.js';
import { nameOfPlayer } from '../../world/names.js';
import { status } from '../../world/status.js';
import { worldNowMs } from '../../world/world-clock.js';
import type { Target } from './geometry.js';
import { brightPlayer, chosenPlayer, hoveredPlayer, togglePlayer } from './selection.js';
import { battlesSeen, galaxyDetail, systemShown } from './shown.js';
import { fleetsOf, ownersOfCells, placeText } from './summary.js';

/** What is younger happens now. */
const NOW_MS = 2_000;

export function MapPanel({ target }: { readonly target: Target }) {
  return (
    <aside class="map-panel" aria-label="About what the map shows">
      {target.view === 'universe' && <UniverseFigures />}
      {target.view === 'galaxy' && <GalaxyFigures galaxy={target.galaxy} />}
      {(target.view === 'system' || target.view === 'planet') && <SystemFigures target={target} />}
      <Chosen />
      {(target.view === 'system' || target.view === 'planet') && <FleetList target={target} />}
      <Legend />
      <Battles />
    </aside>
  );
}

function UniverseFigures() {
  const settled = galaxies.value;
  let planets = 0;
  for (const galaxy of settled.values()) planets += galaxy.planets;
  return (
    <Section title="Universe">
      <Figures
        rows={[
          ['Players', status.value?.players ?? null],
          ['Planets with an owner', planets],
          ['Galaxies settled', settled.size],
          ['Fleets in flight', fleetTotal.value],
        ]}
      />
      {stride.value > 1 && <p class="map-remark">The map shows one of {stride.value} fleets.</p>}
    </Section>
  );
}

function GalaxyFigures({ galaxy }: { readonly galaxy: number }) {
  const cells = galaxies.value.get(galaxy);
  const systems = galaxyDetail.value?.systems ?? [];
  const settled = systems.filter(({ owned }) => owned > 0).length;
  fleetsVersion.value;
  return (
    <Section title={`Galaxy ${galaxy}`}>
      <Figures
        rows={[
          ['Players', cells?.players ?? 0],
          ['Planets with an owner', cells?.planets ?? 0],
          ['Systems settled', systems.length === 0 ? null : settled],
          ['Fleets from or to here', fleetsOf(fleets.values(), { view: 'galaxy', galaxy }, 0).count],
        ]}
      />
      {cells !== undefined && (
        <ul class="map-list" aria-label="Players who lead in most systems">
          {ownersOfCells(cells, 5).map(({ player, cells: count }) => (
            <li key={player} class="map-row">
              <PlayerButton player={player} />
              <Count value={count} unit={count === 1 ? 'system' : 'systems'} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function SystemFigures({ target }: { readonly target: Extract<Target, { readonly view: 'system' | 'planet' }> }) {
  const body = systemShown.value?.body ?? null;
  if (body === null) return <Section title={`System ${target.system}`}>Loading…</Section>;
  const { star } = body.system;
  const chosen = target.view === 'planet' ? body.planets.find(({ slot }) => slot === target.slot) : undefined;
  return (
    <>
      {target.view === 'planet' && (
        <Section title={chosen?.name ?? `Slot ${target.slot}`}>
          {chosen === undefined ? (
            <p class="map-remark">There is no planet in this slot.</p>
          ) : chosen.owner === null ? (
            <p class="map-remark">Nobody has settled here.</p>
          ) : (
            <p class="map-owner">
              <PlayerName playerId={chosen.owner.id} name={chosen.owner.name} />
              {chosen.owner.isBot && <span class="unit">bot</span>}
            </p>
          )}
          <p class="map-remark">{placeText(target)}</p>
        </Section>
      )}
      <Section title={star.name}>
        <p class="map-remark">
          Star of class {star.type}, <Count value={star.temperature} unit="K" />;{' '}
          <Count value={body.planets.length} unit="planets" />
        </p>
        <ul class="map-list is-long" aria-label="Planets with an owner">
          {body.planets.map(({ slot, owner }) =>
            owner === null ? null : (
              <li key={slot} class="map-row">
                <PlayerName playerId={owner.id} name={owner.name} />
                <a href={linkTo({ view: 'planet', galaxy: target.galaxy, system: target.system, slot })} class="planet">
                  slot {slot}
                </a>
              </li>
            ),
          )}
        </ul>
      </Section>
    </>
  );
}

/** The player whose planets and fleets are shown brightly. */
function Chosen() {
  const player = chosenPlayer.value;
  if (player === 0) return null;
  fleetsVersion.value;
  let count = 0;
  for (const { owner } of fleets.values()) if (owner === player) count += 1;
  return (
    <Section title="Chosen">
      <div class="map-row">
        <PlayerName playerId={`player-${player}`} />
        <button type="button" class="button is-small" title="Show everybody (x)" onClick={() => togglePlayer(player)}>
          Show everybody
        </button>
      </div>
      <p class="map-remark">
        <Count value={count} unit={count === 1 ? 'fleet' : 'fleets'} /> on the map
      </p>
    </Section>
  );
}

function FleetList({ target }: { readonly target: Target }) {
  fleetsVersion.value;
  const { count, next } = fleetsOf(fleets.values(), target, MAP_LIST_MAX);
  return (
    <Section title="Fleets from and to here" count={count}>
      <ul class="map-list">
        {next.map((leg) => (
          <FleetRow key={leg.fleet} leg={leg} />
        ))}
      </ul>
      {count === 0 && <p class="map-remark">None at present.</p>}
    </Section>
  );
}

function FleetRow({ leg }: { readonly leg: Leg }) {
  const mission = missions.value[leg.mission] ?? '';
  return (
    <li class="map-fleet">
      <span class="map-row">
        <PlayerButton player={leg.owner} />
        <Countdown until={leg.arrivesAtMs} />
      </span>
      <span class="map-remark">
        {leg.isReturning ? `${mission}, back` : mission}: {placeText(leg.from)} → {placeText(leg.to)}
      </span>
    </li>
  );
}

/** The colours of the leaders. A click shows one brightly, and so does the pointer. */
function Legend() {
  const { body } = useLeaderboard().value;
  const leaders = body?.players.slice(0, PALETTE_LEADERS) ?? [];
  return (
    <Section title="Leaders">
      <ul class="map-list">
        {leaders.map(({ id, points }) => (
          <li key={id} class="map-row">
            <PlayerButton player={numberOfPlayer(id)} />
            <Count value={points} isShort />
          </li>
        ))}
      </ul>
      <p class="map-remark">
        {leaders.length === 0
          ? 'Nobody plays yet.'
          : 'Other players have paler colours. A pale dart is on its way back. Rings are battles.'}
      </p>
    </Section>
  );
}

function PlayerButton({ player }: { readonly player: number }) {
  const isBright = brightPlayer.value === player;
  const hover = (number: number) => (): void => {
    hoveredPlayer.value = number;
  };
  return (
    <button
      type="button"
      class={`map-player${isBright ? ' is-on' : ''}`}
      aria-pressed={chosenPlayer.value === player}
      title="Show on the map"
      onClick={() => togglePlayer(player)}
      onPointerEnter={hover(player)}
      onPointerLeave={hover(0)}
      onBlur={hover(0)}
    >
      <PlayerChip player={player} />
      <bdi class="player-name">{nameOfPlayer(`player-${player}`) ?? `player-${player}`}</bdi>
    </button>
  );
}

function Battles() {
  const battles = battlesSeen.value;
  return (
    <Section title="Battles">
      <ul class="map-list is-battles" aria-live="off">
        {battles.map(({ number, galaxy, system, slot, attacker, defender, attackerLost, defenderLost, atMs }) => (
          <li key={number} class="map-fleet">
            <span class="map-row">
              <span>
                <PlanetLink planetId={`planet-${galaxy}-${system}-${slot}`} />{' '}
                <Count value={attackerLost + defenderLost} unit="ships lost" />
              </span>
              <Ago atMs={atMs} />
            </span>
            <span class="map-versus">
              <PlayerButton player={attacker} />
              <span class="unit">against</span>
              <PlayerButton player={defender} />
            </span>
          </li>
        ))}
      </ul>
      {battles.length === 0 && <p class="map-remark">None since this page was opened.</p>}
    </Section>
  );
}

/** A battle that has just been seen is at most a moment ahead of the clock of the page. */
function Ago({ atMs }: { readonly atMs: number | null }) {
  const nowMs = worldNowMs.value;
  if (atMs !== null && nowMs !== null && nowMs - atMs < NOW_MS) return <span class="unit">now</span>;
  return <TimeText at={atMs} form="distance" />;
}

interface SectionProps {
  readonly title: string;
  readonly count?: number;
  readonly children: ComponentChildren;
}

function Section({ title, count, children }: SectionProps) {
  return (
    <section class="map-section">
      <h2 class="map-heading">
        <bdi>{title}</bdi>
        {count !== undefined && <Count value={count} />}
      </h2>
      {children}
    </section>
  );
}

function Figures({ rows }: { readonly rows: readonly (readonly [label: string, value: number | null])[] }) {
  return (
    <dl class="map-figures">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Count value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
