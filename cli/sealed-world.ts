// Reads the log of a finished game from its genesis, for `galaxyd tournament` and its verification: applies every entry, and notes
// what the log says about the game. It changes nothing on disk.
import { createHash, type Hash } from 'node:crypto';
import type { SealedPlayer, SealedWorld } from '../arena/tournament/sealed-world.js';
import { type Command, encodeCommand } from '../engine/commands/table.js';
import type { Engine } from '../engine/engine.js';
import { playerId } from '../engine/terms/ids.js';
import type { ReadonlyWorld } from '../engine/world/state.js';
import { DAY_MS } from '../http/turns/turn-game.js';
import { RecoveryRefused } from '../persistence/recovery/replay.js';
import { rulesIdentity } from '../persistence/rules/stored-rules.js';
import { storeAt } from '../persistence/store-url.js';
import { verifyWorld } from '../persistence/upkeep/verify.js';
import { type Watcher, watchedReplay } from './watched-replay.js';

/** What an entry of the log is in a game. */
type Part = 'passage' | 'creation' | 'command' | 'foreign';

/** Every kind of entry: what entrants do themselves are commands, what only an operator can do has no place in a game. */
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
  rotate_key: 'command',
  revoke_keys: 'command',
  create_second_starter: 'command',
  put_plan: 'command',
  colonize_planet: 'foreign',
  grant_resources: 'foreign',
  keep_reply: 'foreign',
  switch_rules: 'foreign',
  retire_players: 'foreign',
};

/**
 * @param folder data folder of a world that is kept whole
 * @throws RecoveryRefused, SnapshotDamaged, LogUnreadable, NoWorld: the first thing that is wrong
 */
export async function sealWorld(folder: string): Promise<SealedWorld> {
  const store = storeAt(folder);
  const notes = new LogNotes();
  const { engine, replayed } = await watchedReplay(store, notes);
  const { tornTail } = replayed;
  if (tornTail !== undefined) throw new RecoveryRefused(tornTail.firstSeq, 'the newest record is incomplete');
  if (engine.seq === 0) throw new RecoveryRefused(1, 'there is no log');
  // Their states are compared with those of a replay, and every byte of them is read.
  if ((await store.snapshots.list()).length > 0) await verifyWorld(store);
  return notes.sealed(engine);
}

/** A player, as the log shows it. */
interface Tally {
  readonly name: string;
  readonly keyHash: string;
  accepted: number;
  /** Commands by day of the game. */
  readonly byDay: Map<number, number>;
}

/** Notes what is applied. */
class LogNotes implements Watcher {
  readonly #digest: Hash = createHash('sha256');
  readonly #foreign = new Set<string>();
  /** By player number. */
  readonly #tallies = new Map<number, Tally>();
  /** Number of the player that sent the present command. */
  #sender = 0;

  /** The sender is read before, because the command may change the owner of a planet. */
  before(engine: Engine, _atMs: number, command: Command): void {
    if (PARTS[command.type] === 'command') this.#sender = senderOf(engine.world, command);
  }

  after({ seq, world }: Engine, atMs: number, command: Command): void {
    const part = PARTS[command.type];
    this.#digest.update(`${JSON.stringify([seq, atMs, encodeCommand(command)])}\n`);
    if (part === 'foreign') this.#foreign.add(command.type);
    if (part === 'creation') this.#noteCreation(world, command);
    if (part === 'command') this.#noteCommand(world, atMs);
  }

  /** @param engine after the last entry */
  sealed(engine: Engine): SealedWorld {
    const { world, seq } = engine;
    const { seed, speedThousandths, systemsPerGalaxy, startMs } = world.settings;
    const players = [...this.#tallies].map(
      ([number, { name, keyHash, accepted, byDay }]): SealedPlayer => ({
        name,
        playerId: playerId(world, number),
        points: world.players[number]?.points ?? 0,
        keyHash,
        acceptedCommands: accepted,
        acceptedCommandsInADay: Math.max(0, ...byDay.values()),
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
      foreignCommands: [...this.#foreign].sort(),
    };
  }

  #noteCreation({ players, lastPlayerNumber }: ReadonlyWorld, command: Command): void {
    if (command.type === 'genesis') return;
    const hashes = command.type === 'create_players' ? command.keyHashes : [];
    const firstNumber = this.#tallies.size + 1;
    for (let number = firstNumber; number <= lastPlayerNumber; number += 1) {
      const keyHash = command.type === 'create_player' ? command.keyHash : hashes[number - firstNumber];
      this.#tallies.set(number, {
        name: players[number]?.name ?? '',
        keyHash: keyHash ?? '',
        accepted: 0,
        byDay: new Map(),
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
}

/** @returns the number of the player that sends a command */
function senderOf({ planets }: ReadonlyWorld, command: Command): number {
  if ('playerNumber' in command) return command.playerNumber;
  return 'planetKey' in command ? (planets.get(command.planetKey)?.owner.number ?? 0) : 0;
}
