// The clients of a shared world: bots that send commands to any process, follow it to the leader, and repeat what has no
// answer with the same key; and that read from any process what they must have seen. Each reply is checked as it leaves.
import type { WorldCommand } from '../../../engine/commands/table.js';
import type { Draws } from '../../support/process/draws.js';
import { checkAnswers } from '../clients.js';
import type { Answer, Send } from '../front-desk.js';
import { chooseMove, PlayerBot, type PlayerRequest } from '../player-bot.js';
import { require } from '../violation.js';
import type { SharedProcess, SharedServing } from './shared-process.js';
import type { SharedSimulation } from './shared-simulation.js';

const BOTS_MAX = 5;
const BATCH_MAX = 4;
const WORN_KEYS = 3;
const REQUESTS_PER_WORN_KEY = 4;
/** Maximum time by which a manual clock is moved. */
const ADVANCE_MS_MAX = 20 * 60_000;
/** Maximum time of a request on its way. */
const TRAVEL_MS = 3;
/** What reading the clock within a turn may add to the time for which a leader may answer. */
const TURN_MS = 20;

interface Bot {
  readonly player: PlayerBot;
  /** Where it believes the leader to be. */
  leaderUrl: string | null;
  /** The newest `x-world-seq` that it has seen. */
  minSeq: number;
  /** Its connection; replies over an older one do not reach it. */
  connection: number;
  process: SharedProcess | undefined;
}

/** What is known when a request begins. */
interface Start {
  readonly process: SharedProcess;
  /** Everything up to here was acknowledged by then. */
  readonly acknowledgedSeq: number;
}

export class SharedClients {
  readonly #simulation: SharedSimulation;
  readonly #bots: readonly Bot[];
  readonly #requests: PlayerRequest[] = [];
  #repliesToLose = 0;
  #deniedCount = 0;
  /** The newest seq that any client was told of. */
  #acknowledgedSeq = 0;
  /** The newest epoch under which a leader has answered. */
  #answeredEpoch = 0;

