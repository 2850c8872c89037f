// Replays the log of a world from its genesis and shows every entry to a watcher. readFinishedWorld() reads a finished game this way, for
// `galaxyd tournament` and its verification. It changes nothing on disk.
import { createHash, type Hash } from 'node:crypto';
import type { FinishedMessage, FinishedPlayer, FinishedWorld } from '../../arena/tournament/result.js';
import { type Command, encodeCommand } from '../../engine/commands/table.js';
import { Engine } from '../../engine/engine.js';
import type { WorldEvent } from '../../engine/events/kinds.js';
import { sum } from '../../engine/numbers/arithmetic.js';
import { messageId, playerId } from '../../engine/terms/ids.js';
import { isRefusal } from '../../engine/terms/rejections.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { DAY_MS } from '../../http/turns/turn-game.js';
import { RecoveryRefused, type Replay, type ReplayableEngine, replay } from '../../persistence/recovery/replay.js';
import { rulesIdentity } from '../../persistence/rules/stored-rules.js';
import { storeAt } from '../../persistence/store-url.js';
import type { WorldStore } from '../../persistence/stores/world-store.js';
import { verifyWorld } from '../../persistence/upkeep/verify.js';
import { DealCounts } from './deal-counts.js';

/** The role of an entry of the log in a game. */
type Part = 'passage' | 'creation' | 'command' | 'foreign';

/** Entrants send commands. What only an operator can send is foreign to a game. */
const PARTS: Readonly<Record<Command['type'], Part>> = {
  genesis: 'creation',
  advance_time: 'passage',
  create_player: 'creation',
  create_players: 'creation',
  construct_building: 'command',
  upgrade_building: 'command',
  cancel_building: 'command',
  build_ships: 'command',
  cancel_ships: 'command',
  start_research: 'command',
  launch_fleet: 'command',
  recall_fleet: 'command',
  dismiss_fleet: 'command',
  make_offer: 'command',
  take_offer: 'command',
  withdraw_offer: 'command',
  propose_pact: 'command',
  accept_pact: 'command',
  decline_pact: 'command',
  cancel_pact: 'command',
  rotate_key: 'command',
  revoke_keys: 'command',
  create_second_starter: 'command',
  put_plan: 'command',
  send_message: 'command',
  block_player: 'command',
  colonize_planet: 'foreign',
  grant_resources: 'foreign',
  keep_reply: 'foreign',
  switch_rules: 'foreign',
  retire_players: 'foreign',
  set_speed: 'foreign',
  pause_clock: 'foreign',
  resume_clock: 'foreign',
  suspend_player: 'foreign',
  resume_player: 'foreign',
  rename_player: 'foreign',
  announce: 'foreign',
};

/**
 * @param folder data folder of a world with its whole log
 * @throws RecoveryRefused, SnapshotDamaged, LogUnreadable, NoWorld: the first thing that is wrong
 */
export async function readFinishedWorld(folder: string): Promise<FinishedWorld> {
  const store = storeAt(folder);
  const notes = new LogNotes();
  const { engine, replayed } = await watchedReplay(store, notes);
  const { tornTail } = replayed;
  if (tornTail !== undefined) throw new RecoveryRefused(tornTail.firstSeq, 'the newest record is incomplete');
  if (engine.seq === 0) throw new RecoveryRefused(1, 'there is no log');
  // This reads every byte of the snapshots, and compares their states with those of a replay.
  if ((await store.snapshots.list()).length > 0) await verifyWorld(store);
  return notes.finished(engine);
}

/** What the log shows of a player. */
interface Tally {
  readonly name: string;
  readonly keyHash: string;
  accepted: number;
  /** Points at the end of each day of the game. */
  readonly pointsByDay: number[];
  /** Commands by day of the game. */
  readonly byDay: Map<number, number>;
  readonly income: { -readonly [Source in keyof FinishedPlayer['income']]: number };
}

/** Collects what a game has come to while its log is replayed. */
class LogNotes implements Watcher {
  readonly #digest: Hash = createHash('sha256');
  readonly #foreign = new Set<string>();
  /** Indexed by player number. */
  readonly #tallies = new Map<number, Tally>();
  readonly #messages: FinishedMessage[] = [];
  readonly #deals = new DealCounts();
  /** Number of the player who sent the current command. */
  #sender = 0;
  /** The day of the game that ends next, from 1. */
  #nextDay = 1;

  /** Reads the sender before the command is applied, because the command may change the owner of a planet. */
  before(engine: Engine, atMs: number, command: Command): void {
    this.#noteDays(engine, atMs);
    if (PARTS[command.type] === 'command') this.#sender = senderOf(engine.world, command) ?? 0;
  }

  after({ seq, world }: Engine, atMs: number, command: Command, events: readonly WorldEvent[]): void {
    const part = PARTS[command.type];
    this.#digest.update(`${JSON.stringify([seq, atMs, encodeCommand(command)])}\n`);
    if (part === 'foreign') this.#foreign.add(command.type);
    if (part === 'creation') this.#noteCreation(world, command);
    if (part === 'command') this.#noteCommand(world, atMs);
    for (const event of events) {
      this.#noteIncome(event);
      this.#noteMessage(event);
      this.#deals.note(world, event);
    }
  }

