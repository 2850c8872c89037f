// A client that plays meanwhile: it sends a few ordinary requests all the time, on one connection, and expects each
// answer.
import { setTimeout as delay } from 'node:timers/promises';
import { Client, NoReply, type Reply } from '../support/process/client.js';
import type { FrozenWorld } from './frozen-world.js';

const EVERY_MS = 20;

export interface InnocentFigures {
  readonly answered: number;
  readonly slowestMs: number;
}

export class InnocentClient {
  readonly faults: string[] = [];
  readonly #client: Client;
  readonly #questions: readonly Question[];
  #answered = 0;
  #slowestMs = 0;
  #isLeaving = false;
  readonly #playing: Promise<void>;

  constructor(url: string, { players }: FrozenWorld) {
    const player = players.at(-1);
    this.#client = new Client(url, player?.apiKey);
    const upgrade = { planetId: player?.starterId, buildingType: 'iron_mine' };
    this.#questions = [
      { name: 'health', status: 200, ask: (client) => client.get('/healthz') },
      { name: 'state', status: 200, ask: (client) => client.get(`/api/game/state/${player?.id}`) },
      { name: 'upgrade', status: 409, ask: (client) => client.post('/api/building/upgrade', upgrade) },
    ];
    this.#playing = this.#play();
  }

  get figures(): InnocentFigures {
    return { answered: this.#answered, slowestMs: Math.round(this.#slowestMs) };
  }

  /** Settles after a number of further answers, or if there is a fault. */
  async answeredAgain(count: number): Promise<void> {
    const enough = this.#answered + count;
    while (this.#answered < enough && this.faults.length === 0) await delay(EVERY_MS);
  }

  /** Sends its last request. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    await this.#playing;
    this.#client.close();
  }

  async #play(): Promise<void> {
    while (!this.#isLeaving && this.faults.length === 0) {
      for (const { name, status, ask } of this.#questions) {
        const startMs = performance.now();
        try {
          const reply = await ask(this.#client);
          if (reply.status !== status)
            this.faults.push(`the innocent client's ${name} is answered with ${reply.status}`);
        } catch (error) {
          if (!(error instanceof NoReply)) throw error;
          this.faults.push(`the innocent client is not answered: ${error.message}`);
          return;
        }
        this.#answered += 1;
        this.#slowestMs = Math.max(this.#slowestMs, performance.now() - startMs);
      }
      await delay(EVERY_MS);
    }
  }
}

interface Question {
  readonly name: string;
  readonly status: number;
  ask(client: Client): Promise<Reply<unknown>>;
}
