// Every event of the API as a plain sentence, with links to its planets and players. Sentences name the player, because they stand
// in lists about many.
import type { EventData, GameEvent } from 'galaxyd-client';
import type { ComponentChildren } from 'preact';
import { CargoText, ShipsText } from './amounts.js';
import { formatCount, formatShips, formatType } from './format.js';
import { PlanetLink } from './planet-link.js';
import { PlayerName } from './player-name.js';

type EventType = GameEvent['type'];
type EventOf<Type extends EventType> = Extract<GameEvent, { readonly type: Type }>;
type Sentences = { readonly [Type in EventType]: (event: EventOf<Type>) => ComponentChildren };
type Mission = EventData<'fleet_launched'>['mission'];

const AIMS: Readonly<Record<Mission, string>> = {
  attack: 'to attack',
  transport: 'to deliver cargo',
  deploy: 'to station ships',
  colonize: 'to colonize',
  espionage: 'to spy',
};

export function EventSentence({ event }: { readonly event: GameEvent }) {
  return <span class="sentence">{sentenceOf(event)}</span>;
}

function sentenceOf<Type extends EventType>(event: EventOf<Type>): ComponentChildren {
  // A newer server may have types that this page does not know.
  const sentence: ((event: EventOf<Type>) => ComponentChildren) | undefined = SENTENCES[event.type as Type];
  return sentence === undefined ? `${formatType(event.type)}.` : sentence(event);
}

