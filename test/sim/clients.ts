// The clients of a world: bots that send commands to any process, follow it to the leader, and repeat what has no answer with the
// same key; and that read from any process what they must have seen. Each reply is checked as it leaves, and all of them at the end.
import { decodeCommand, type WorldCommand } from '../../engine/commands/table.js';
import type { Engine } from '../../engine/engine.js';
import type { ReadonlyFleet } from '../../engine/world/state.js';
import type { Draws } from '../support/process/draws.js';
import { chooseMove } from './moves.js';
import { PlayerBot, type PlayerRequest } from './player-bot.js';
import type { Serving, SimulatedProcess } from './process.js';
import type { Answer, Send } from './request-handler.js';
import type { Truth } from './truth.js';
import { require } from './violation.js';
import type { SimulatedWorld } from './world.js';

const BOTS_MAX = 5;
const BATCH_MAX = 4;
/** One in this many requests has a key that others have used, and the number of such keys. */
const REQUESTS_PER_WORN_KEY = 4;
const WORN_KEYS = 3;
/** All but one of this many requests arrive once more if they took effect, as from a proxy that repeats them. */
const REQUESTS_PER_SINGLE = 4;
/** Maximum time by which a manual clock is moved. */
const ADVANCE_MS_MAX = 20 * 60_000;
/** What reading the clock within a turn may add to the time for which a leader may answer. */
const TURN_MS = 20;

/** The world that they play in. */
export interface PlayedWorld extends SimulatedWorld {
  /** Those that live. */
  readonly processes: readonly SimulatedProcess[];
  readonly leader: SimulatedProcess | undefined;
  /** A request takes less than this to a process. */
  readonly travelMs: number;
}

interface Bot {
  readonly player: PlayerBot;
  /** Where it believes the leader to be. */
  leaderUrl: string | null;
  /** The newest `x-world-seq` that it has seen. */
  minSeq: number;
  /** Its connection; replies over an older one do not reach it. */
  connection: number;
  process: SimulatedProcess | undefined;
}

/** What is known when a request begins. */
interface Start {
  readonly process: SimulatedProcess;
  /** Everything up to here was acknowledged by then. */
  readonly acknowledgedSeq: number;
}

export class Clients {
  readonly #world: PlayedWorld;
  readonly #bots: readonly Bot[];
  readonly #requests: PlayerRequest[] = [];
  #repliesToLose = 0;
  #deniedCount = 0;
  /** The newest seq that any client was told of. */
  #acknowledgedSeq = 0;
  /** The newest epoch under which a leader has answered. */
  #answeredEpoch = 0;

