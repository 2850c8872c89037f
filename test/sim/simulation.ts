// One run: a world, its clients, its disk and everything that befalls them, drawn step by step from a seed. After each end of
// a process, what comes back is compared with what was there and with what was promised.
import { decodeCommand } from '../../engine/commands/table.js';
import type { Engine } from '../../engine/engine.js';
import { draw } from '../../engine/random.js';
import { RULES_VERSION } from '../../engine/rules/catalogue.js';
import {
  decodeRecord,
  forEachEntry,
  NO_PREVIOUS_HASH,
  previousHashOf,
  recordHash,
} from '../../persistence/batch-record.js';
import type { ChosenSettings } from '../../persistence/genesis.js';
import { LogStalled, LogWriteFailed } from '../../persistence/log.js';
import { type Recovery, recover } from '../../persistence/recovery.js';
import { RecoveryRefused } from '../../persistence/replay.js';
import { decodeManifest } from '../../persistence/snapshot-codec.js';
import type { SnapshotEvent } from '../../persistence/snapshot-keeper.js';
import { Draws } from '../support/process/draws.js';
import { checkBooks } from './books.js';
import type { Answer, Send } from './front-desk.js';
import { History } from './history.js';
import { Life, type Serving } from './life.js';
import { HONEST_PARTS, type Parts } from './parts.js';
import { chooseMove, type Outcome, PlayerBot } from './player-bot.js';
import { SimulatedDisk } from './simulated-disk.js';
import { SimulatedLog } from './simulated-log.js';
import { SimulatedSnapshots } from './simulated-snapshots.js';
import { Stage } from './stage.js';
import { StepTable } from './steps.js';
import { require, Violation } from './violation.js';
import { quiet } from './virtual-turns.js';

/** What is drawn for a step shares its numbers with nothing else. */
const STEP_SALT = 2_001;
const SPEEDS = [1, 60, 5_000, 100_000];
const BOTS_MAX = 6;
/** Seqs that are gone back to at the end of a run. */
const RESTORES = 3;
/** Turns of an event loop after which something goes round in circles. */
const TURNS_MAX = 100_000;
/** Longest time in which everything comes to rest once nothing goes wrong any more. */
const PEACE_MS = 60_000;

export interface RunOptions {
  readonly seed: number;
  /** Steps from 0 on, or only those that are listed. */
  readonly steps: number | readonly number[];
  readonly parts?: Parts;
  readonly isStoryKept?: boolean;
}

export interface RunResult {
  readonly seed: number;
  /** The steps that were run, the one in which a promise was broken the last, if it was in a step at all. */
  readonly steps: readonly number[];
  /** What promise was broken; undefined where all were kept. */
  readonly violation: string | undefined;
  readonly storyHash: string;
  readonly story: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

export async function run({ seed, steps, parts = HONEST_PARTS, isStoryKept = false }: RunOptions): Promise<RunResult> {
  const simulation = new Simulation(seed, parts, isStoryKept);
  const indexes = typeof steps === 'number' ? Array.from({ length: steps }, (_, index) => index) : [...steps];
  const done: number[] = [];
  let violation: string | undefined;
  try {
    for (const index of indexes) {
      done.push(index);
      await simulation.step(index);
    }
    await simulation.conclude();
  } catch (error) {
    violation = error instanceof Violation ? error.message : String(error instanceof Error ? error.stack : error);
  }
  simulation.stop();
  const { story, counts } = simulation.stage;
  return { seed, steps: done, violation, storyHash: story.hash(), story: story.lines, counts };
}

export class Simulation {
  readonly stage: Stage;
  readonly disk = new SimulatedDisk();
  readonly history = new History();
  readonly bots: readonly PlayerBot[];
  readonly freeSpace = { isLow: false };
  readonly #seed: number;
  readonly #parts: Parts;
  readonly #settings: ChosenSettings;
  readonly #steps: StepTable;
  readonly #requests: Outcome[] = [];
  /** Replies that the network loses, from now on. */
  repliesToLose = 0;
  #life: Life | undefined;
  /** How often the disk had been damaged when the snapshot in progress was begun; -1 where it was damaged then. */
  #damageBefore = 0;

