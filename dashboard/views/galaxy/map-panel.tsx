// The panel beside the map: what is shown in numbers, the legend of colours, and what happens there; and the tip beside the pointer.
import type { GameEvent } from 'galaxyd-client';
import type { ComponentChildren } from 'preact';
import { linkTo, route } from '../../address.js';
import { numberOfPlayer } from '../../colours.js';
import { MAP_LIST_MAX, PALETTE_LEADERS, PLAYER_PERIOD_MS, TIE_LINES_MAX, TIES_LISTED_MAX } from '../../limits.js';
import { Button } from '../../parts/button.js';
import { EventSentence } from '../../parts/event-sentence.js';
import { formatPlace, formatType } from '../../parts/format.js';
import { Facts } from '../../parts/page.js';
import {
  CargoText,
  Count,
  Countdown,
  NumberedPlayer,
  PlanetLink,
  PlayerName,
  say,
  TimeText,
} from '../../parts/values.js';
import { useLeaderboard, usePlayerFacts } from '../../world/documents.js';
import {
  fleets,
  fleetsVersion,
  fleetTotal,
  galaxies,
  goods,
  type Leg,
  missions,
  pactKinds,
  pacts,
  stride,
} from '../../world/map-state.js';
import { usePolled } from '../../world/poll.js';
import { status } from '../../world/status.js';
import { worldNowMs } from '../../world/world-clock.js';
import { useFeed } from '../feed/feed-reader.js';
import { PlanetEntry } from '../player/planets-panel.js';
import { pactsByPair } from './drawing/lines.js';
import { partsOf, type Target } from './map/geometry.js';
import {
  brightPlayer,
  followedPlayer,
  galaxyDetail,
  hoveredPlayer,
  type Pointed,
  pointed,
  pointerAt,
  systemShown,
  togglePlayer,
} from './map/shown.js';
import { fleetsOf, ownersOfCells, touches } from './summary.js';

type BattleEvent = Extract<GameEvent, { readonly type: 'battle' }>;
type NearTarget = Extract<Target, { readonly view: 'system' | 'planet' }>;

/** A younger battle is shown as happening now. */
const NOW_MS = 2_000;
/** Beyond this share of the window the tip is on the other side of the pointer. */
const TURNING_SHARE = 0.6;
const NOT_SETTLED = 'Nobody has settled here.';

export function MapPanel({ target }: { readonly target: Target }) {
  const near = target.view === 'system' || target.view === 'planet' ? target : null;
  return (
    <aside class="map-panel" aria-label="About what the map shows">
      {target.view === 'universe' && <UniverseFigures />}
      {target.view === 'galaxy' && <GalaxyFigures galaxy={target.galaxy} />}
      {near !== null && <SystemFigures target={near} />}
      <Followed />
      {near !== null && <FleetList target={near} />}
      {target.view === 'planet' && <Happened target={target} />}
      <Legend />
      <Ties target={target} />
      {target.view !== 'planet' && <Battles target={target} />}
    </aside>
  );
}

