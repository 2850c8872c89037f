// Keeps a naive second book of an engine's timers, and compares each firing with it: the first one due, once, in order.
import type { Engine } from '../../engine/engine.js';
import { NO_TIMER, type TimerHandle, type TimerKind, type TimerQueue } from '../../engine/world/timer-queue.js';
import { require } from './violation.js';

interface PendingTimer {
  readonly id: number;
  readonly deadlineMs: number;
}

export interface Firing extends PendingTimer {
  readonly kind: TimerKind;
}

export class TimerAudit {
  /** In their order. */
  readonly firings: Firing[] = [];
  readonly #pending = new Map<TimerHandle, PendingTimer>();

  /** Watches from now on. Timers that are already pending are read from the objects that they belong to. */
  constructor(engine: Engine) {
    // The types forbid changes of the world outside of the engine. The audit does not change it either: it wraps the
    // queue's own methods and passes every call on. It is the only way to see each firing without a hook in the engine.
    const queue = engine.world.timers as unknown as TimerQueue;
    this.#readPending(engine, queue);
    const { schedule, cancel, takeFirst } = queue;
    queue.schedule = (id, deadlineMs, kind, target) => {
      const handle = schedule.call(queue, id, deadlineMs, kind, target);
      this.#pending.set(handle, { id, deadlineMs });
      return handle;
    };
    queue.cancel = (handle) => {
      this.#pending.delete(handle);
      cancel.call(queue, handle);
    };
    queue.takeFirst = () => {
      const [handle, first] = this.#first();
      const due = takeFirst.call(queue);
      require(due.deadlineMs === first.deadlineMs && !this.#pending.has(handle), () => {
        return `a timer due at ${due.deadlineMs} fired before timer ${first.id}, which was due at ${first.deadlineMs}`;
      });
      this.#fire({ ...first, kind: due.kind });
      return due;
    };
  }

  /** A timer must fire once, and after all that were due before it. */
  #fire(firing: Firing): void {
    const before = this.firings.at(-1);
    const isInOrder =
      before === undefined ||
      firing.deadlineMs > before.deadlineMs ||
      (firing.deadlineMs === before.deadlineMs && firing.id > before.id);
    require(isInOrder, () => {
      const [was, is] = [before, firing].map((each) => `${each?.id} (due ${each?.deadlineMs})`);
      return `timer ${is} fired after timer ${was}`;
    });
    this.firings.push(firing);
  }

  #first(): [TimerHandle, PendingTimer] {
    const [first] = [...this.#pending].sort(([, a], [, b]) => a.deadlineMs - b.deadlineMs || a.id - b.id);
    require(first !== undefined, () => 'a timer fired that was never set');
    return first;
  }

  #readPending({ world }: Engine, queue: TimerQueue): void {
    const read = (handle: TimerHandle, deadlineMs: number | null | undefined): void => {
      if (handle === NO_TIMER) return;
      require(typeof deadlineMs === 'number', () => `timer ${queue.idOf(handle)} has no deadline`);
      this.#pending.set(handle, { id: queue.idOf(handle), deadlineMs });
    };
    for (const planet of world.planets.values()) {
      if (planet.upgrade !== null) read(planet.upgrade.timer, planet.upgrade.finishAtMs);
      read(planet.orderTimer, planet.orders[0]?.finishAtMs);
      const plan = world.plans.get(planet.row);
      for (const [lane, timer] of plan?.timers.entries() ?? []) read(timer, plan?.deadlinesMs[lane]);
    }
    for (const player of world.players.values())
      if (player.research) read(player.research.timer, player.research.finishAtMs);
    for (const fleet of world.fleets.values()) {
      if (fleet.isStationed) require(fleet.timer === NO_TIMER, () => `fleet ${fleet.number} is stationed with a timer`);
      read(fleet.timer, fleet.isReturning ? fleet.returnsAtMs : fleet.arrivesAtMs);
    }
    if (world.rules.shocks !== null) read(world.shocks.timer, world.shocks.nextAtMs);
    for (const { timer, hasBegun, startsAtMs, endsAtMs } of world.shocks.pending())
      read(timer, hasBegun ? endsAtMs : startsAtMs);
    for (const { timer, endsAtMs } of world.pacts.values()) read(timer, endsAtMs);
    for (const { number } of world.players.values()) {
      for (const { timer, untilMs } of world.offers.of(number)) read(timer, untilMs);
      for (const { timer, arrivesAtMs } of world.goods.of(number)) read(timer, arrivesAtMs);
    }
    require(this.#pending.size === queue.size, () => {
      return `${queue.size} timers are pending, and ${this.#pending.size} things wait for one`;
    });
  }
}