  constructor(seed: number, parts: Parts, isStoryKept: boolean) {
    this.#seed = seed;
    this.#parts = parts;
    this.stage = new Stage(isStoryKept);
    const draws = this.#drawsOf(-1);
    this.stage.draws = draws;
    this.#settings = { seed: draws.below(1_000), speed: draws.pick(SPEEDS), systemsPerGalaxy: draws.between(1, 3) };
    this.bots = Array.from({ length: draws.between(2, BOTS_MAX) }, (_, index) => new PlayerBot(index + 1));
    this.#steps = new StepTable(draws);
    this.stage.tell(`seed ${seed}: speed ${this.#settings.speed}, ${this.bots.length} bots`);
  }

  /** The process; undefined where the machine is off. */
  get life(): Life | undefined {
    return this.#life;
  }

  get serving(): Serving | undefined {
    return this.#life?.serving;
  }

  async step(index: number): Promise<void> {
    this.stage.draws = this.#drawsOf(index);
    this.stage.count('steps');
    if (this.#life === undefined) this.#begin();
    else await this.#steps.run(this, this.stage.draws, index);
    await this.#settle();
  }

  /** No further faults: the world must come back whole, every client must get its answer, and the books must be right. */
  async conclude(): Promise<void> {
    this.stage.draws = this.#drawsOf(-2);
    this.stage.tell('no more faults');
    this.disk.armed.log = undefined;
    this.disk.armed.snapshots = undefined;
    this.disk.mend();
    this.freeSpace.isLow = false;
    this.repliesToLose = 0;
    if (this.#life !== undefined) this.crash();
    await this.#serve();
    await this.#answerEverybody();
    this.#life?.stop();
    for (let waited = 0; this.#life !== undefined && waited < PEACE_MS; waited += 1_000) await this.passTime(1_000);
    require(this.#life === undefined, () => 'the process did not stop');
    require(this.disk.flushedSeq === this.history.lastSeq, () => {
      return `stopped in good order, the log ends at seq ${this.disk.flushedSeq} and the world at ${this.history.lastSeq}`;
    });
    const { engine } = await this.#serve();
    this.stage.count('entries', this.history.lastSeq);
    this.stage.count('timers fired', this.history.firings.length);
    this.#checkSnapshots();
    await this.#checkRestores();
    this.#checkRequests();
    checkBooks(this.history, engine);
  }

  /** Ends everything without a further check. */
  stop(): void {
    this.#life?.end();
  }

  /** Lets time pass; everything that falls due meanwhile runs in its order. */
  async passTime(forMs: number): Promise<void> {
    const untilMs = this.stage.time.elapsedMs() + forMs;
    for (let turn = 0; this.#life !== undefined && this.#life.turns.nextDueMs <= untilMs; turn += 1) {
      require(turn < TURNS_MAX, () => 'the event loop never comes to rest');
      this.stage.time.moveTo(this.#life.turns.nextDueMs);
      await this.turn();
    }
    this.stage.time.moveTo(untilMs);
    await this.#settle();
  }

  /** One turn of the process's event loop, if anything waits for one. */
  async turn(): Promise<void> {
    try {
      this.#life?.turns.run(this.stage.draws);
    } catch (error) {
      if (error instanceof Violation) throw error;
      // As for an exception that nobody catches.
      this.#life?.die(error);
    }
    await this.#settle();
  }

  /** The process does not run while time passes: SIGSTOP, or a suspended machine. */
  async freeze(forMs: number): Promise<void> {
    this.#life?.log.excuse(forMs);
    this.stage.time.moveTo(this.stage.time.elapsedMs() + forMs);
    // What rings late now and what devices have to tell come in the same turn of the loop.
    await this.passTime(0);
  }

  /** The process ends at once, and the machine with it. */
  crash(): void {
    this.stage.count('crashes');
    if (this.#life !== undefined) {
      const { serving, log } = this.#life;
      if (serving === undefined) this.stage.count('crashes in a start');
      if (serving?.keeper.report.isInProgress) this.stage.count('crashes in a snapshot');
      if (log.isPruning) this.stage.count('crashes in a prune');
      if (log.isWriting) this.stage.count('crashes in a write');
      this.#life.end();
    }
    this.#buryLife('crash');
  }

  /** A bot sends its request, or the one whose outcome it does not know again. */
  act(bot: PlayerBot): void {
    const { serving } = this;
    if (serving === undefined || bot.isWaiting) return;
    const isRetry = bot.pending !== undefined;
    const request = bot.send(() => this.#nextRequest(serving));
    this.stage.count(isRetry ? 'retries' : 'requests');
    this.stage.tell(`bot ${bot.number} ${isRetry ? 'repeats' : 'sends'} ${request.number}: ${request.command.type}`);
    this.#handle(
      serving,
      request.number,
      (send) => serving.desk.command(request.command, `request-${request.number}`, send),
      (answer) => {
        this.stage.tell(`bot ${bot.number} hears: ${request.number} ${answer}`);
        bot.hear(request, answer);
      },
      () => bot.loseConnection(),
    );
  }

  /** Somebody looks at a planet. */
  read(): void {
    const { serving } = this;
    if (serving === undefined) return;
    const keys = [...serving.engine.world.planets.values()].map(({ key }) => key);
    if (keys.length === 0) return;
    const key = this.stage.draws.pick(keys);
    this.stage.count('reads');
    this.#handle(
      serving,
      undefined,
      (send) => serving.desk.read(key, send),
      () => {},
      () => {},
    );
  }

  #nextRequest(serving: Serving): Outcome {
    const { world } = serving.engine;
    const number = this.#requests.length + 1;
    const request = { number, command: chooseMove(world, this.stage.draws, number), answer: undefined };
    this.#requests.push(request);
    return request;
  }

  /** @param lose the client learns that it will hear nothing */
  #handle(
    serving: Serving,
    request: number | undefined,
    handle: (send: Send) => void,
    hear: (answer: Answer) => void,
    lose: () => void,
  ): void {
    const life = this.#life;
    const send: Send = (answer, seq) => {
      require(life === this.#life && life?.isOver === false, () => `a reply left a process that was over`);
      require(seq <= this.disk.flushedSeq, () => {
        return `the reply "${answer}" left at seq ${seq}, while the disk was at ${this.disk.flushedSeq}`;
      });
      this.history.promise(seq);
      this.stage.count(`replies: ${answer}`);
      if (this.repliesToLose > 0) {
        this.repliesToLose -= 1;
        this.stage.count('fault: reply lost');
        lose();
      } else hear(answer);
    };
    serving.witness.request = request;
    try {
      handle(send);
    } catch (error) {
      if (error instanceof Violation) throw error;
      this.#life?.die(error);
    }
    serving.witness.request = undefined;
    const { engine } = serving;
    if (!this.#life?.isOver && this.stage.draws.oneIn(4)) this.history.noteHash(engine.seq, engine.stateHash());
  }

  #begin(): void {
    const { stage, disk, history, freeSpace } = this;
    stage.tell('the process starts');
    stage.count('starts');
    this.#life = new Life({
      stage,
      disk,
      history,
      parts: this.#parts,
      settings: this.#settings,
      freeSpace,
      onRecovered: (engine, recovery) => this.#checkRecovered(engine, recovery),
      onSnapshotEvent: (event) => this.#hearOfSnapshot(event),
    });
  }

  /** Lets promises settle, and looks whether the process is still there and still ought to be. */
  async #settle(): Promise<void> {
    await quiet();
    const life = this.#life;
    if (life === undefined) return;
    if (life.isOver) {
      this.#checkEnd(life.reason);
      this.#buryLife('end');
    } else {
      require(!life.turns.isIdle || !life.log.mustBeOver(this.stage.time.elapsedMs()), () => {
        return 'the process goes on after a write that failed or hangs';
      });
    }
  }

