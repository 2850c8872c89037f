// All clients of the simulated server: bots that play, and a reader. It records their replies, and compares them with
// the history at the end.
import { decodeCommand, type WorldCommand } from '../../engine/commands/table.js';
import type { Engine } from '../../engine/engine.js';
import type { ReadonlyFleet } from '../../engine/state.js';
import type { Answer, Send } from './front-desk.js';
import type { History } from './history.js';
import type { Serving } from './life.js';
import { chooseMove, PlayerBot, type PlayerRequest } from './player-bot.js';
import type { Simulation } from './simulation.js';
import { require, Violation } from './violation.js';

const BOTS_MAX = 6;
const BATCH_MAX = 4;
/** Rounds in which every bot gets an answer once there are no more faults. */
const PEACEFUL_ROUNDS = 10;
/** Maximum time by which a manual clock is moved. */
const ADVANCE_MS_MAX = 20 * 60_000;
/** One in this many requests has a key that others have used. */
const REQUESTS_PER_WORN_KEY = 4;
/** Number of keys that are used over and over. */
const WORN_KEYS = 3;
/** All but one of this many requests arrive once more if they took effect, as from a proxy that repeats them. */
const REQUESTS_PER_SINGLE = 4;
/** After one in this many requests the hash of the live world is recorded. */
const REQUESTS_PER_HASH = 4;

export class Clients {
  readonly #simulation: Simulation;
  readonly #bots: readonly PlayerBot[];
  readonly #requests: PlayerRequest[] = [];
  /** Replies that the network loses, from now on. */
  #repliesToLose = 0;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    const botCount = simulation.stage.draws.between(2, BOTS_MAX);
    this.#bots = Array.from({ length: botCount }, (_, index) => new PlayerBot(index + 1));
  }

  /** An idle bot sends a new request, or repeats the one of unknown outcome. @returns whether one did */
  act(): boolean {
    const { serving, stage } = this.#simulation;
    const free = this.#bots.filter(({ isWaiting }) => !isWaiting);
    if (serving === undefined || free.length === 0) return false;
    this.#send(stage.draws.pick(free), serving);
    return true;
  }

  /** An idle bot sends a command. @returns whether there is such a bot */
  command(command: WorldCommand, key?: string): boolean {
    return this.batch([command], key);
  }

  /** The same with several commands in one request. */
  batch(commands: readonly WorldCommand[], key = this.#ownKey()): boolean {
    const { serving } = this.#simulation;
    const idle = this.#bots.find(({ isWaiting, pending }) => !isWaiting && pending === undefined);
    if (serving === undefined || idle === undefined) return false;
    this.#send(idle, serving, () => this.#request(commands, 0, key));
    return true;
  }

  /** The key that a fleet was launched with: it belongs to its owner and is used. */
  keyOfLaunch({ targetKey }: ReadonlyFleet): string | undefined {
    return this.#requests.findLast(({ commands: [command] }) => {
      return command?.type === 'launch_fleet' && command.targetKey === targetKey;
    })?.key;
  }

  /** Reads a planet. @returns whether there is one */
  look(): boolean {
    const { serving, stage } = this.#simulation;
    const planets = [...(serving?.engine.world.planets.values() ?? [])];
    if (serving === undefined || planets.length === 0) return false;
    const { key } = stage.draws.pick(planets);
    stage.count('reads');
    this.#talk(serving, undefined, (send) => serving.desk.read(key, send));
    return true;
  }

  loseReplies(count: number): void {
    this.#repliesToLose += count;
  }

  loseConnections(): void {
    for (const bot of this.#bots) bot.loseConnection();
  }

  /** Every bot asks until it has an answer; no more replies are lost. */
  async getAnswers(): Promise<void> {
    this.#repliesToLose = 0;
    for (let round = 0; round < PEACEFUL_ROUNDS; round += 1) {
      const { serving } = this.#simulation;
      for (const bot of this.#bots) if (bot.pending !== undefined && serving) this.#send(bot, serving);
      await this.#simulation.passTime(1_000);
    }
    for (const { pending, number } of this.#bots) {
      require(pending === undefined, () => `request ${pending?.number} of bot ${number} gets no answer`);
    }
  }

  /** Compares the replies with what has happened. */
  check(engine: Engine): void {
    const { history, clockKind } = this.#simulation;
    checkAnswers(history, this.#requests, clockKind === 'manual' ? engine : undefined);
  }

  #send(bot: PlayerBot, serving: Serving, next = () => this.#nextRequest(serving)): void {
    const { stage } = this.#simulation;
    if (bot.isWaiting) return;
    const isRetry = bot.pending !== undefined;
    const request = bot.send(next);
    const { number, commands } = request;
    stage.count(isRetry ? 'retries' : 'requests');
    const words =
      commands.length > BATCH_MAX ? `${commands.length} commands` : commands.map(({ type }) => type).join(', ');
    stage.tell(`bot ${bot.number} ${isRetry ? 'repeats' : 'sends'} ${number}: ${words || 'the clock moves'}`);
    const heard = (answer: Answer | undefined): void => {
      stage.tell(`bot ${bot.number} hears: ${number} ${answer?.kind ?? 'nothing'}`);
      if (answer === undefined) bot.loseConnection();
      else bot.hear(request, answer);
    };
    this.#talk(serving, number, (send) => serving.desk.post(request, send), heard);
    if (!stage.draws.oneIn(REQUESTS_PER_SINGLE)) this.#repeat(request, serving);
  }

  /** A request that took effect must not do so again, and must not be denied. */
  #repeat(request: PlayerRequest, serving: Serving): void {
    const { history, life, stage } = this.#simulation;
    const { number } = request;
    if (life?.isOver !== false || history.entry(history.lastSeq)?.request !== number) return;
    stage.count('requests that arrive twice');
    this.#talk(
      serving,
      number,
      (send) => serving.desk.post(request, send),
      (answer) => {
        if (answer === undefined) return;
        const { kind } = answer;
        require(kind === 'replayed' || kind === 'turned away', () =>
          `request ${number} took effect, and again it is ${kind}`);
      },
    );
  }

  #nextRequest({ engine: { world }, sequencer }: Serving): PlayerRequest {
    const { draws } = this.#simulation.stage;
    const number = this.#requests.length + 1;
    const length = draws.oneIn(8) ? draws.between(2, BATCH_MAX) : 1;
    const moves = Array.from({ length }, (_, index) => chooseMove(world, draws, `player-${number}-${index}`));
    const isManual = this.#simulation.clockKind === 'manual';
    const untilNextMs = Math.min(world.timers.nextDeadlineMs - sequencer.nowMs, ADVANCE_MS_MAX);
    const advanceMs = isManual && draws.oneIn(3) ? draws.pick([1, draws.between(1, ADVANCE_MS_MAX), untilNextMs]) : 0;
    // A request of its own moves the clock, or the first part of a batch does.
    const commands = advanceMs > 0 && length === 1 ? [] : moves;
    return this.#request(commands, advanceMs, draws.oneIn(REQUESTS_PER_WORN_KEY) ? this.#wornKey() : this.#ownKey());
  }

  #request(commands: readonly WorldCommand[], advanceMs: number, key: string): PlayerRequest {
    const request = { number: this.#requests.length + 1, key, commands, advanceMs, answer: undefined };
    this.#requests.push(request);
    return request;
  }

  #ownKey(): string {
    return `own-${this.#requests.length + 1}`;
  }

  #wornKey(): string {
    return `worn-${this.#simulation.stage.draws.below(WORN_KEYS)}`;
  }

  /**
   * Has the server handle a request.
   *
   * @param heard called with the answer, or without one if there will be none
   */
  #talk(
    serving: Serving,
    request: number | undefined,
    handle: (send: Send) => void,
    heard: (answer: Answer | undefined) => void = () => {},
  ): void {
    const { life, history, stage } = this.#simulation;
    const { engine, witness } = serving;
    witness.request = request;
    try {
      handle((answer, seq) => this.#carry(serving, answer, seq, heard));
    } catch (error) {
      if (error instanceof Violation) throw error;
      life?.die(error);
    }
    witness.request = undefined;
    if (life?.isOver === false && stage.draws.oneIn(REQUESTS_PER_HASH))
      history.noteHash(engine.seq, engine.stateHash());
  }

  /** A reply leaves the server. */
  #carry(from: Serving, answer: Answer, seq: number, heard: (answer: Answer | undefined) => void): void {
    const { serving, disk, history, stage, durability } = this.#simulation;
    require(from === serving, () => 'a reply left a process that was over');
    if (durability === 'durable') {
      require(seq <= disk.flushedSeq, () => {
        return `the reply "${answer.kind}" left at seq ${seq}, while the disk was at ${disk.flushedSeq}`;
      });
      history.promise(seq);
    }
    stage.count(`replies: ${answer.kind}`);
    if (this.#repliesToLose > 0) {
      this.#repliesToLose -= 1;
      stage.count('fault: reply lost');
      heard(undefined);
    } else heard(answer);
  }
}

