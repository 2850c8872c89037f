// Every event of the API as a plain sentence, with links to its planets and players. Sentences name the player, because they stand
// in lists about many.
import type { EventData, GameEvent } from 'galaxyd-client';
import type { ComponentChildren } from 'preact';
import { formatCount, formatPlural, formatType } from './format.js';
import { CargoText, PlanetLink, PlayerName, ShipsText, say, shipsIn } from './values.js';

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
  harvest: 'to harvest',
  support: 'to defend it',
};

export function EventSentence({ event }: { readonly event: GameEvent }) {
  return <span class="sentence">{sentenceOf(event)}</span>;
}

function sentenceOf<Type extends EventType>(event: EventOf<Type>): ComponentChildren {
  // A newer server may have types that this page does not know.
  const sentence: ((event: EventOf<Type>) => ComponentChildren) | undefined = SENTENCES[event.type as Type];
  return sentence === undefined ? `${formatType(event.type)}.` : sentence(event);
}

const player = (playerId: string, name?: string) => (
  <PlayerName playerId={playerId} {...(name === undefined ? {} : { name })} />
);
const planet = (planetId: string) => <PlanetLink planetId={planetId} />;
/** What a player wrote, apart from the words of this page. */
const said = (text: string) => <q dir="auto">{text}</q>;
const cargo = (amounts: Readonly<Record<string, number>>) => <CargoText amounts={amounts} none="nothing" />;
const lot = ({ resource, units }: EventData<'goods_arrived'>['goods']) => <CargoText amounts={{ [resource]: units }} />;
const ordered = ({ shipType, count }: EventData<'ships_ordered' | 'ships_completed' | 'ships_cancelled'>) => (
  <ShipsText ships={[{ shipType, count }]} />
);

/** Why an offer ended that nobody took. */
const OFFER_ENDS: Readonly<Record<EventData<'offer_ended'>['reason'], string>> = {
  withdrawn: 'it was withdrawn',
  expired: 'nobody took it in time',
  addressee_retired: 'the player whom it was for was retired',
  raided: 'what it held was taken by force',
};

