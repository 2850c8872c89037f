// Reads the log of a finished game from its genesis, for `galaxyd tournament` and its verification: applies every entry, and notes
// what the log says about the game. It changes nothing on disk.
import { createHash, type Hash } from 'node:crypto';
import type { SealedPlayer, SealedWorld } from '../arena/tournament/sealed-world.js';
import type { Genesis } from '../engine/commands/genesis.js';
import { type Command, encodeCommand } from '../engine/commands/table.js';
import { Engine } from '../engine/engine.js';
import type { WorldEvent } from '../engine/events/kinds.js';
import { playerId } from '../engine/ids.js';
import { isRefusal } from '../engine/rejections.js';
import { RecoveryRefused, replay } from '../persistence/recovery/replay.js';
import type { ReplayableEngine } from '../persistence/recovery/replayable-engine.js';
import { rulesIdentity } from '../persistence/rules-identity.js';
import { storeAt } from '../persistence/store-url.js';
import { verifyWorld } from '../persistence/upkeep/verify.js';

const MS_PER_DAY = 24 * 3_600_000;

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
  colonize_planet: 'foreign',
  grant_resources: 'foreign',
  keep_reply: 'foreign',
  switch_rules: 'foreign',
  retire_players: 'foreign',
  begin_events: 'foreign',
};

/**
 * @param folder data folder of a world that is kept whole
 * @throws RecoveryRefused, SnapshotDamaged, LogUnreadable, NoWorld: the first thing that is wrong
 */
export async function sealWorld(folder: string): Promise<SealedWorld> {
  const store = storeAt(folder);
  await store.requireWorld();
  const log = await store.openLog();
  const witness = new Witness();
  try {
    const { tornTail } = await replay(log, witness);
    if (tornTail !== undefined) throw new RecoveryRefused(tornTail.firstSeq, 'the newest record is incomplete');
    if (witness.seq === 0) throw new RecoveryRefused(1, 'there is no log');
  } finally {
    await log.close();
  }
  // Their states are compared with those of a replay, and every byte of them is read.
  if ((await store.snapshots.list()).length > 0) await verifyWorld(store);
  return witness.sealed();
}

/** A player, as the log tells of it. */
interface Tally {
  readonly name: string;
  readonly keyHash: string;
  accepted: number;
  /** Commands by day of the game. */
  readonly byDay: Map<number, number>;
}

/** An engine that notes what is applied to it. */
class Witness implements ReplayableEngine {
  readonly #engine = Engine.create();
  readonly #digest: Hash = createHash('sha256');
  readonly #foreign = new Set<string>();
  /** By player number. */
  readonly #tallies = new Map<number, Tally>();

  get seq(): number {
    return this.#engine.seq;
  }

  get nowMs(): number {
    return this.#engine.nowMs;
  }

  get eventReceivers(): readonly number[] {
    return this.#engine.eventReceivers;
  }

  nextDeadlineMs(): number {
    return this.#engine.nextDeadlineMs();
  }

  apply: Engine['apply'] = ((atMs: number, command: Command, events?: WorldEvent[]) => {
    const part = PARTS[command.type];
    // Read before: the command may change the owner.
    const number = part === 'command' ? this.#senderOf(command) : 0;
    const outcome = this.#engine.apply(atMs, command, events);
    if (isRefusal(outcome)) return outcome;
    this.#digest.update(`${JSON.stringify([this.#engine.seq, atMs, encodeCommand(command)])}\n`);
    if (part === 'foreign') this.#foreign.add(command.type);
    if (part === 'creation') this.#noteCreation(command);
    if (part === 'command') this.#noteCommand(number, atMs);
    return outcome;
  }) as Engine['apply'];

  sealed(): SealedWorld {
    const { world, seq } = this.#engine;
    const { seed, speedThousandths, systemsPerGalaxy, startMs } = world.settings;
    const players = [...this.#tallies].map(
      ([number, { name, keyHash, accepted, byDay }]): SealedPlayer => ({
        name,
        playerId: playerId(number),
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
      rulesDigest: rulesIdentity(world.rules).digest,
      startedAt: new Date(startMs).toISOString(),
      worldTime: new Date(world.lastEntryMs).toISOString(),
      seq,
      stateHash: this.#engine.stateHash(),
      logDigest: this.#digest.copy().digest('hex'),
      players,
      foreignCommands: [...this.#foreign].sort(),
    };
  }

  /** @returns the number of the player that sent it */
  #senderOf(command: Command): number {
    if ('playerNumber' in command) return command.playerNumber;
    return 'planetKey' in command ? (this.#engine.world.planets.get(command.planetKey)?.owner.number ?? 0) : 0;
  }

  #noteCreation(command: Exclude<Command, Genesis> | Genesis): void {
    if (command.type === 'genesis') return;
    const { players, lastPlayerNumber } = this.#engine.world;
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

  #noteCommand(number: number, atMs: number): void {
    const tally = this.#tallies.get(number);
    if (tally === undefined) return;
    const day = Math.floor((atMs - this.#engine.world.settings.startMs) / MS_PER_DAY);
    tally.accepted += 1;
    tally.byDay.set(day, (tally.byDay.get(day) ?? 0) + 1);
  }
}