/**
 * Compares what clients were told with what has happened: each request took effect as often as its client was told.
 *
 * @param clocked the world, if its clock is manual: it stands where clients have moved it
 */
export function checkAnswers(history: History, requests: readonly PlayerRequest[], clocked: Engine | undefined): void {
  const effects = new Map<number | undefined, number[]>();
  let lastRetirementSeq = 0;
  for (const [index, { request, row }] of history.entries.entries()) {
    const { type } = decodeCommand(row);
    if (type === 'retire_players') lastRetirementSeq = index + 1;
    if (type === 'keep_reply') continue;
    effects.set(request, [...(effects.get(request) ?? []), index + 1]);
  }
  for (const { number, answer } of requests) {
    const seqs = effects.get(number) ?? [];
    const [told, found] = [answer?.seqs.join(), seqs.join()];
    // The kept replies of a player are dropped with it: a repetition after that is a new request.
    const isAnew = told === seqs.filter((seq) => seq > lastRetirementSeq).join();
    require(told === found || isAnew, () =>
      `request ${number}: ${answer?.kind} with effects "${told}", it had "${found}"`);
  }
  if (clocked !== undefined) checkClock(requests, clocked);
}

/** Checks that a manual clock has moved as far as the operator was told, and no further. */
function checkClock(requests: readonly PlayerRequest[], { world, nowMs }: Engine): void {
  const moved = requests.filter(({ answer }) => answer?.kind === 'accepted' || answer?.kind === 'replayed');
  const toldMs = moved.reduce((sum, { advanceMs }) => sum + advanceMs, world.settings.startMs);
  require(nowMs === toldMs, () => `the clock stands at ${nowMs}, and was moved to ${toldMs}`);
}