const SENTENCES: Sentences = {
  player_created: ({ playerId, data }) => say`${player(playerId, data.name)} began at ${planet(data.planetId)}.`,
  player_joined: ({ playerId, data }) =>
    say`${player(playerId, data.name)} joined the world at ${planet(data.planetId)}.`,
  player_retired: ({ data: { name, planetIds } }) =>
    say`${<bdi class="player-name">{name}</bdi>} was retired by the operator. ${
      planetIds.length === 1 ? 'Its planet is' : `Its ${formatCount(planetIds.length)} planets are`
    } free again.`,
  player_suspended: ({ playerId }) => say`The operator has suspended ${player(playerId)}.`,
  player_resumed: ({ playerId }) => say`The operator lets ${player(playerId)} go on.`,
  player_renamed: ({ playerId, data: { name, formerName } }) =>
    say`${<bdi class="player-name">{formerName}</bdi>} is ${player(playerId, name)} from now on.`,
  announcement: ({ data: { text } }) => say`The operator announces: ${<bdi>{text}</bdi>}`,
  building_started: ({ data: { buildingType, targetLevel, planetId } }) =>
    say`Construction of the ${formatType(buildingType)} to level ${targetLevel} began on ${planet(planetId)}.`,
  building_completed: ({ data: { buildingType, level, planetId } }) =>
    say`The ${formatType(buildingType)} on ${planet(planetId)} has reached level ${level}.`,
  building_cancelled: ({ data: { buildingType, planetId } }) =>
    say`The upgrade of the ${formatType(buildingType)} on ${planet(planetId)} was cancelled.`,
  ships_ordered: ({ data }) => say`${ordered(data)} ordered on ${planet(data.planetId)}.`,
  ships_completed: ({ data }) => say`${ordered(data)} delivered on ${planet(data.planetId)}.`,
  ships_cancelled: ({ data }) => say`The orders of ${ordered(data)} on ${planet(data.planetId)} were cancelled.`,
  research_started: ({ data }) => `Research of ${formatType(data.researchType)} ${data.targetLevel} began.`,
  research_completed: ({ data }) => `Research of ${formatType(data.researchType)} ${data.level} is complete.`,
  fleet_launched: ({ playerId, data: { ships, originPlanetId, targetPlanetId, mission } }) =>
    say`${player(playerId)} sent ${<ShipsText ships={ships} />} from ${planet(originPlanetId)} to ${planet(targetPlanetId)} ${AIMS[mission]}.`,
  fleet_arrived: ({ playerId, data: { ships, targetPlanetId, mission } }) =>
    say`${<ShipsText ships={ships} />} of ${player(playerId)} reached ${planet(targetPlanetId)} ${AIMS[mission]}.`,
  fleet_recalled: ({ playerId, data: { targetPlanetId, mission } }) =>
    mission === 'support'
      ? say`A fleet of ${player(playerId)} that was sent to ${planet(targetPlanetId)} ${AIMS[mission]} flies home.`
      : say`${player(playerId)} recalled a fleet on its way to ${planet(targetPlanetId)}.`,
  fleet_returned: ({ playerId, data: { ships, originPlanetId, resources } }) =>
    say`${<ShipsText ships={ships} />} of ${player(playerId)} came home to ${planet(originPlanetId)}${<CargoText amounts={resources} before=" with " />}.`,
  fleet_destroyed: ({ playerId, data: { targetPlanetId, mission } }) =>
    say`${player(playerId)} lost the fleet that was sent to ${planet(targetPlanetId)} ${AIMS[mission]}.`,
  fleet_stationed: ({ data: { ships, senderId, targetPlanetId } }) =>
    say`${<ShipsText ships={ships} />} of ${player(senderId)} stay at ${planet(targetPlanetId)} to defend it.`,
  support_fought: ({ playerId, data }) =>
    say`${player(playerId)} lost ${formatPlural(shipsIn(data.lost), 'ship')} defending ${planet(data.targetPlanetId)}.`,
  offer_made: ({ data: { makerId, give, want } }) => say`${player(makerId)} offers ${lot(give)} for ${lot(want)}.`,
  offer_taken: ({ data: { makerId, takerId, give, want } }) =>
    say`${player(takerId)} took the offer of ${player(makerId)}: ${lot(give)} for ${lot(want)}.`,
  offer_ended: ({ data: { makerId, planetId, reason } }) =>
    say`An offer of ${player(makerId)} at ${planet(planetId)} ended: ${OFFER_ENDS[reason]}.`,
  goods_arrived: ({ data: { partnerId, planetId, goods } }) =>
    say`${lot(goods)} of ${player(partnerId)} arrived at ${planet(planetId)}.`,
  trade_agreed: ({ playerId, data: { partnerId, give, want } }) =>
    say`${player(playerId)} gets ${lot(give)} from ${player(partnerId)} for ${lot(want)}.`,
  incoming_fleet: ({ data: { senderId, targetPlanetId, mission, shipCount } }) =>
    say`A fleet of ${player(senderId)} is on its way to ${planet(targetPlanetId)}${
      mission === null ? '' : ` ${AIMS[mission]}`
    }${shipCount === null ? '' : ` with ${formatPlural(shipCount, 'ship')}`}.`,
  incoming_fleet_gone: ({ data }) =>
    say`The fleet of ${player(data.senderId)} that was sent to ${planet(data.targetPlanetId)} flies home.`,
  combat_report: ({ data }) => battle(data, shipsIn(data.attackerLost), shipsIn(data.defenderLost)),
  battle: ({ data }) => battle(data, data.attackerLostCount, data.defenderLostCount),
  wrecks_left: ({ data }) => say`A battle has left ${cargo(data.resources)} in space beside ${planet(data.planetId)}.`,
  field_harvested: ({ playerId, data: { targetPlanetId, resources } }) =>
    say`${player(playerId)} harvested ${cargo(resources)} beside ${planet(targetPlanetId)}.`,
  espionage_report: ({ playerId, data }) =>
    say`${player(playerId)} spied on ${planet(data.planetId)} of ${player(data.defenderId)}.`,
  espionage_detected: ({ data: { attackerId, planetId, scouts } }) =>
    say`${player(attackerId)} spied on ${planet(planetId)} with ${formatPlural(scouts, 'scout')}.`,
  resources_received: ({ data }) =>
    say`${player(data.senderId)} delivered ${cargo(data.resources)} to ${planet(data.planetId)}.`,
  planet_colonized: ({ playerId, data }) => say`${player(playerId)} colonized ${planet(data.planetId)}.`,
  colonization_failed: ({ playerId, data: { targetPlanetId, reason } }) =>
    say`${player(playerId)} could not colonize ${planet(targetPlanetId)}: ${
      reason === 'planet_occupied' ? 'somebody owns it already' : 'its fleets may not colonize more planets'
    }.`,
  attack_turned_away: ({ playerId, data: { targetPlanetId, defenderId } }) =>
    say`A fleet of ${player(playerId)} turned round at ${planet(targetPlanetId)}: attacks on ${player(defenderId)} turn round for now.`,
  resources_granted: ({ data }) => say`The operator granted ${cargo(data.resources)} to ${planet(data.planetId)}.`,
  key_rotated: ({ playerId }) => say`${player(playerId)} has a new key.`,
  keys_revoked: ({ playerId }) => say`${player(playerId)} has no key any more.`,
  plan_step_started: ({ data: { planetId, stepsLeft } }) =>
    say`The plan of ${planet(planetId)} started a step; ${formatCount(stepsLeft)} left.`,
  plan_step_skipped: ({ data: { planetId, stepsLeft } }) =>
    say`The plan of ${planet(planetId)} skipped a step; ${formatCount(stepsLeft)} left.`,
  plan_step_blocked: ({ data }) => say`The plan of ${planet(data.planetId)} waits: a step is blocked.`,
  plan_completed: ({ data }) => say`The plan of ${planet(data.planetId)} is completed.`,
  message_sent: ({ playerId, data: { receiverId, text } }) =>
    say`${player(playerId)} wrote to ${player(receiverId)}: ${said(text)}`,
  message_received: ({ playerId, data: { senderId, text } }) =>
    say`${player(senderId)} wrote to ${player(playerId)}: ${said(text)}`,
  players_spoke: ({ playerId, data }) => say`${player(playerId)} wrote to ${player(data.receiverId)}.`,
  message_broadcast: ({ playerId, data: { text } }) => say`${player(playerId)} says to everybody: ${said(text)}`,
  pact_proposed: ({ data: { kind, proposerId, partnerId } }) =>
    say`${player(proposerId)} proposed a pact of ${formatType(kind)} to ${player(partnerId)}.`,
  pact_began: ({ data: { kind, proposerId, partnerId } }) =>
    say`${player(proposerId)} and ${player(partnerId)} have a pact of ${formatType(kind)}.`,
  pact_cancelled: ({ data: { kind, proposerId, partnerId, cancelledBy } }) =>
    say`${player(cancelledBy)} has cancelled the pact of ${formatType(kind)} of ${player(proposerId)} and ${player(partnerId)}.`,
  pact_ended: ({ data: { kind, proposerId, partnerId } }) =>
    say`The pact of ${formatType(kind)} of ${player(proposerId)} and ${player(partnerId)} has ended, or was not made.`,
  pact: ({ playerId, data: { kind, otherId, change } }) =>
    change === 'cancelled'
      ? say`${player(playerId)} has cancelled the pact of ${formatType(kind)} with ${player(otherId)}.`
      : say`The pact of ${formatType(kind)} of ${player(playerId)} and ${player(otherId)} has ${change === 'began' ? 'begun' : 'ended'}.`,
  shock_announced: ({ data }) => say`Galaxy ${formatCount(data.galaxyIndex)} expects ${shock(data)}.`,
  shock_began: ({ data }) => say`In galaxy ${formatCount(data.galaxyIndex)} begins ${shock(data)}.`,
  pirates_came: ({ data }) => say`Pirates took ${cargo(data.resources)} from ${planet(data.planetId)}.`,
  clock_paused: () => 'The operator paused the world.',
  clock_resumed: () => 'World time goes on.',
  speed_changed: ({ data: { speed } }) => `The operator changed the speed of the world to ${speed}.`,
};

