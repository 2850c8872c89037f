// The tool wait: returns once something has happened to the player, an instant has come, or a bounded time has passed. It reads
// events by long polls, so it neither misses nor repeats one. In a game of turns it ends the turn and waits for the next one.
import { z } from 'zod';
import { shownText } from '../../text/foreign-text.js';
import { GalaxydProblem, type Shapes } from '../galaxyd-client.js';
import {
  EVENTS_AHEAD_MAX,
  EVENTS_LENGTH_MAX,
  EVENTS_READ_MAX,
  EVENTS_SHOWN_MAX,
  HELD_SECONDS_MAX,
  SEQ_MAX,
  WAIT_SECONDS_MAX,
} from '../limits.js';
import { answerOf, eventText, FOREIGN_NOTE, isForeign } from '../texts.js';
import { type Answer, instant, type Session, type Tool } from '../tool.js';

type GameEvent = Shapes['GameEvent'];

/** Events that only announce another event. */
const STARTS: ReadonlySet<GameEvent['type']> = new Set(['building_started', 'ships_ordered', 'research_started']);

const input = z.strictObject({
  until: instant.optional().describe('World time to wait for; by default, when the next of your timers ends'),
  seconds: z.int().min(0).max(WAIT_SECONDS_MAX).default(WAIT_SECONDS_MAX).describe('Longest time to wait'),
  since: z
    .int()
    .min(0)
    .max(SEQ_MAX)
    .optional()
    .describe('Number of the last event you know; by default, the last that wait has shown you'),
});

export const wait: Tool<z.infer<typeof input>> = {
  name: 'wait',
  title: 'Wait',
  description:
    `Waits until \`until\`, until something happens to you, or for \`seconds\` (at most ${WAIT_SECONDS_MAX}), and says which. It lists the ` +
    'events after the one numbered `since`: after a pause, these are what you have missed. World time passes like real time; if what you ' +
    'wait for is far away, do not call it again and again: come back then. In a game of turns, where time passes only between turns, it ends ' +
    'your turn and returns when the next one begins: at `until` or when others act against you; without `until` at any event.',
  input,
  // It can end a turn.
  isRead: false,
  isDestructive: false,
  async run(session, { until, seconds, since }, signal) {
    const endsAtMs = performance.now() + seconds * 1000;
    const turn = await readTurn(session, 0, signal);
    if (turn !== null) return await waitForTurn(session, turn, { until, since, endsAtMs }, signal);
    let { body: state, worldTime: now } = await readState(session, signal);
    const goal = until ?? state.nextTimerAt;
    // What the model has done itself since the last wait ends none.
    const seq = since ?? state.lastEventSeq;
    for (;;) {
      const goalMs = goal === null ? Number.POSITIVE_INFINITY : Date.parse(goal) - Date.parse(now);
      const leftMs = Math.max(0, Math.min(endsAtMs - performance.now(), goalMs));
      const heldSeconds = Math.min(HELD_SECONDS_MAX, Math.ceil(leftMs / 1000));
      const page = await readEvents(session, seq, heldSeconds, signal);
      now = page.worldTime;
      const isReached = goal !== null && goal <= now;
      const hasHappened = page.body.events.length > 0;
      if (!isReached && !hasHappened && performance.now() < endsAtMs) continue;
      // The timers have changed.
      if (isReached || hasHappened) ({ body: state, worldTime: now } = await readState(session, signal));
      const fromSeq = since ?? Math.max(session.lastShownSeq ?? seq, page.body.oldestSeq - 1);
      const shown = fromSeq === seq ? page : await readEvents(session, fromSeq, 0, signal);
      const head = `${outcomeOf(isReached, shown.body.events.length > 0, seq)} It is ${now}. ${timerText(state.nextTimerAt)}`;
      return { text: answerOf([head, ...eventLines(session, shown.body, since)], 'call wait with a higher since') };
    }
  },
};

