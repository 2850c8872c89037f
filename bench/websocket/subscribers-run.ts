// Measures what readers of events cost and how soon they get them: commands at a fixed rate without readers and with every
// player read, in turn on one server; then a restart, after which all readers come back at once.
import type { Run } from '../end-to-end/closed-loop.js';
import type { Latencies } from '../end-to-end/load.js';
import { failuresOf, medianLatencies } from '../end-to-end/side-by-side.js';
import { KEPT_INSTANTS, MEMORY_SAMPLE_EVERY_MS, OFFERED_RATE } from '../limits.js';
import { heldMibOf, MemorySampler } from '../processes/child-server.js';
import { inTemporaryFolder } from '../processes/clean-up.js';
import { median, pairedRatio } from '../reports/statistics.js';
import { measureCalls } from './call-loop.js';
import { type EventLatencies, eventLatencies } from './event-latencies.js';
import { measureOfferedCalls, type OfferedCallResult } from './offered-calls.js';
import { type ReadingsOfStay, ReadWorld } from './read-world.js';
import { READER_FORMS, type ReaderForm, type ReaderFormName } from './reader-forms.js';

export interface SubscribersPlan {
  readonly forms: readonly ReaderFormName[];
  readonly players: number;
  /** Of the readers that share all players. */
  readonly connections: number;
  readonly seconds: number;
  readonly rounds: number;
  /** Commands a second; OFFERED_RATE by default, or half of the maximum if that is less. */
  readonly ratePerSecond?: number;
  readonly durability: 'durable' | 'relaxed';
}

export interface SubscribersReading extends EventLatencies {
  readonly form: ReaderFormName;
  readonly title: string;
  /** Those that never read included. */
  readonly connections: number;
  /** Of commands, from when each was due. */
  readonly without: Latencies;
  readonly withReaders: Latencies;
  /** Median of the rounds' own ratios of p99 with readers to p99 without. */
  readonly p99Ratio: number;
  /** Longest time in which the loader of commands did not get to send: it is part of the latencies. */
  readonly loaderPauseMaxMs: number;
  readonly eventsPerSecond: number;
  readonly readerCheck: ReaderCheck;
  /** Of commands. */
  readonly failures: number;
  readonly firstFailure?: string;
  /** Memory that the server holds itself. */
  readonly heldMib: { readonly before: number; readonly most: number; readonly after: number };
}

/** What must all be zero, over all rounds. */
export interface ReaderCheck {
  /** Accepted commands without an event at a reader. */
  readonly missing: number;
  /** Events whose seq did not follow the one before. */
  readonly misplaced: number;
  /** Events by which readers are behind what the server itself reports afterwards. */
  readonly behind: number;
  /** Connections that were closed, of those that read. */
  readonly cutOff: number;
}

export interface Saturation {
  readonly commandsPerSecond: number;
  readonly eventsPerSecond: number;
  readonly readerCheck: ReaderCheck;
}

/** All readers come back at once after a restart. */
export interface Storm {
  readonly connections: number;
  /** Events that they had missed. */
  readonly resumedCount: number;
  /** From the first connection until all had subscribed, and until all had what they had missed. */
  readonly subscribedMs: number;
  readonly caughtUpMs: number;
  readonly readerCheck: ReaderCheck;
  readonly heldMib: { readonly before: number; readonly after: number };
}

export interface SubscribersReport {
  readonly players: number;
  readonly ratePerSecond: number;
  readonly seconds: number;
  readonly saturation: Saturation;
  readonly readings: readonly SubscribersReading[];
  /** Absent if the run failed before. */
  readonly storm?: Storm;
}

/** How many times runSubscribers() reports a step. */
export function subscriberSteps({ forms, rounds }: SubscribersPlan): number {
  return forms.length * rounds + 2;
}

/** Keeps the report after each of its parts, with the parts so far. */
export function runSubscribers({ plan, progress, keep }: Run<SubscribersPlan, SubscribersReport>): Promise<void> {
  return inTemporaryFolder(async (folder) => {
    const { players, seconds } = plan;
    progress.say(`setting up a world of ${players} bots`);
    const world = await ReadWorld.start(folder, plan);
    try {
      const saturation = await saturate(world, plan);
      progress.step(`${Math.round(saturation.commandsPerSecond)} commands/s with readers at most`);
      const half = Math.max(1, Math.floor(saturation.commandsPerSecond / 2));
      const ratePerSecond = plan.ratePerSecond ?? Math.min(OFFERED_RATE, half);
      let report: SubscribersReport = { players, ratePerSecond, seconds, saturation, readings: [] };
      keep(report);
      for (const form of plan.forms) {
        const rounds: Round[] = [];
        const { readings } = report;
        for (let round = 0; round < plan.rounds; round += 1) {
          rounds.push(await measureRound(world, plan, form, ratePerSecond, round % 2 === 0));
          report = { ...report, readings: [...readings, readingOf(world, plan, form, rounds)] };
          keep(report);
          progress.step(`readers ${form}: round ${round + 1} of ${plan.rounds}`);
        }
      }
      keep({ ...report, storm: await measureStorm(world, plan, ratePerSecond) });
      progress.step('all readers came back');
    } finally {
      await world.stop();
    }
  });
}