  #buryLife(how: 'crash' | 'end'): void {
    const fate = this.disk.crash(this.stage.draws);
    this.stage.tell(`${how}; of the log: ${fate}`);
    this.stage.count(`at an end: ${fate}`);
    this.#life = undefined;
    for (const bot of this.bots) bot.loseConnection();
  }

  /** @param reason why the process ended by itself; undefined where it was asked to */
  #checkEnd(reason: unknown): void {
    if (reason === undefined) {
      this.stage.tell('stopped in good order');
      this.stage.count('stops');
      return;
    }
    this.stage.tell(`the process ends itself: ${String(reason)}`);
    if (reason instanceof Violation) throw reason;
    if (reason instanceof RecoveryRefused && this.#isRefusedForDamage(reason)) return;
    const isExpected = (reason instanceof LogWriteFailed || reason instanceof LogStalled) && this.#life?.log.isFaulty;
    if (!isExpected) throw reason;
    this.stage.count('ended itself after a failed write');
  }

  #isRefusedForDamage({ seq }: RecoveryRefused): boolean {
    const { refusalSeq } = this.disk;
    if (refusalSeq === undefined) return false;
    require(seq === refusalSeq, () => `recovery was refused at seq ${seq}, while the damage is at ${refusalSeq}`);
    this.stage.count('damage refused');
    this.stage.tell('the operator puts back what was damaged');
    this.disk.mend();
    return true;
  }

  /** What recovery has made of the disk, against what was there and what was promised. */
  #checkRecovered(engine: Engine, recovery: Recovery): void {
    const { history, stage } = this;
    const { seq } = engine;
    const { snapshot, damagedSnapshots } = recovery;
    stage.count('recoveries');
    if (snapshot !== null) stage.count('recoveries from a snapshot');
    stage.count('damaged snapshots passed over', damagedSnapshots.length);
    stage.tell(`recovered up to seq ${seq} of ${history.lastSeq}, promised ${history.promisedSeq}`);
    require(this.disk.refusalSeq === undefined, () => `damage at seq ${this.disk.refusalSeq} was served`);
    const newestSound = this.disk.soundSnapshotSeqs.at(-1) ?? null;
    require((snapshot?.seq ?? null) === newestSound, () => {
      return `recovery began with the snapshot at seq ${snapshot?.seq}, and not with the one at ${newestSound}`;
    });
    require(seq >= history.promisedSeq, () => `seq ${history.promisedSeq} was promised, and recovery ends at ${seq}`);
    require(seq <= history.lastSeq, () => `recovery ends at seq ${seq}, and only ${history.lastSeq} were submitted`);
    if (seq > 0) {
      const [expected, found] = [history.hashAt(seq), engine.stateHash()];
      require(found === expected, () =>
        `at seq ${seq} the recovered world is ${found} and the live one was ${expected}`);
    }
    const [last, next] = [history.entry(seq)?.request, history.entry(seq + 1)?.request];
    require(last === undefined || last !== next, () => `request ${last} survived in part, up to seq ${seq}`);
    stage.count('entries lost unpromised', history.lastSeq - seq);
    history.forgetBehind(seq);
    this.#checkLog(seq);
  }

  /** What the log holds is what was submitted, in the same order and without a gap; damage that did not matter is passed over. */
  #checkLog(untilSeq: number): void {
    const [first] = this.disk.records;
    let previousHash: Uint8Array = first && first.firstSeq > 1 ? previousHashOf(first.written) : NO_PREVIOUS_HASH;
    let seq = (this.disk.segments[0]?.firstSeq ?? 1) - 1;
    for (const { firstSeq, written } of this.disk.records) {
      if (firstSeq > untilSeq) break;
      const record = decodeRecord(written, {
        firstSeq: seq + 1,
        previousHash,
        rulesVersions: new Set([RULES_VERSION]),
      });
      require(typeof record !== 'string', () =>
        `the record at seq ${firstSeq} was served, but is not sound: ${record}`);
      forEachEntry(record, (atMs, row) => {
        seq += 1;
        const entry = this.history.entry(seq);
        const [stored, submitted] = [JSON.stringify([atMs, row]), JSON.stringify([entry?.atMs, entry?.row])];
        require(stored === submitted, () => `seq ${seq} was submitted as ${submitted} and stored as ${stored}`);
      });
      previousHash = recordHash(written);
    }
    require(seq === untilSeq, () => `the log holds entries up to seq ${seq}, and recovery ends at ${untilSeq}`);
  }

  /** Somebody asks for a snapshot, as the schedule or an operator does. */
  takeSnapshot(): boolean {
    const life = this.#life;
    const keeper = life?.serving?.keeper;
    if (life === undefined || keeper === undefined || life.isStopping) return false;
    this.stage.count('snapshots asked for');
    if (!keeper.report.isInProgress) this.#damageBefore = this.disk.isDamaged ? -1 : this.disk.damageCount;
    keeper.take().catch((error: unknown) => {
      if (error instanceof Violation) this.#life?.die(error);
    });
    return true;
  }

  #hearOfSnapshot(event: SnapshotEvent): void {
    const { stage } = this;
    if (event.type === 'snapshot_taken') {
      stage.count('snapshots taken');
      stage.tell(`a snapshot of seq ${event.taken.manifest.seq}, from the one of ${event.taken.basisSeq}`);
    } else if (event.type === 'snapshot_failed') {
      stage.count('snapshots failed');
      stage.tell(`no snapshot: ${event.message}`);
      const life = this.#life;
      const hasReason =
        life?.taker.hadReason || life?.isStopping || life?.log.isFaulty || this.#damageBefore !== this.disk.damageCount;
      if (!hasReason) life?.die(new Violation(`a snapshot failed without a reason: ${event.message}`));
    } else stage.count(event.type);
  }

  /** Every snapshot that says it is whole is the world at its seq, and two of them cover what is pruned. */
  #checkSnapshots(): void {
    const { disk, history } = this;
    for (const [seq, { written }] of disk.snapshots) {
      const manifest = written.manifest === undefined ? undefined : decodeManifest(written.manifest, seq);
      require(typeof manifest === 'object', () => `the snapshot at seq ${seq} was finished without a sound manifest`);
      const expected = history.hashAt(seq);
      require(manifest.stateHash === expected, () => {
        return `the snapshot at seq ${seq} holds the world ${manifest.stateHash}, and it was ${expected}`;
      });
    }
  }

  /** Any seq that is covered can be gone back to, and any snapshot can be begun with. */
  async #checkRestores(): Promise<void> {
    const { disk, history, stage } = this;
    const device = async (): Promise<void> => {};
    const log = this.#parts.log(new SimulatedLog(disk, device, stage));
    const snapshots = this.#parts.snapshots(new SimulatedSnapshots(disk, device, stage));
    const rulesVersions = new Set([RULES_VERSION]);
    const seqs = disk.soundSnapshotSeqs;
    const firstSeq = log.firstSeq === 1 ? 1 : (seqs[0] ?? history.lastSeq);
    for (let restored = 0; restored < RESTORES; restored += 1) {
      const seq = stage.draws.between(firstSeq, history.lastSeq);
      const { engine } = await recover(log, snapshots, { rulesVersions, until: { seq } });
      require(engine.stateHash() === history.replay(seq).stateHash(), () =>
        `restored to seq ${seq}, it is another world`);
      stage.count('restores');
    }
    for (const seq of seqs) {
      const { engine } = await recover(log, snapshots, { rulesVersions, fromSnapshot: seq });
      require(engine.stateHash() === history.hashAt(history.lastSeq), () =>
        `from the snapshot at seq ${seq}, it is another world`);
      stage.count('recoveries from each snapshot');
    }
  }

  async #serve(): Promise<Serving> {
    for (let waitedMs = 0; this.serving === undefined && waitedMs < PEACE_MS; waitedMs += 1_000) {
      if (this.#life === undefined) this.#begin();
      await this.passTime(1_000);
    }
    const { serving } = this;
    require(serving !== undefined, () => 'the process does not come to serve');
    return serving;
  }

  async #answerEverybody(): Promise<void> {
    for (let round = 0; round < 10; round += 1) {
      for (const bot of this.bots) if (bot.pending !== undefined) this.act(bot);
      await this.passTime(1_000);
    }
    for (const bot of this.bots) {
      require(bot.pending === undefined, () => `request ${bot.pending?.number} of bot ${bot.number} gets no answer`);
    }
  }

  /** What clients were told, against what has happened. */
  #checkRequests(): void {
    const effects = new Map<number, number>();
    for (const { request, row } of this.history.entries) {
      if (request !== undefined && decodeCommand(row).type !== 'keep_reply')
        effects.set(request, (effects.get(request) ?? 0) + 1);
    }
    for (const { number, answer, command } of this.#requests) {
      const times = effects.get(number) ?? 0;
      require(times <= 1, () => `request ${number} (${command.type}) took effect ${times} times`);
      const isWrong = (answer === 'accepted' && times === 0) || (answer === 'refused' && times > 0);
      require(!isWrong, () => `request ${number} (${command.type}) was ${answer} and took effect ${times} times`);
    }
  }

  #drawsOf(index: number): Draws {
    return new Draws(draw(this.#seed, index + 2, STEP_SALT));
  }
}
