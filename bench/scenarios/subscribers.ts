// What readers of events cost and how soon they get them: commands at a fixed rate without readers and with every player read, in turn
// on one server; then a restart, after which all readers come back at once.
import { KEPT_INSTANTS, MEMORY_SAMPLE_EVERY_MS, OFFERED_RATE, READER_CONNECTIONS } from '../limits.js';
import { MemorySampler } from '../processes/child-server.js';
import { inTemporaryFolder } from '../processes/clean-up.js';
import { failuresIn, latencyCells, type Run, Samples } from '../runner/run.js';
import * as row from '../runner/scenario.js';
import type { Table } from '../runner/table.js';
import { measureCalls, measureOfferedCalls, type OfferedCallResult } from '../sockets/call-loops.js';
import type { ReadersResult } from '../sockets/event-readers.js';
import {
  type EventLatencies,
  eventLatencies,
  READER_FORM_NAMES,
  READER_FORMS,
  type ReaderFormName,
  ReadWorld,
} from '../sockets/read-world.js';

const options = {
  names: row.names(READER_FORM_NAMES),
  players: row.players(),
  connections: row.connections([READER_CONNECTIONS]),
  durability: row.durability,
  /** OFFERED_RATE by default, or half of the maximum if that is less. */
  rate: row.rate(undefined),
  seconds: row.openSeconds(5),
  rounds: row.rounds(3),
};

type Wanted = row.Values<typeof options>;

/** What must all be zero. `missing`: accepted commands without an event at a reader. */
type ReaderCheck = Pick<ReadersResult, 'misplaced' | 'behind' | 'cutOff'> & { readonly missing: number };

interface WithReaders extends OfferedCallResult, EventLatencies, ReaderCheck {
  readonly eventsPerSecond: number;
  /** Memory that the server holds itself, in MiB. */
  readonly heldBefore: number;
  readonly heldMost: number;
  readonly heldAfter: number;
}

export const subscribers = row.scenario({
  command: 'subscribers',
  description: 'what readers of events cost, and how soon they get them',
  options,
  steps: ({ names, rounds }) => names.length * rounds + 2,
  measure: (run, wanted) =>
    inTemporaryFolder(async (folder) => {
      const players = wanted.players[0] ?? row.PLAYERS;
      run.say(`setting up a world of ${players} bots`);
      const world = await ReadWorld.start(folder, { players, durability: wanted.durability });
      try {
        const mostPerSecond = await saturate(run, world, wanted);
        const ratePerSecond = wanted.rate ?? Math.min(OFFERED_RATE, Math.max(1, Math.floor(mostPerSecond / 2)));
        for (const form of wanted.names) await measureForm(run, world, wanted, form, ratePerSecond);
        await measureReturn(run, world, wanted, ratePerSecond);
      } finally {
        await world.stop();
      }
    }),
});

/** A closed loop of calls while everybody is read. @returns commands a second */
async function saturate(run: Run, world: ReadWorld, wanted: Wanted): Promise<number> {
  const readers = await world.read(readingOf(world, wanted, 'shared'));
  const { commandsPerSecond, accepted } = await measureCalls({ ...world.calls, seconds: wanted.seconds });
  const read = await world.leave(readers);
  const cells = { 'most that a closed loop reached': 'while all are read', 'commands/s': commandsPerSecond };
  const check = { ...read, missing: accepted - read.eventCount };
  addChecked(
    run.table('readers at most'),
    { ...cells, 'events/s': read.eventsPerSecond },
    'at the highest rate',
    check,
  );
  run.step(`${Math.round(commandsPerSecond)} commands/s with readers at most`);
  return commandsPerSecond;
}

function readingOf(world: ReadWorld, { connections }: Wanted, form: ReaderFormName) {
  return READER_FORMS[form].connections(world.players(), connections?.[0] ?? READER_CONNECTIONS);
}

function unreadOf(world: ReadWorld, { connections }: Wanted, form: ReaderFormName) {
  return READER_FORMS[form].unread(world.players(), connections?.[0] ?? READER_CONNECTIONS);
}