/** A closed loop of calls while everybody is read. */
async function saturate(world: ReadWorld, { connections, seconds }: SubscribersPlan): Promise<Saturation> {
  const readers = await world.read(READER_FORMS.shared.connections(world.players(), connections));
  const { commandsPerSecond, accepted } = await measureCalls({ ...world.calls, seconds });
  const { eventCount, eventsPerSecond, ...read } = await world.leave(readers);
  const readerCheck = { missing: accepted - eventCount, ...read.check };
  return { commandsPerSecond, eventsPerSecond, readerCheck };
}

interface Round extends EventLatencies {
  readonly without: OfferedCallResult;
  readonly withReaders: OfferedCallResult;
  readonly read: ReadingsOfStay;
  readonly heldMib: SubscribersReading['heldMib'];
}

function readingOf(
  world: ReadWorld,
  plan: SubscribersPlan,
  form: ReaderFormName,
  rounds: readonly Round[],
): SubscribersReading {
  const { title, connections, unread }: ReaderForm = READER_FORMS[form];
  const of = (pick: (round: Round) => number) => rounds.map(pick);
  const sum = (pick: (round: Round) => number) => of(pick).reduce((total, value) => total + value, 0);
  const loads = rounds.flatMap((round) => [round.without, round.withReaders]);
  return {
    form,
    title,
    connections: [connections, unread].flatMap((list) => list(world.players(), plan.connections)).length,
    without: medianLatencies(rounds.map((round) => round.without)),
    withReaders: medianLatencies(rounds.map((round) => round.withReaders)),
    p99Ratio: pairedRatio(
      of((round) => round.withReaders.p99Ms),
      of((round) => round.without.p99Ms),
    ),
    loaderPauseMaxMs: Math.max(...loads.map((load) => load.loaderPauseMaxMs)),
    eventsPerSecond: median(of(({ read }) => read.eventsPerSecond)),
    dueP50Ms: median(of(({ dueP50Ms }) => dueP50Ms)),
    dueP99Ms: median(of(({ dueP99Ms }) => dueP99Ms)),
    replyP50Ms: median(of(({ replyP50Ms }) => replyP50Ms)),
    replyP99Ms: median(of(({ replyP99Ms }) => replyP99Ms)),
    readerCheck: {
      missing: sum(({ withReaders, read }) => withReaders.accepted - read.eventCount),
      misplaced: sum(({ read }) => read.check.misplaced),
      behind: sum(({ read }) => read.check.behind),
      cutOff: sum(({ read }) => read.check.cutOff),
    },
    ...failuresOf(loads),
    heldMib: {
      before: median(of(({ heldMib }) => heldMib.before)),
      most: Math.max(...of(({ heldMib }) => heldMib.most)),
      after: median(of(({ heldMib }) => heldMib.after)),
    },
  };
}

/** @param isWithoutFirst which of the two comes first */
async function measureRound(
  world: ReadWorld,
  { connections, seconds }: SubscribersPlan,
  form: ReaderFormName,
  ratePerSecond: number,
  isWithoutFirst: boolean,
): Promise<Round> {
  const keptOneIn = Math.max(1, Math.ceil((ratePerSecond * seconds) / KEPT_INSTANTS));
  const offer = () => measureOfferedCalls({ ...world.calls, ratePerSecond, seconds, keptOneIn });
  const before = isWithoutFirst ? await offer() : undefined;
  const heldBefore = heldMibOf(world.server) ?? Number.NaN;
  const { connections: reading, unread }: ReaderForm = READER_FORMS[form];
  const memory = new MemorySampler(world.server, MEMORY_SAMPLE_EVERY_MS);
  const readers = await world.read(reading(world.players(), connections), keptOneIn);
  const silent = await world.readNothing(unread(world.players(), connections));
  const withReaders = await offer();
  const read = await world.leave(readers);
  await silent?.leave();
  const most = Math.max(...memory.stop());
  const without = before ?? (await offer());
  const heldMib = { before: heldBefore, most, after: heldMibOf(world.server) ?? Number.NaN };
  return { without, withReaders, read, heldMib, ...eventLatencies(withReaders, read.arrivals) };
}

/** Every player has a connection of its own, and misses what happens in a second. */
async function measureStorm(world: ReadWorld, { seconds }: SubscribersPlan, ratePerSecond: number): Promise<Storm> {
  const { single } = READER_FORMS;
  await world.leave(await world.read(single.connections(world.players())));
  const { accepted } = await measureOfferedCalls({
    ...world.calls,
    ratePerSecond,
    seconds: Math.min(1, seconds),
    keptOneIn: 1,
  });
  await world.restart();
  const before = heldMibOf(world.server) ?? Number.NaN;
  const connections = single.connections(world.players());
  const readers = await world.read(connections);
  const after = heldMibOf(world.server) ?? Number.NaN;
  const { resumedCount, subscribedMs, caughtUpMs, check } = await world.leave(readers);
  const readerCheck = { missing: accepted - resumedCount, ...check };
  return {
    connections: connections.length,
    resumedCount,
    subscribedMs,
    caughtUpMs,
    readerCheck,
    heldMib: { before, after },
  };
}