const SENTENCES: Sentences = {
  player_created: ({ playerId, data }) => (
    <>
      <PlayerName playerId={playerId} name={data.name} /> began at <PlanetLink planetId={data.planetId} />.
    </>
  ),
  player_joined: ({ playerId, data }) => (
    <>
      <PlayerName playerId={playerId} name={data.name} /> joined the world at <PlanetLink planetId={data.planetId} />.
    </>
  ),
  player_retired: ({ data }) => (
    <>
      <bdi class="player-name">{data.name}</bdi> was retired by the operator.{' '}
      {data.planetIds.length === 1 ? 'Its planet is' : `Its ${formatCount(data.planetIds.length)} planets are`} free
      again.
    </>
  ),
  building_started: ({ data }) => (
    <>
      Construction of the {formatType(data.buildingType)} to level {data.targetLevel} began on{' '}
      <PlanetLink planetId={data.planetId} />.
    </>
  ),
  building_completed: ({ data }) => (
    <>
      The {formatType(data.buildingType)} on <PlanetLink planetId={data.planetId} /> has reached level {data.level}.
    </>
  ),
  building_cancelled: ({ data }) => (
    <>
      The upgrade of the {formatType(data.buildingType)} on <PlanetLink planetId={data.planetId} /> was cancelled.
    </>
  ),
  ships_ordered: ({ data }) => (
    <>
      <ShipsText ships={[{ type: data.shipType, count: data.count }]} /> ordered on{' '}
      <PlanetLink planetId={data.planetId} />.
    </>
  ),
  ships_completed: ({ data }) => (
    <>
      <ShipsText ships={[{ type: data.shipType, count: data.count }]} /> delivered on{' '}
      <PlanetLink planetId={data.planetId} />.
    </>
  ),
  ships_cancelled: ({ data }) => (
    <>
      The orders of <ShipsText ships={[{ type: data.shipType, count: data.count }]} /> on{' '}
      <PlanetLink planetId={data.planetId} /> were cancelled.
    </>
  ),
  research_started: ({ data }) => `Research of ${formatType(data.researchType)} ${data.targetLevel} began.`,
  research_completed: ({ data }) => `Research of ${formatType(data.researchType)} ${data.level} is complete.`,
  fleet_launched: ({ playerId, data }) => (
    <>
      <PlayerName playerId={playerId} /> sent <ShipsText ships={data.ships} /> from{' '}
      <PlanetLink planetId={data.originPlanetId} /> to <PlanetLink planetId={data.targetPlanetId} />{' '}
      {AIMS[data.mission]}.
    </>
  ),
  fleet_arrived: ({ playerId, data }) => (
    <>
      <ShipsText ships={data.ships} /> of <PlayerName playerId={playerId} /> reached{' '}
      <PlanetLink planetId={data.targetPlanetId} /> {AIMS[data.mission]}.
    </>
  ),
  fleet_recalled: ({ playerId, data }) => (
    <>
      <PlayerName playerId={playerId} /> recalled a fleet on its way to <PlanetLink planetId={data.targetPlanetId} />.
    </>
  ),
  fleet_returned: ({ playerId, data }) => (
    <>
      <ShipsText ships={data.ships} /> of <PlayerName playerId={playerId} /> came home to{' '}
      <PlanetLink planetId={data.originPlanetId} />
      <CargoText amounts={data.resources} before=" with " />.
    </>
  ),
  fleet_destroyed: ({ playerId, data }) => (
    <>
      <PlayerName playerId={playerId} /> lost the fleet that was sent to <PlanetLink planetId={data.targetPlanetId} />{' '}
      {AIMS[data.mission]}.
    </>
  ),
  incoming_fleet: ({ data }) => (
    <>
      A fleet of <PlayerName playerId={data.senderId} /> is on its way to <PlanetLink planetId={data.targetPlanetId} />
      {data.mission !== null && ` ${AIMS[data.mission]}`}
      {data.shipCount !== null && ` with ${formatShips(data.shipCount)}`}.
    </>
  ),
  incoming_fleet_gone: ({ data }) => (
    <>
      The fleet of <PlayerName playerId={data.senderId} /> on its way to <PlanetLink planetId={data.targetPlanetId} />{' '}
      has turned back.
    </>
  ),
  combat_report: ({ data }) => (
    <Battle {...data} attackerLost={shipsIn(data.attackerLost)} defenderLost={shipsIn(data.defenderLost)} />
  ),
  battle: ({ data }) => (
    <Battle {...data} attackerLost={data.attackerLostCount} defenderLost={data.defenderLostCount} />
  ),
  espionage_report: ({ playerId, data }) => (
    <>
      <PlayerName playerId={playerId} /> spied on <PlanetLink planetId={data.planetId} /> of{' '}
      <PlayerName playerId={data.defenderId} />.
    </>
  ),
  espionage_detected: ({ data }) => (
    <>
      <PlayerName playerId={data.attackerId} /> spied on <PlanetLink planetId={data.planetId} /> with{' '}
      {formatCount(data.scouts)} {data.scouts === 1 ? 'scout' : 'scouts'}.
    </>
  ),
  resources_received: ({ data }) => (
    <>
      <PlayerName playerId={data.senderId} /> delivered <CargoText amounts={data.resources} none="nothing" /> to{' '}
      <PlanetLink planetId={data.planetId} />.
    </>
  ),
  planet_colonized: ({ playerId, data }) => (
    <>
      <PlayerName playerId={playerId} /> colonized <PlanetLink planetId={data.planetId} />.
    </>
  ),
  colonization_failed: ({ playerId, data }) => (
    <>
      <PlayerName playerId={playerId} /> could not colonize <PlanetLink planetId={data.targetPlanetId} />:{' '}
      {data.reason === 'planet_occupied' ? 'somebody owns it already' : 'its fleets may not colonize more planets'}.
    </>
  ),
  attack_turned_away: ({ playerId, data }) => (
    <>
      A fleet of <PlayerName playerId={playerId} /> turned round at <PlanetLink planetId={data.targetPlanetId} />:{' '}
      <PlayerName playerId={data.defenderId} /> is protected.
    </>
  ),
  resources_granted: ({ data }) => (
    <>
      The operator granted <CargoText amounts={data.resources} none="nothing" /> to{' '}
      <PlanetLink planetId={data.planetId} />.
    </>
  ),
  key_rotated: ({ playerId }) => (
    <>
      <PlayerName playerId={playerId} /> has a new key.
    </>
  ),
  keys_revoked: ({ playerId }) => (
    <>
      <PlayerName playerId={playerId} /> has no key any more.
    </>
  ),
  plan_step_started: ({ data }) => (
    <>
      The plan of <PlanetLink planetId={data.planetId} /> started a step; {formatCount(data.stepsLeft)} left.
    </>
  ),
  plan_step_skipped: ({ data }) => (
    <>
      The plan of <PlanetLink planetId={data.planetId} /> skipped a step; {formatCount(data.stepsLeft)} left.
    </>
  ),
  plan_step_blocked: ({ data }) => (
    <>
      The plan of <PlanetLink planetId={data.planetId} /> waits: a step is blocked.
    </>
  ),
  plan_completed: ({ data }) => (
    <>
      The plan of <PlanetLink planetId={data.planetId} /> is completed.
    </>
  ),
};

interface BattleProps {
  readonly planetId: string;
  readonly attackerId: string;
  readonly defenderId: string;
  readonly outcome: EventData<'battle'>['outcome'];
  readonly attackerLost: number;
  readonly defenderLost: number;
}

function Battle({ planetId, attackerId, defenderId, outcome, attackerLost, defenderLost }: BattleProps) {
  const attacker = <PlayerName playerId={attackerId} />;
  const defender = <PlayerName playerId={defenderId} />;
  const planet = <PlanetLink planetId={planetId} />;
  return (
    <>
      {outcome === 'attacker_won' && (
        <>
          {attacker} defeated {defender} at {planet}.
        </>
      )}
      {outcome === 'defender_won' && (
        <>
          {defender} repelled {attacker} at {planet}.
        </>
      )}
      {outcome === 'draw' && (
        <>
          {attacker} and {defender} fought at {planet} without a winner.
        </>
      )}{' '}
      {lossesText(attackerLost, defenderLost)}
    </>
  );
}

function lossesText(attackerLost: number, defenderLost: number): string {
  if (attackerLost === 0 && defenderLost === 0) return 'No ship was lost.';
  return `The attacker lost ${formatShips(attackerLost)}, the defender ${formatCount(defenderLost)}.`;
}

function shipsIn(ships: readonly { readonly count: number }[]): number {
  return ships.reduce((sum, { count }) => sum + count, 0);
}