async function measureForm(
  run: Run,
  world: ReadWorld,
  wanted: Wanted,
  form: ReaderFormName,
  ratePerSecond: number,
): Promise<void> {
  const { rounds, seconds } = wanted;
  const keptOneIn = Math.max(1, Math.ceil((ratePerSecond * seconds) / KEPT_INSTANTS));
  const offer = () => measureOfferedCalls({ ...world.calls, ratePerSecond, seconds, keptOneIn });
  const measure = (isRead: boolean) => (isRead ? measureRead(world, wanted, form, keptOneIn, offer) : offer());
  const connections = [readingOf, unreadOf].flatMap((list) => list(world, wanted, form)).length;
  const conclude = ([without, both]: readonly Samples<OfferedCallResult>[]) => {
    if (without === undefined || both === undefined) return;
    const read = new Samples(both.rounds as readonly WithReaders[]);
    const held = (['heldBefore', 'heldMost', 'heldAfter'] as const).map((when) => Math.round(read.median(when)));
    const cells = {
      ...{ readers: form, connections, 'commands offered/s': ratePerSecond },
      ...latencyCells(without.rounds, ['p50Ms', 'p99Ms'], 'command '),
      ...latencyCells(read.rounds, ['p50Ms', 'p99Ms'], 'read: '),
      'p99 ratio': both.ratio('p99Ms', without),
      'loader pause ms': Math.max(without.most('loaderPauseMaxMs'), both.most('loaderPauseMaxMs')),
      'events/s': read.median('eventsPerSecond'),
      ...{ 'due to event p50 ms': read.median('dueP50Ms'), 'due to event p99 ms': read.median('dueP99Ms') },
      ...{ 'reply to event p50 ms': read.median('replyP50Ms'), 'reply to event p99 ms': read.median('replyP99Ms') },
      'server MiB before / most / after': held.join(' / '),
      failures: failuresIn(without, both).failures,
    };
    const [missing, behind] = [read.sum('missing'), read.sum('behind')];
    const table = run.table('readers of events');
    addChecked(table, cells, form, { missing, behind, misplaced: read.sum('misplaced'), cutOff: read.sum('cutOff') });
    table.addFaults(`commands beside readers ${form}`, failuresIn(without, both));
  };
  await run.contest(`readers ${form}`, [false, true], { rounds, measure, conclude });
}

async function measureRead(
  world: ReadWorld,
  wanted: Wanted,
  form: ReaderFormName,
  keptOneIn: number,
  offer: () => Promise<OfferedCallResult>,
): Promise<WithReaders> {
  const heldBefore = world.server.heldMib();
  const memory = new MemorySampler(world.server, MEMORY_SAMPLE_EVERY_MS);
  const readers = await world.read(readingOf(world, wanted, form), keptOneIn);
  const silent = await world.readNothing(unreadOf(world, wanted, form));
  const offered = await offer();
  const { arrivals, ...read } = await world.leave(readers);
  await silent?.leave();
  const held = { heldBefore, heldMost: Math.max(...memory.stop()), heldAfter: world.server.heldMib() };
  const missing = offered.accepted - read.eventCount;
  return { ...read, ...offered, ...held, missing, ...eventLatencies(offered, arrivals) };
}

/** Every player has a connection of its own, and misses what happens in a second. */
async function measureReturn(run: Run, world: ReadWorld, wanted: Wanted, ratePerSecond: number): Promise<void> {
  await world.leave(await world.read(readingOf(world, wanted, 'single')));
  const seconds = Math.min(1, wanted.seconds);
  const { accepted } = await measureOfferedCalls({ ...world.calls, ratePerSecond, seconds, keptOneIn: 1 });
  await world.restart();
  const heldBefore = world.server.heldMib();
  const connections = readingOf(world, wanted, 'single');
  const readers = await world.read(connections);
  const heldAfter = world.server.heldMib();
  const read = await world.leave(readers);
  const cells = {
    ...{ 'readers that come back at once after a restart': connections.length, 'missed events': read.resumedCount },
    ...{ 'all have subscribed after ms': read.subscribedMs, 'all have caught up after ms': read.caughtUpMs },
    'server MiB before / after': `${heldBefore} / ${heldAfter}`,
  };
  const check = { ...read, missing: accepted - read.resumedCount };
  addChecked(run.table('readers after a restart'), cells, 'after a restart', check);
  run.step('all readers came back');
}

function addChecked(table: Table, cells: Table['rows'][number], what: string, check: ReaderCheck): void {
  const { missing, misplaced, behind, cutOff } = check;
  const isWhole = missing === 0 && misplaced === 0 && behind === 0 && cutOff === 0;
  const lost = `${missing} missing, ${misplaced} misplaced, ${behind} behind, ${cutOff} connections cut off`;
  table.rows.push({ ...cells, 'lost events': isWhole ? 'none' : lost });
  if (!isWhole) table.faults.push(`readers ${what}: ${lost}`);
}