type Shock = Pick<EventData<'shock_began'>, 'shockType' | 'resource' | 'percent' | 'raiderId'>;

function shock({ shockType, resource, percent, raiderId }: Shock): ComponentChildren {
  const type = formatType(shockType);
  if (raiderId !== null)
    return (
      <>
        a {type} on {player(raiderId)}
      </>
    );
  if (resource === null) return <>{type}, who take what lies idle</>;
  return (
    <>
      {type}: {formatCount(percent)} % of the usual output of {formatType(resource)}
    </>
  );
}

type Battle = Pick<EventData<'battle'>, 'planetId' | 'attackerId' | 'defenderId' | 'outcome' | 'loot'>;

function battle(data: Battle, attackerLost: number, defenderLost: number): ComponentChildren {
  const [attacker, defender, place] = [player(data.attackerId), player(data.defenderId), planet(data.planetId)];
  const losses =
    attackerLost === 0 && defenderLost === 0
      ? 'No ship was lost.'
      : `The attacker lost ${formatPlural(attackerLost, 'ship')}, the defender ${formatCount(defenderLost)}.`;
  const loot = <CargoText amounts={data.loot} before=" It took " after="." />;
  if (data.outcome === 'attacker_won') return say`${attacker} defeated ${defender} at ${place}. ${losses}${loot}`;
  if (data.outcome === 'defender_won') return say`${defender} repelled ${attacker} at ${place}. ${losses}`;
  return say`${attacker} and ${defender} fought at ${place} without a winner. ${losses}`;
}