  /** @param engine after the last entry */
  finished(engine: Engine): FinishedWorld {
    const { world, seq } = engine;
    const { seed, speedThousandths, systemsPerGalaxy, startMs } = world.settings;
    const players = [...this.#tallies].map(
      ([number, { name, keyHash, accepted, byDay, pointsByDay, income }]): FinishedPlayer => ({
        name,
        playerId: playerId(world, number),
        points: world.players.get(number)?.points ?? 0,
        pointsByDay,
        keyHash,
        acceptedCommands: accepted,
        acceptedCommandsInADay: Math.max(0, ...byDay.values()),
        income,
        deals: this.#deals.of(world, number),
      }),
    );
    return {
      seed,
      speed: speedThousandths / 1000,
      systemsPerGalaxy,
      rules: rulesIdentity(world.rules),
      startedAt: new Date(startMs).toISOString(),
      worldTime: new Date(world.lastEntryMs).toISOString(),
      seq,
      stateHash: engine.stateHash(),
      logDigest: this.#digest.copy().digest('hex'),
      players,
      messages: this.#messages,
      foreignCommands: [...this.#foreign].sort(),
    };
  }

  /** Between two entries no points change, so those before an entry are those at each end of a day before it. */
  #noteDays(engine: Engine, atMs: number): void {
    if (engine.seq === 0) return;
    const { settings, players } = engine.world;
    for (; settings.startMs + this.#nextDay * DAY_MS < atMs; this.#nextDay += 1) {
      for (const [number, { pointsByDay }] of this.#tallies) pointsByDay.push(players.get(number)?.points ?? 0);
    }
  }

  #noteCreation({ players, lastPlayerNumber }: ReadonlyWorld, command: Command): void {
    if (command.type === 'genesis') return;
    const hashes = command.type === 'create_players' ? command.keyHashes : [];
    const firstNumber = this.#tallies.size + 1;
    for (let number = firstNumber; number <= lastPlayerNumber; number += 1) {
      const keyHash = command.type === 'create_player' ? command.keyHash : hashes[number - firstNumber];
      this.#tallies.set(number, {
        name: players.get(number)?.name ?? '',
        keyHash: keyHash ?? '',
        accepted: 0,
        pointsByDay: [],
        byDay: new Map(),
        income: { deliveredUnits: 0, lootUnits: 0, harvestedUnits: 0 },
      });
    }
  }

  #noteCommand({ settings }: ReadonlyWorld, atMs: number): void {
    const tally = this.#tallies.get(this.#sender);
    if (tally === undefined) return;
    const day = Math.floor((atMs - settings.startMs) / DAY_MS);
    tally.accepted += 1;
    tally.byDay.set(day, (tally.byDay.get(day) ?? 0) + 1);
  }

  #noteMessage(event: WorldEvent): void {
    if (event.kind !== 'message_sent' && event.kind !== 'message_broadcast') return;
    const nameOf = (number: number): string => this.#tallies.get(number)?.name ?? '';
    this.#messages.push({
      id: messageId(event.messageNumber),
      at: new Date(event.atMs).toISOString(),
      sender: nameOf(event.playerNumber),
      receiver: event.kind === 'message_sent' ? nameOf(event.receiverNumber) : null,
      text: event.text,
    });
  }

  /** Both sides of a battle receive a report of it. */
  #noteIncome(event: WorldEvent): void {
    const { kind, playerNumber } = event;
    const income = this.#tallies.get(playerNumber)?.income;
    if (income === undefined) return;
    if (kind === 'resources_received' && event.senderNumber !== playerNumber)
      income.deliveredUnits += sum(event.amounts);
    if (kind === 'combat_report' && event.attackerNumber === playerNumber) income.lootUnits += sum(event.loot);
    if (kind === 'field_harvested') income.harvestedUnits += sum(event.amounts);
  }
}

/**
 * @param world before the command, which may change the owner of a planet
 * @returns the number of the player who sends a command; null if no player does
 */
export function senderOf({ planets }: ReadonlyWorld, command: Command): number | null {
  if (PARTS[command.type] !== 'command') return null;
  if ('playerNumber' in command) return command.playerNumber;
  return 'planetKey' in command ? (planets.get(command.planetKey)?.owner.number ?? 0) : 0;
}

/** Looks at the entries of a log. It must not change the engine. */
export interface Watcher {
  /** An entry is about to be applied. Before the first one, the engine has no world. */
  before(engine: Engine, atMs: number, command: Command): void;
  /** The entry was applied and caused these events, in order. A world without events causes none. */
  after(engine: Engine, atMs: number, command: Command, events: readonly WorldEvent[]): void;
}

/**
 * @returns the engine after the last entry, and what was replayed
 * @throws RecoveryRefused, LogUnreadable, NoWorld
 */
export async function watchedReplay(
  store: WorldStore,
  watcher: Watcher,
): Promise<{ readonly engine: Engine; readonly replayed: Replay }> {
  await store.requireWorld();
  const log = await store.openLog();
  const engine = Engine.create();
  try {
    return { engine, replayed: await replay(log, watched(engine, watcher)) };
  } finally {
    await log.close();
  }
}

function watched(engine: Engine, watcher: Watcher): ReplayableEngine {
  const apply = (atMs: number, command: Command, events: WorldEvent[] = []) => {
    const first = events.length;
    watcher.before(engine, atMs, command);
    const outcome = engine.apply(atMs, command, events);
    if (!isRefusal(outcome)) watcher.after(engine, atMs, command, first === 0 ? events : events.slice(first));
    return outcome;
  };
  return {
    get seq() {
      return engine.seq;
    },
    get nowMs() {
      return engine.nowMs;
    },
    get eventReceivers() {
      return engine.eventReceivers;
    },
    nextDeadlineMs: () => engine.nextDeadlineMs(),
    apply: apply as Engine['apply'],
  };
}