/** Ends the turn that the model knows of, and waits for the next one. */
async function waitForTurn(
  session: Session,
  present: Shapes['Turn'],
  { until, since, endsAtMs }: { until: string | undefined; since: number | undefined; endsAtMs: number },
  signal: AbortSignal,
): Promise<Answer> {
  const seq = since ?? session.lastShownSeq ?? (await readState(session, signal)).body.lastEventSeq;
  let turn = present;
  if (turn.state === 'active' && isTurnKnown(session, turn)) turn = await endTurn(session, until, signal);
  while (turn.state === 'waiting' && performance.now() < endsAtMs) {
    const leftSeconds = Math.ceil((endsAtMs - performance.now()) / 1000);
    turn = (await readTurn(session, Math.min(HELD_SECONDS_MAX, leftSeconds), signal)) ?? turn;
  }
  session.knownTurn = turn.state === 'active' ? turn.turn : null;
  const { body: page } = await readEvents(session, seq, 0, signal);
  return { text: answerOf([turnText(turn), ...eventLines(session, page, since)], 'call brief') };
}

async function readState({ galaxyd, playerId }: Session, signal: AbortSignal) {
  return await galaxyd.get('/api/game/state/{playerId}', { params: { path: { playerId } }, signal });
}

async function readEvents({ galaxyd, playerId }: Session, since: number, heldSeconds: number, signal: AbortSignal) {
  const params = { path: { playerId }, query: { since, wait: heldSeconds, limit: EVENTS_READ_MAX } };
  return await galaxyd.get('/api/event/player/{playerId}', { params, signal });
}

function outcomeOf(isReached: boolean, hasHappened: boolean, seq: number): string {
  if (isReached) return 'The time has come.';
  return hasHappened ? 'Something has happened.' : `Nothing has happened since event ${seq}.`;
}

function timerText(nextTimerAt: string | null): string {
  return nextTimerAt === null ? 'You have no timer running.' : `Your next timer ends at ${nextTimerAt}.`;
}

/**
 * Events that may need an answer, which are shown before earlier ones if not all events fit. The value is the field that names who caused the
 * event: an event that the player has caused itself needs no answer. Null if others cause it.
 */
const URGENT: Partial<Record<GameEvent['type'], string | null>> = {
  ...{
    incoming_fleet: null,
    combat_report: null,
    attack_turned_away: null,
    pirates_came: null,
    espionage_detected: null,
  },
  ...{ pact_proposed: 'proposerId', pact_began: null, pact_cancelled: 'cancelledBy', pact_ended: null },
  ...{ message_received: null, offer_made: 'makerId', offer_taken: 'takerId', offer_ended: null },
  ...{ player_suspended: null, plan_step_blocked: null },
};

function isUrgent({ type, data }: GameEvent, playerId: string): boolean {
  const cause = URGENT[type];
  return cause !== undefined && (cause === null || Reflect.get(data, cause) !== playerId);
}

/**
 * Events in order, behind urgent ones from further on. The session goes on from the last one in order, and shows none twice.
 *
 * @param since what the model says that it knows; undefined: what the session has shown
 */
function eventLines(session: Session, { events, lastSeq }: Shapes['EventPage'], since: number | undefined): string[] {
  const shownAhead = new Set(since === undefined ? session.shownAheadSeqs : []);
  const telling = events.filter((event) => !isRepeatedLater(event, events) && !shownAhead.has(event.seq));
  const later = telling.length > EVENTS_SHOWN_MAX ? telling.slice(EVENTS_SHOWN_MAX - EVENTS_AHEAD_MAX) : [];
  const urgent = later.filter((event) => isUrgent(event, session.playerId)).slice(0, EVENTS_AHEAD_MAX);
  const ahead = fitting(urgent, EVENTS_LENGTH_MAX / 2);
  const rest = telling.filter((event) => !ahead.includes(event));
  const shown = fitting(rest.slice(0, EVENTS_SHOWN_MAX - ahead.length), EVENTS_LENGTH_MAX - lengthOf(ahead));
  const known = shown.length < rest.length ? shown.at(-1) : events.at(-1);
  session.lastShownSeq = known?.seq ?? lastSeq;
  for (const { seq } of ahead) shownAhead.add(seq);
  session.shownAheadSeqs = [...shownAhead].filter((seq) => seq > (known?.seq ?? lastSeq));
  const left = lastSeq - session.lastShownSeq - session.shownAheadSeqs.length;
  return [
    ...([...ahead, ...shown].some(isForeign) ? [FOREIGN_NOTE] : []),
    ...(ahead.length === 0
      ? []
      : ['From further on, since it may need an answer:', ...ahead.map(eventText), 'In order:']),
    ...shown.map(eventText),
    ...(left === 0 ? [] : [`${left} more events: the next wait shows them; with since ${lastSeq} it skips them.`]),
  ];
}