  constructor(world: PlayedWorld) {
    this.#world = world;
    const count = world.stage.draws.between(2, BOTS_MAX);
    this.#bots = Array.from({ length: count }, (_, index) => {
      const player = new PlayerBot(index + 1);
      return { player, leaderUrl: null, minSeq: 0, connection: 0, process: undefined };
    });
  }

  /** Commands that were refused because nobody leads, as far as the process knew. */
  get deniedCount(): number {
    return this.#deniedCount;
  }

  /** Requests without an answer. */
  get pendingCount(): number {
    return this.#bots.filter(({ player }) => player.pending !== undefined).length;
  }

  /** A bot that waits for nothing sends a request, or repeats one. @returns whether one did */
  act(processes = this.#world.processes): boolean {
    const { stage, truth } = this.#world;
    const free = this.#bots.filter(({ player }) => !player.isWaiting);
    if (free.length === 0 || !processes.some(({ serving }) => serving) || !truth.hasBegun) return false;
    this.#send(stage.draws.pick(free), processes);
    return true;
  }

  /** An idle bot sends a command to the leader. @returns whether there are both */
  command(command: WorldCommand, key?: string): boolean {
    return this.batch([command], key);
  }

  /** The same with several commands in one request. */
  batch(commands: readonly WorldCommand[], key = this.#ownKey()): boolean {
    const { leader } = this.#world;
    const idle = this.#bots.find(({ player }) => !player.isWaiting && player.pending === undefined);
    if (leader === undefined || idle === undefined) return false;
    this.#send(idle, [leader], () => this.#request(commands, 0, key));
    return true;
  }

  /** The key that a fleet was launched with: it belongs to its owner and is used. */
  keyOfLaunch({ targetKey }: ReadonlyFleet): string | undefined {
    return this.#requests.findLast(({ commands: [command] }) => {
      return command?.type === 'launch_fleet' && command.targetKey === targetKey;
    })?.key;
  }

  /** Every bot that has no answer yet asks again. */
  insist(): void {
    const { processes } = this.#world;
    if (processes.length === 0) return;
    for (const bot of this.#bots) {
      if (bot.player.pending !== undefined && !bot.player.isWaiting) this.#send(bot, processes);
    }
  }

  /** A bot reads a planet from any process. @returns whether it could */
  look(): boolean {
    const { stage, truth, processes } = this.#world;
    if (!truth.hasBegun) return false;
    const planets = [...truth.engine.world.planets.values()].map(({ key }) => key);
    if (planets.length === 0 || processes.length === 0) return false;
    const bot = stage.draws.pick(this.#bots);
    const process = stage.draws.pick(processes);
    const planetKey = stage.draws.pick(planets);
    const { minSeq } = bot;
    const start = this.#startAt(process);
    stage.count('reads');
    this.#deliver(process, (serving) => {
      serving.handler.receive({
        use: 'state',
        minSeq,
        handle: () => this.#read(bot, serving, start, planetKey, minSeq),
        refuse: (why) => stage.count(`reads sent away: ${why}`),
      });
    });
    return true;
  }

  #read(bot: Bot, serving: Serving, start: Start, planetKey: number, minSeq: number): void {
    const { handler, sequencer, engine } = serving;
    const send = this.#sending(start, (answer) => {
      this.#checkShown(start, planetKey, answer, minSeq);
      bot.minSeq = Math.max(bot.minSeq, answer.worldSeq ?? 0);
    });
    handler.read(planetKey, send);
    const [fromMs, atMs, untilMs] = [engine.nowMs, sequencer.nowMs, engine.nextDeadlineMs()];
    require(fromMs <= atMs && atMs < untilMs, () => {
      return `${start.process.id} reads at ${atMs}, with the last entry at ${fromMs} and something due at ${untilMs}`;
    });
  }

  /** Bots that have waited for long give up their connections. @returns whether one has waited */
  losePatience(): boolean {
    const waiting = this.#bots.filter(({ player }) => player.isWaiting);
    for (const bot of waiting) this.#hangUp(bot);
    return waiting.length > 0;
  }

  /** The network loses the next replies. */
  loseReplies(count: number): true {
    this.#repliesToLose += count;
    return true;
  }

  stopLosing(): void {
    this.#repliesToLose = 0;
  }

  /** The process has ended. */
  loseConnections(to: SimulatedProcess): void {
    for (const bot of this.#bots) if (bot.process === to) this.#hangUp(bot);
  }

  /** Compares the replies with what has happened. */
  check(): void {
    const { truth, clockKind } = this.#world;
    checkAnswers(truth, this.#requests, clockKind === 'manual' ? truth.engine : undefined);
  }

  #hangUp(bot: Bot): void {
    bot.connection += 1;
    bot.leaderUrl = null;
    bot.player.loseConnection();
  }

  #send(bot: Bot, processes: readonly SimulatedProcess[], next = () => this.#nextRequest()): void {
    const { stage } = this.#world;
    const { player } = bot;
    const isRetry = player.pending !== undefined;
    const request = player.send(next);
    const process = this.#processFor(bot, processes);
    bot.process = process;
    bot.connection += 1;
    const { connection } = bot;
    const { length } = request.commands;
    const types = request.commands.map(({ type }) => type).join(', ') || 'the clock moves';
    const words = length > BATCH_MAX ? `${length} commands` : types;
    stage.count(isRetry ? 'retries' : 'requests');
    stage.tell(`bot ${player.number} ${isRetry ? 'repeats' : 'sends'} ${request.number} to ${process.id}: ${words}`);
    const start = this.#startAt(process);
    const hear = (answer: Answer | undefined): void => {
      if (bot.connection !== connection) return;
      stage.tell(`bot ${player.number} hears from ${process.id}: ${request.number} ${answer?.kind ?? 'nothing'}`);
      if (answer === undefined) player.loseConnection();
      else player.hear(request, answer);
      bot.minSeq = Math.max(bot.minSeq, answer?.worldSeq ?? 0);
    };
    this.#deliver(process, (serving) => this.#command(serving, request, start, bot, hear));
  }

  #command(
    serving: Serving,
    request: PlayerRequest,
    start: Start,
    bot: Bot,
    hear: (answer: Answer | undefined) => void,
  ): void {
    const { stage } = this.#world;
    const { handler, replica, witness } = serving;
    handler.receive({
      use: 'command',
      minSeq: 0,
      handle: () => {
        const send = this.#sending(start, (answer, seq) => {
          this.#checkAnswer(start, request, answer, seq);
          if (this.#losesReply()) hear(undefined);
          else hear(answer);
        });
        witness.during(request.number, () => handler.post(request, send));
        if (witness.lastRequest === request.number && !this.#draws.oneIn(REQUESTS_PER_SINGLE)) {
          this.#repeat(request, serving, start);
        }
      },
      refuse: (why) => {
        stage.count(`commands sent away: ${why}`);
        if (why !== 'not_leader') this.#deniedCount += 1;
        bot.leaderUrl = replica?.leaderUrl ?? null;
        hear({ kind: 'turned away', seqs: [] });
      },
    });
  }

  /** A request that took effect must not do so again, and must not be denied. */
  #repeat(request: PlayerRequest, { witness, handler }: Serving, start: Start): void {
    const { number } = request;
    if (start.process.isOver) return;
    this.#world.stage.count('requests that arrive twice');
    const send = this.#sending(start, ({ kind }) => {
      require(kind === 'replayed' || kind === 'turned away', () =>
        `request ${number} took effect, and again it is ${kind}`);
    });
    witness.during(number, () => handler.post(request, send));
  }

  /** The leader that it knows of; otherwise any process. */
  #processFor({ leaderUrl }: Bot, processes: readonly SimulatedProcess[]): SimulatedProcess {
    const { stage } = this.#world;
    const known = processes.find(({ url }) => url === leaderUrl);
    return known !== undefined && !stage.draws.oneIn(8) ? known : stage.draws.pick(processes);
  }

  #startAt(process: SimulatedProcess): Start {
    return { process, acknowledgedSeq: this.#acknowledgedSeq };
  }

  /** A request reaches a process, as soon as that runs. */
  #deliver(process: SimulatedProcess, handle: (serving: Serving) => void): void {
    const arrive = (): void => {
      if (process.serving !== undefined) handle(process.serving);
      else this.loseConnections(process);
    };
    const travelMs = this.#draws.below(this.#world.travelMs);
    if (travelMs > 0 || process.loop.isStopped) process.loop.tellAfter(travelMs, arrive);
    else process.run(arrive);
  }

  /** Checks what every answer that leaves a process must satisfy. */
  #sending(start: Start, sent: (answer: Answer, seq: number) => void): Send {
    return (answer, seq) => {
      const { process } = start;
      if (process.isOver) return;
      const { stage, truth, durability } = this.#world;
      const { role } = process;
      stage.count(`replies of a ${role}: ${answer.kind}`);
      if (answer.kind !== 'turned away' && durability === 'durable') {
        const { lastSeq } = truth;
        require(seq <= lastSeq, () => `${process.id} answers from seq ${seq}, and only ${lastSeq} are durable`);
        const { worldSeq = 0 } = answer;
        require(worldSeq <= lastSeq, () => `${process.id} shows seq ${worldSeq}, and only ${lastSeq} are durable`);
        if (role === 'leader') this.#checkLeader(process);
      }
      sent(answer, seq);
    };
  }

  #checkLeader({ id, term: { epoch }, pastTermMs }: SimulatedProcess): void {
    require(pastTermMs <= TURN_MS, () => `${id} answers as a leader ${pastTermMs} ms after its term`);
    require(epoch >= this.#answeredEpoch, () => {
      return `${id} answers as the leader of epoch ${epoch}, after that of epoch ${this.#answeredEpoch} has answered`;
    });
    this.#answeredEpoch = epoch;
  }

  #checkAnswer({ process, acknowledgedSeq }: Start, { number }: PlayerRequest, answer: Answer, seq: number): void {
    const { truth, durability } = this.#world;
    // Otherwise a crash may undo what a reply said.
    if (answer.kind === 'turned away' || durability !== 'durable') return;
    for (const changed of answer.kind === 'accepted' ? answer.seqs : []) {
      const { request } = truth.entry(changed) ?? {};
      require(request === number, () =>
        `request ${number} is acknowledged with seq ${changed}, which is of ${request}`);
    }
    const isFresh = answer.kind === 'replayed' || seq >= acknowledgedSeq;
    require(isFresh, () =>
      `${process.id} decides ${number} at seq ${seq}, and ${acknowledgedSeq} was acknowledged before`);
    this.#acknowledge(Math.max(seq, answer.worldSeq ?? 0));
  }

  #checkShown({ process, acknowledgedSeq }: Start, planetKey: number, answer: Answer, minSeq: number): void {
    const { truth, durability } = this.#world;
    const { kind, seqs, worldSeq = 0 } = answer;
    if (kind !== 'shown' || durability !== 'durable') return;
    const shown = seqs[0] ?? null;
    const { role } = process;
    const fromSeq = Math.max(minSeq, worldSeq, role === 'leader' ? acknowledgedSeq : 0);
    require(truth.isShownAt(planetKey, shown, fromSeq), () => {
      const why = `x-min-seq ${minSeq}, x-world-seq ${worldSeq}, acknowledged before ${acknowledgedSeq}`;
      return `${process.id} (${role}) shows planet ${planetKey} as of ${shown}: ${why}`;
    });
    this.#acknowledge(worldSeq);
  }

  #acknowledge(seq: number): void {
    this.#acknowledgedSeq = Math.max(this.#acknowledgedSeq, seq);
  }

  #losesReply(): boolean {
    if (this.#repliesToLose === 0) return false;
    this.#repliesToLose -= 1;
    this.#world.stage.count('fault: reply lost');
    return true;
  }

  #nextRequest(): PlayerRequest {
    const { clockKind, truth } = this.#world;
    const draws = this.#draws;
    const { world, nowMs } = truth.engine;
    const number = this.#requests.length + 1;
    const length = draws.oneIn(8) ? draws.between(2, BATCH_MAX) : 1;
    const moves = Array.from({ length }, (_, index) => chooseMove(world, draws, `player-${number}-${index}`));
    const isClockMoved = clockKind === 'manual' && truth.engine.seq > 0 && draws.oneIn(3);
    const untilNextMs = Math.min(world.timers.nextDeadlineMs - nowMs, ADVANCE_MS_MAX);
    const advanceMs = isClockMoved ? draws.pick([1, draws.between(1, ADVANCE_MS_MAX), untilNextMs]) : 0;
    const commands: readonly WorldCommand[] = advanceMs > 0 && length === 1 ? [] : moves;
    const key = draws.oneIn(REQUESTS_PER_WORN_KEY) ? `worn-${draws.below(WORN_KEYS)}` : this.#ownKey();
    return this.#request(commands, advanceMs, key);
  }

  #request(commands: readonly WorldCommand[], advanceMs: number, key: string): PlayerRequest {
    const request = { number: this.#requests.length + 1, key, commands, advanceMs, answer: undefined };
    this.#requests.push(request);
    return request;
  }

  #ownKey(): string {
    return `own-${this.#requests.length + 1}`;
  }

  get #draws(): Draws {
    return this.#world.stage.draws;
  }
}

/**
 * Compares what clients were told with what has happened: each request took effect as often as its client was told.
 *
 * @param clocked the world, if its clock is manual: it stands where clients have moved it
 */
function checkAnswers(truth: Truth, requests: readonly PlayerRequest[], clocked: Engine | undefined): void {
  const effects = new Map<number | undefined, number[]>();
  const retirementSeqs: number[] = [];
  for (const [index, { request, row }] of truth.entries.entries()) {
    const { type } = decodeCommand(row);
    if (type === 'retire_players') retirementSeqs.push(index + 1);
    if (type === 'keep_reply' || type === 'advance_time') continue;
    effects.set(request, [...(effects.get(request) ?? []), index + 1]);
  }
  for (const { number, answer } of requests) {
    const seqs = effects.get(number) ?? [];
    const [told, found] = [answer?.seqs.join(), seqs.join()];
    // The kept replies of a player are dropped with it: a repetition after that is a new request.
    const isAnew = retirementSeqs.some((retirementSeq) => told === seqs.filter((seq) => seq > retirementSeq).join());
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