function UniverseFigures() {
  const settled = galaxies.value;
  const planets = Array.from(settled.values()).reduce((sum, galaxy) => sum + galaxy.planets, 0);
  return (
    <Section
      title="Universe"
      figures={[
        ['Players', status.value?.players ?? null],
        ['Planets with an owner', planets],
        ['Galaxies settled', settled.size],
        ['Fleets in flight', fleetTotal.value],
      ]}
    >
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
    <Section
      title={`Galaxy ${galaxy}`}
      figures={[
        ['Players', cells?.players ?? 0],
        ['Planets with an owner', cells?.planets ?? 0],
        ['Systems settled', systems.length === 0 ? null : settled],
        ['Fleets from or to here', fleetsOf(fleets.values(), { view: 'galaxy', galaxy }, 0).count],
      ]}
    >
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

function SystemFigures({ target }: { readonly target: NearTarget }) {
  const body = systemShown.value?.body ?? null;
  if (body === null) return <Section title={`System ${target.system}`}>Loading…</Section>;
  const { star } = body.system;
  const chosen = target.view === 'planet' ? body.planets.find(({ slot }) => slot === target.slot) : undefined;
  return (
    <>
      {target.view === 'planet' && (
        <Section title={chosen?.name ?? `Slot ${target.slot}`}>
          {chosen === undefined && <p class="map-remark">There is no planet in this slot.</p>}
          {chosen?.owner === null && <p class="map-remark">{NOT_SETTLED}</p>}
          {chosen?.owner && (
            <>
              <p class="map-owner">
                <PlayerName playerId={chosen.owner.id} name={chosen.owner.name} />
                {chosen.owner.isBot && <span class="unit">bot</span>}
              </p>
              <p class="map-remark">
                <Standing playerId={chosen.owner.id} homeOf={chosen.id} />
              </p>
              {status.value?.auth === 'none' && <Inside planetId={chosen.id} />}
            </>
          )}
          <p class="map-remark">{formatPlace(target)}</p>
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

/** The player who is followed. */
function Followed() {
  const player = followedPlayer.value;
  return player === 0 ? null : <FollowedPlayer key={player} player={player} />;
}

function FollowedPlayer({ player }: { readonly player: number }) {
  const home = usePlayerFacts(`player-${player}`).value.body?.home ?? undefined;
  fleetsVersion.value;
  const count = Array.from(fleets.values()).filter(({ owner }) => owner === player).length;
  return (
    <Section title="Following">
      <div class="map-row">
        <PlayerName playerId={`player-${player}`} />
        <Button look="is-small" title="Follow nobody (x)" onClick={() => togglePlayer(player)}>
          Follow nobody
        </Button>
      </div>
      <p class="map-remark">
        <Standing playerId={`player-${player}`} />
        {' · '}
        <Count value={count} unit={count === 1 ? 'fleet' : 'fleets'} /> on the map
        {home !== undefined && say` · home ${<PlanetLink planetId={home.planetId} />}`}
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
          <li key={leg.fleet} class="map-fleet">
            <span class="map-row">
              <PlayerButton player={leg.owner} />
              <Countdown until={leg.arrivesAtMs} />
            </span>
            <span class="map-remark">{`${missionOf(leg)}${leg.isReturning ? ', back' : ''}: ${wayOf(leg)}`}</span>
          </li>
        ))}
      </ul>
      {count === 0 && <p class="map-remark">None at present.</p>}
    </Section>
  );
}

/** The pacts and the goods on their way that the map shows as lines, and what the lines mean. Nothing in a world without them. */
function Ties({ target }: { readonly target: Target }) {
  const isHere = touches(target);
  const [agreed, sent] = [pacts.value.filter(isHere), goods.value.filter(isHere)];
  if (agreed.length + sent.length === 0) return null;
  const arriving = sent.toSorted((one, other) => one.arrivesAtMs - other.arrivesAtMs);
  return (
    <>
      {agreed.length > 0 && (
        <Section title="Pacts in force" count={agreed.length} line="pact">
          <ul class="map-list">
            {agreed.slice(-TIES_LISTED_MAX).map((pact) => (
              <Tie key={pact.number} players={[pact.proposer, pact.partner]} word="and">
                {say`${formatType(pactKinds.value[pact.kind] ?? '')}, ends in ${<Countdown until={pact.endsAtMs} />}`}
              </Tie>
            ))}
          </ul>
          <LinesRemark count={pactsByPair(pacts.value).length} />
        </Section>
      )}
      {sent.length > 0 && (
        <Section title="Goods on their way" count={sent.length} line="goods">
          <ul class="map-list">
            {arriving.slice(0, TIES_LISTED_MAX).map((load) => (
              <Tie key={load.number} players={[load.sender, load.receiver]} word="to">
                {say`${wayOf(load)}, arrive in ${<Countdown until={load.arrivesAtMs} />}`}
              </Tie>
            ))}
          </ul>
          <LinesRemark count={goods.value.length} />
        </Section>
      )}
    </>
  );
}

/** Says so if not all of them are lines. */
function LinesRemark({ count }: { readonly count: number }) {
  if (count <= TIE_LINES_MAX) return null;
  return <p class="map-remark">The newest {TIE_LINES_MAX} are lines on the map.</p>;
}

interface TieProps {
  readonly players: readonly [number, number];
  /** Between the two. */
  readonly word: string;
  readonly children: ComponentChildren;
}

function Tie({ players: [one, other], word, children }: TieProps) {
  return (
    <li class="map-fleet">
      <span class="map-versus">
        <PlayerButton player={one} />
        <span class="unit">{word}</span>
        <PlayerButton player={other} />
      </span>
      <span class="map-remark">{children}</span>
    </li>
  );
}

const missionOf = ({ mission }: Leg): string => missions.value[mission] ?? '';

const wayOf = ({ from, to }: Pick<Leg, 'from' | 'to'>): string => `${formatPlace(from)} → ${formatPlace(to)}`;

/** The colours of the leaders. A click shows one brightly, and so does the pointer. */
function Legend() {
  const leaders = useLeaderboard().value.body?.players.slice(0, PALETTE_LEADERS) ?? [];
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
  const hover = (number: number) => (): void => {
    hoveredPlayer.value = number;
  };
  return (
    <button
      type="button"
      class={`map-player${brightPlayer.value === player ? ' is-on' : ''}`}
      aria-pressed={followedPlayer.value === player}
      title="Follow"
      onClick={() => togglePlayer(player)}
      onPointerEnter={hover(player)}
      onPointerLeave={hover(0)}
      onBlur={hover(0)}
    >
      <NumberedPlayer player={player} />
    </button>
  );
}

/** The last battles at the place that is shown, of the player who is followed. */
function Battles({ target }: { readonly target: Target }) {
  const { events, isLooking } = useFeed(
    { types: ['battle'], player: route.value.player, place: placeText(target) },
    MAP_LIST_MAX,
  );
  return (
    <Section title="Battles">
      <ul class="map-list is-battles" aria-live="off">
        {events
          .slice(0, MAP_LIST_MAX)
          .flatMap((event) => (event.type === 'battle' ? [<BattleRow event={event} />] : []))}
      </ul>
      {events.length === 0 && <p class="map-remark">{isLooking ? 'Looking…' : 'None in the events that are kept.'}</p>}
    </Section>
  );
}

function BattleRow({ event: { at, data } }: { readonly event: BattleEvent }) {
  return (
    <li class="map-fleet">
      <span class="map-row">
        <span>
          <PlanetLink planetId={data.planetId} />{' '}
          <Count value={data.attackerLostCount + data.defenderLostCount} unit="ships lost" />
        </span>
        <Ago atMs={Date.parse(at)} />
      </span>
      <span class="map-versus">
        <PlayerButton player={numberOfPlayer(data.attackerId)} />
        <span class="unit">{VERBS[data.outcome]}</span>
        <PlayerButton player={numberOfPlayer(data.defenderId)} />
      </span>
      <span class="map-remark">
        <CargoText amounts={data.loot} before="Loot: " />
      </span>
    </li>
  );
}

/** What the attacker did to the defender. */
const VERBS: Readonly<Record<BattleEvent['data']['outcome'], string>> = {
  attacker_won: 'beat',
  defender_won: 'lost to',
  draw: 'drew with',
};

/** What has happened on a planet. */
function Happened({ target }: { readonly target: Target }) {
  const place = placeText(target);
  const { events, isLooking } = useFeed({ types: [], player: null, place }, MAP_LIST_MAX);
  return (
    <Section title="What happened here">
      <ul class="map-list">
        {events.slice(0, MAP_LIST_MAX).map((event) => (
          <li key={event.seq} class="map-fleet">
            <EventSentence event={event} />
            <span class="map-remark">
              <Ago atMs={Date.parse(event.at)} />
            </span>
          </li>
        ))}
      </ul>
      {events.length === 0 && (
        <p class="map-remark">{isLooking ? 'Looking…' : 'Nothing in the events that are kept.'}</p>
      )}
      <p class="map-remark">
        <a href={linkTo({ view: 'feed', types: [], place, player: null })}>In the feed</a>
      </p>
    </Section>
  );
}

/** A place as the feed filters by it; null for everywhere. */
function placeText(target: Target): string | null {
  return target.view === 'universe' ? null : partsOf(target).join(':');
}

/** Rank and points of a player; and whether a planet is its home. */
function Standing({ playerId, homeOf }: { readonly playerId: string; readonly homeOf?: string }) {
  const facts = usePlayerFacts(playerId).value.body;
  if (facts === null) return <>–</>;
  const kind = homeOf !== undefined && (homeOf === facts.home?.planetId ? 'Home planet · ' : 'Colony · ');
  return (
    <>
      {kind}
      {say`rank ${<Count value={facts.rank} />}, ${<Count value={facts.points} unit="points" />}`}
    </>
  );
}

/** Stocks, queues, buildings and ships, in a world where everybody may see them. */
function Inside({ planetId }: { readonly planetId: string }) {
  const { body } = usePolled(
    `planet ${planetId}`,
    async (client, signal) => {
      const reply = await client.get('/api/game/planet/{planetId}', { params: { path: { planetId } }, signal });
      return { ...reply, body: { planet: reply.body, asOf: reply.asOf } };
    },
    PLAYER_PERIOD_MS,
  ).value;
  if (body?.planet.visibility !== 'full') return null;
  return <PlanetEntry planet={body.planet} asOf={body.asOf} events={[]} isOpen />;
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
  /** The line that stands for it on the map. */
  readonly line?: 'pact' | 'goods';
  /** Shown above the rest. */
  readonly figures?: readonly (readonly [label: string, value: number | null])[];
  readonly children: ComponentChildren;
}

function Section({ title, count, line, figures, children }: SectionProps) {
  return (
    <section class="map-section">
      <h2 class="map-heading">
        <bdi>{title}</bdi>
        {line !== undefined && <span class={`map-line is-${line}`} aria-hidden="true" />}
        {count !== undefined && <Count value={count} />}
      </h2>
      {figures !== undefined && (
        <Facts look="map-figures" facts={figures.map(([label, value]) => [label, <Count value={value} />])} />
      )}
      {children}
    </section>
  );
}

/** The tip beside the pointer: what is there, and whose it is. */
export function Tip() {
  const under = pointed.value;
  const pixel = pointerAt.value;
  if (under === null || pixel === null) return null;
  const tip = tipOf(under);
  if (tip === null) return null;
  const isLeft = pixel.x > innerWidth * TURNING_SHARE;
  const isAbove = pixel.y > innerHeight * TURNING_SHARE;
  return (
    <div
      class={`map-tip${isLeft ? ' is-left' : ''}${isAbove ? ' is-above' : ''}`}
      style={{ left: `${pixel.x}px`, top: `${pixel.y}px` }}
      aria-hidden="true"
    >
      <strong>{tip.title}</strong>
      <div class="map-tip-lines">{tip.lines}</div>
    </div>
  );
}

/** Null if it is not known, or no longer there. */
function tipOf(under: Pointed): { readonly title: string; readonly lines: ComponentChildren } | null {
  switch (under.view) {
    case 'galaxy':
      return { title: `Galaxy ${under.galaxy}`, lines: <GalaxyLines galaxy={under.galaxy} /> };
    case 'system':
      return { title: `System ${under.galaxy}:${under.system}`, lines: <SystemLines {...under} /> };
    case 'planet': {
      const planet = systemShown.value?.body?.planets.find(({ slot }) => slot === under.slot);
      if (planet === undefined) return null;
      return { title: planet.name, lines: planet.owner === null ? NOT_SETTLED : <bdi>{planet.owner.name}</bdi> };
    }
    case 'fleet': {
      fleetsVersion.value;
      const leg = fleets.get(under.fleet);
      if (leg === undefined) return null;
      return {
        title: `${missionOf(leg)}${leg.isReturning ? ', on its way back' : ''}`,
        lines: <FleetLines leg={leg} />,
      };
    }
  }
}

function GalaxyLines({ galaxy }: { readonly galaxy: number }) {
  const cells = galaxies.value.get(galaxy);
  if (cells === undefined) return <>{NOT_SETTLED}</>;
  return (
    <>
      <span>{say`${<Count value={cells.planets} unit="planets" />} of ${<Count value={cells.players} unit="players" />}`}</span>
      {ownersOfCells(cells, 3).map(({ player }) => (
        <Owner key={player} player={player} />
      ))}
    </>
  );
}

function SystemLines({ galaxy, system }: { readonly galaxy: number; readonly system: number }) {
  const detail = galaxyDetail.value;
  const found = detail?.galaxy === galaxy ? detail.systems[system] : undefined;
  if (found === undefined) return null;
  if (found.owned === 0) return <>{NOT_SETTLED}</>;
  return (
    <>
      <Count value={found.owned} unit={found.owned === 1 ? 'planet has an owner' : 'planets have owners'} />
      <Owner player={found.owner} />
    </>
  );
}

function FleetLines({ leg }: { readonly leg: Leg }) {
  return (
    <>
      <Owner player={leg.owner} />
      <span>{wayOf(leg)}</span>
      <span>{say`arrives in ${<Countdown until={leg.arrivesAtMs} />}`}</span>
    </>
  );
}

function Owner({ player }: { readonly player: number }) {
  return (
    <span class="player">
      <NumberedPlayer player={player} />
    </span>
  );
}