  constructor(simulation: SharedSimulation) {
    this.#simulation = simulation;
    const count = simulation.stage.draws.between(2, BOTS_MAX);
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
  act(processes = this.#simulation.processes): boolean {
    const { stage, truth } = this.#simulation;
    const free = this.#bots.filter(({ player }) => !player.isWaiting);
    if (free.length === 0 || processes.length === 0 || !truth.hasBegun) return false;
    this.#send(stage.draws.pick(free), processes);
    return true;
  }

  /** Every bot that has no answer yet asks again. */
  insist(): void {
    const { processes } = this.#simulation;
    if (processes.length === 0) return;
    for (const bot of this.#bots) {
      if (bot.player.pending !== undefined && !bot.player.isWaiting) this.#send(bot, processes);
    }
  }

  /** A bot reads a planet from any process. @returns whether it could */
  look(): boolean {
    const { stage, truth, processes } = this.#simulation;
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
      serving.desk.receive({
        use: 'state',
        minSeq,
        handle: () => this.#read(bot, serving, start, planetKey, minSeq),
        refuse: (why) => stage.count(`reads sent away: ${why}`),
      });
    });
    return true;
  }

  #read(bot: Bot, serving: SharedServing, start: Start, planetKey: number, minSeq: number): void {
    const { desk, sequencer, engine } = serving;
    const send = this.#sending(start, (answer) => {
      this.#checkShown(start, planetKey, answer, minSeq);
      bot.minSeq = Math.max(bot.minSeq, answer.worldSeq ?? 0);
    });
    desk.read(planetKey, send);
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

  loseReplies(count: number): void {
    this.#repliesToLose += count;
  }

  stopLosing(): void {
    this.#repliesToLose = 0;
  }

  /** The process has ended. */
  loseConnections(to: SharedProcess): void {
    for (const bot of this.#bots) if (bot.process === to) this.#hangUp(bot);
  }

  /** Compares the replies with what has happened. */
  check(): void {
    const { truth, clockKind } = this.#simulation;
    checkAnswers(truth.history, this.#requests, clockKind === 'manual' ? truth.engine : undefined);
  }

  #hangUp(bot: Bot): void {
    bot.connection += 1;
    bot.leaderUrl = null;
    bot.player.loseConnection();
  }

  #send(bot: Bot, processes: readonly SharedProcess[]): void {
    const { stage } = this.#simulation;
    const { player } = bot;
    const isRetry = player.pending !== undefined;
    const request = player.send(() => this.#nextRequest());
    const process = this.#processFor(bot, processes);
    bot.process = process;
    bot.connection += 1;
    const { connection } = bot;
    const words = request.commands.map(({ type }) => type).join(', ') || 'the clock moves';
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
    { desk, sequencer, replica }: SharedServing,
    request: PlayerRequest,
    start: Start,
    bot: Bot,
    hear: (answer: Answer | undefined) => void,
  ): void {
    const { truth, stage } = this.#simulation;
    const { process } = start;
    desk.receive({
      use: 'command',
      minSeq: 0,
      handle: () => {
        const seqBefore = sequencer.lastSeq;
        desk.post(
          request,
          this.#sending(start, (answer, seq) => {
            this.#checkAnswer(start, request, answer, seq);
            if (this.#losesReply()) hear(undefined);
            else hear(answer);
          }),
        );
        truth.noteRequest(process.epoch, seqBefore + 1, sequencer.lastSeq, request.number);
      },
      refuse: (why) => {
        stage.count(`commands sent away: ${why}`);
        if (why !== 'not_leader') this.#deniedCount += 1;
        bot.leaderUrl = replica.leaderUrl;
        hear({ kind: 'turned away', seqs: [] });
      },
    });
  }

  /** The leader that it knows of; otherwise any process. */
  #processFor({ leaderUrl }: Bot, processes: readonly SharedProcess[]): SharedProcess {
    const { stage } = this.#simulation;
    const known = processes.find(({ url }) => url === leaderUrl);
    return known !== undefined && !stage.draws.oneIn(8) ? known : stage.draws.pick(processes);
  }

  #startAt(process: SharedProcess): Start {
    return { process, acknowledgedSeq: this.#acknowledgedSeq };
  }

  /** A request reaches a process, as soon as that runs. */
  #deliver(process: SharedProcess, handle: (serving: SharedServing) => void): void {
    process.loop.tellAfter(this.#draws.below(TRAVEL_MS), () => {
      if (process.serving !== undefined) handle(process.serving);
      else this.loseConnections(process);
    });
  }

  /** Checks what every answer that leaves a process must satisfy. */
  #sending(start: Start, sent: (answer: Answer, seq: number) => void): Send {
    return (answer, seq) => {
      const { process } = start;
      if (process.isOver) return;
      const { stage, truth } = this.#simulation;
      const { replica } = process.serving ?? {};
      stage.count(`replies of a ${replica?.role}: ${answer.kind}`);
      const { lastSeq } = truth.history;
      if (answer.kind !== 'turned away') {
        require(seq <= lastSeq, () => `${process.id} answers from seq ${seq}, and only ${lastSeq} are stored`);
        const { worldSeq } = answer;
        require(worldSeq !== undefined && worldSeq <= lastSeq, () =>
          `${process.id} shows seq ${worldSeq}, and only ${lastSeq} are stored`);
        if (replica?.role === 'leader') this.#checkLeader(process);
      }
      sent(answer, seq);
    };
  }

  #checkLeader({ id, epoch, pastTermMs }: SharedProcess): void {
    require(pastTermMs <= TURN_MS, () => `${id} answers as a leader ${pastTermMs} ms after its term`);
    require(epoch >= this.#answeredEpoch, () => {
      return `${id} answers as the leader of epoch ${epoch}, after that of epoch ${this.#answeredEpoch} has answered`;
    });
    this.#answeredEpoch = epoch;
  }

  #checkAnswer({ process, acknowledgedSeq }: Start, { number }: PlayerRequest, answer: Answer, seq: number): void {
    const { history } = this.#simulation.truth;
    if (answer.kind === 'turned away') return;
    for (const changed of answer.kind === 'accepted' ? answer.seqs : []) {
      const { request } = history.entry(changed) ?? {};
      require(request === number, () =>
        `request ${number} is acknowledged with seq ${changed}, which is of ${request}`);
    }
    const isFresh = answer.kind === 'replayed' || seq >= acknowledgedSeq;
    require(isFresh, () =>
      `${process.id} decides ${number} at seq ${seq}, and ${acknowledgedSeq} was acknowledged before`);
    this.#acknowledge(Math.max(seq, answer.worldSeq ?? 0));
  }

  #checkShown({ process, acknowledgedSeq }: Start, planetKey: number, answer: Answer, minSeq: number): void {
    const { truth } = this.#simulation;
    const { kind, seqs, worldSeq = 0 } = answer;
    if (kind !== 'shown') return;
    const shown = seqs[0] ?? null;
    const isLeader = process.serving?.replica.role === 'leader';
    const fromSeq = Math.max(minSeq, worldSeq, isLeader ? acknowledgedSeq : 0);
    require(truth.isShownAt(planetKey, shown, fromSeq), () => {
      const why = `x-min-seq ${minSeq}, x-world-seq ${worldSeq}, acknowledged before ${acknowledgedSeq}`;
      return `${process.id} (${process.serving?.replica.role}) shows planet ${planetKey} as of ${shown}: ${why}`;
    });
    this.#acknowledge(worldSeq);
  }

  #acknowledge(seq: number): void {
    this.#acknowledgedSeq = Math.max(this.#acknowledgedSeq, seq);
  }

  #losesReply(): boolean {
    if (this.#repliesToLose === 0) return false;
    this.#repliesToLose -= 1;
    this.#simulation.stage.count('fault: reply lost');
    return true;
  }

  #nextRequest(): PlayerRequest {
    const { clockKind, truth } = this.#simulation;
    const draws = this.#draws;
    const { world, nowMs } = truth.engine;
    const number = this.#requests.length + 1;
    const length = draws.oneIn(8) ? draws.between(2, BATCH_MAX) : 1;
    const moves = Array.from({ length }, (_, index) => chooseMove(world, draws, `player-${number}-${index}`));
    const isClockMoved = clockKind === 'manual' && truth.engine.seq > 0 && draws.oneIn(3);
    const untilNextMs = Math.min(world.timers.nextDeadlineMs - nowMs, ADVANCE_MS_MAX);
    const advanceMs = isClockMoved ? draws.pick([1, draws.between(1, ADVANCE_MS_MAX), untilNextMs]) : 0;
    const commands: readonly WorldCommand[] = advanceMs > 0 && length === 1 ? [] : moves;
    const key = draws.oneIn(REQUESTS_PER_WORN_KEY) ? `worn-${draws.below(WORN_KEYS)}` : `own-${number}`;
    const request = { number, key, commands, advanceMs, answer: undefined };
    this.#requests.push(request);
    return request;
  }

  get #draws(): Draws {
    return this.#simulation.stage.draws;
  }
}