/** The first events, as far as their lines fit; at least one, so that a model gets on. */
function fitting(events: readonly GameEvent[], lengthMax: number): readonly GameEvent[] {
  let length = 0;
  const tooMany = events.findIndex((event, index) => {
    length += lengthOf([event]);
    return index > 0 && length > lengthMax;
  });
  return tooMany < 0 ? events : events.slice(0, tooMany);
}

function lengthOf(events: readonly GameEvent[]): number {
  return events.reduce((total, event) => total + shownText(eventText(event)).length + 1, 0);
}

/** The start of a step of a plan has a second event. So has everything that is complete by now. */
function isRepeatedLater({ type, data }: GameEvent, events: readonly GameEvent[]): boolean {
  if (type === 'plan_step_started') return true;
  const last = events.at(-1);
  return STARTS.has(type) && 'finishAt' in data && last !== undefined && data.finishAt <= last.at;
}

/** What others do to a player. It ends a wait early. `resources_received` is not among it: the player's own transports cause it, too. */
const FROM_OTHERS: readonly GameEvent['type'][] = ['incoming_fleet', 'combat_report', 'pact_cancelled', 'pirates_came'];

type Turn = Shapes['Turn'];

/** @returns the state of the player's turn; null in a world without turns */
async function readTurn({ galaxyd }: Session, heldSeconds: number, signal: AbortSignal): Promise<Turn | null> {
  try {
    const { body } = await galaxyd.get('/api/turn', { params: { query: { wait: heldSeconds } }, signal });
    return body;
  } catch (error) {
    if (error instanceof GalaxydProblem && ['forbidden', 'route_not_found'].includes(error.code)) return null;
    throw error;
  }
}

/** @param until latest instant at which the next turn begins; undefined: any event begins it */
async function endTurn({ galaxyd }: Session, until: string | undefined, signal: AbortSignal): Promise<Turn> {
  const body = until === undefined ? {} : { wakeAt: until, wakeOn: [...FROM_OTHERS] };
  return (await galaxyd.post('/api/turn/end', { body, signal })).body;
}

/** Whether the model knows that it has this turn. */
function isTurnKnown({ knownTurn }: Session, { turn }: Turn): boolean {
  return knownTurn === 'present' || knownTurn === turn;
}

function turnText({ state, turn, worldTime, until, commandsLeft, wakeupsLeft, dayEndsAt, wokenBy }: Turn): string {
  if (state === 'over') return `The game is over for you. It is ${worldTime}.`;
  if (state === 'waiting') return `It is not your turn yet: call wait again. It is ${worldTime}.`;
  const left = `${commandsLeft} actions and ${wakeupsLeft} further turns left until ${dayEndsAt}`;
  return `It is your turn, number ${turn}${wakeText(wokenBy)}. It is ${worldTime}; the game ends at ${until}. You have ${left}.`;
}

/** Why a turn came that is not the one that the model asked for. */
function wakeText(wokenBy: Turn['wokenBy']): string {
  if (wokenBy === null || wokenBy.reason === 'wish') return '';
  const { type, seq, playerId } = wokenBy;
  return `, begun by event ${seq} ${type}${playerId === null ? '' : ` of ${playerId}, and not taken from your turns`}`;
}
