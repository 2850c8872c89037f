// What a plan sends, and when the bot wants to be woken: not without a reason, and within the budget of a game of turns.
import t from 'tap';
import type { Budget, Planet, Player, PlayerPort } from '../../../arena/bot.js';
import { Plan } from '../../../arena/bots/support/plan.js';
import type { Operation } from '../../../arena/galaxyd-client.js';

const NOW = '2000-01-01T06:00:00.000Z';
const production = { iron: 60, silver: 0, ember: 0, h2: 0, energy: 0 };
const planet = { id: 'planet-1', iron: 100, silver: 10, ember: 0, h2: 0, energy: 0, production, shipyardQueue: [] };

function planOf({
  budget = null,
  planets = 1,
  speed = 1,
}: {
  budget?: Budget | null;
  planets?: number;
  speed?: number;
}) {
  const sent: Operation[] = [];
  const act = async (operations: readonly Operation[]) => {
    sent.push(...operations);
    return [];
  };
  const port = { now: NOW, budget, catalog: { speed }, act } as unknown as PlayerPort;
  const state = { planets: Array.from({ length: planets }, () => planet) } as unknown as Player;
  return { plan: new Plan(port, state), sent, home: planet as unknown as Planet };
}

const command: Operation = { method: 'POST', path: '/api/building/upgrade' };

t.test('what was spent cannot be spent again', async (t) => {
  const { plan, home } = planOf({});
  t.equal(plan.payableAt(home, { iron: 100 }), NOW);
  plan.command(home, command, { iron: 70 });
  t.notOk(plan.canPay(home, { iron: 31 }));
  t.ok(plan.canPay(home, { iron: 30, silver: 10 }));
  t.equal(plan.payableAt(home, { iron: 60 }), '2000-01-01T06:30:00.000Z');
  t.equal(plan.payableAt(home, { silver: 11 }), null);
});

t.test('ships that are ordered or sent away are counted once', async (t) => {
  const { plan, home } = planOf({});
  plan.order({ ...home, planetShips: [] }, 'scout', 3, { iron: 30 });
  plan.order({ ...home, planetShips: [] }, 'scout', 2, { iron: 20 });
  t.equal(plan.ordered(home, 'scout'), 5);
  t.equal(plan.ordered(home, 'fighter'), 0);
  t.equal(plan.inProduction(home), 'scout');
  const docked = { ...home, planetShips: [{ shipType: 'scout', count: 7 }] };
  plan.sent(home, [{ type: 'scout', count: 4 }]);
  t.equal(plan.ships(docked, 'scout'), 3);
});

t.test('it sleeps for ten minutes at least, longer with many planets, and shorter in a faster world', async (t) => {
  const rows = [
    [1, 1, '2000-01-01T06:10:00.000Z'],
    [8, 1, '2000-01-01T06:20:00.000Z'],
    [200, 1, '2000-01-01T08:00:00.000Z'],
    [1, 10, '2000-01-01T06:01:00.000Z'],
  ] as const;
  for (const [planets, speed, at] of rows) {
    const { plan } = planOf({ planets, speed });
    plan.wakeIn(1);
    t.match(await plan.carryOut(), { at }, `${planets} planets at speed ${speed}`);
  }
  const { plan } = planOf({});
  t.match(await plan.carryOut([]), { at: null, on: [] }, 'nothing to wait for');
  plan.wakeAt('2000-01-01T09:00:00.000Z');
  plan.wakeAt('2000-01-01T08:00:00.000Z');
  plan.wakeAt(null);
  t.match(await plan.carryOut(), { at: '2000-01-01T08:00:00.000Z' }, 'the earliest instant');
});

t.test('in a game of turns it spreads its wakes over the day, and sends no more than it may', async (t) => {
  const dayEndsAt = '2000-01-02T00:00:00.000Z';
  const paced = planOf({ budget: { commandsLeft: 9, wakeupsLeft: 8, dayEndsAt } });
  paced.plan.wakeIn(1);
  // 18 hours for 8 wakes and the rest: two hours each, and half of that at this time.
  t.match(await paced.plan.carryOut(), { at: '2000-01-01T07:00:00.000Z' });
  const spent = planOf({ budget: { commandsLeft: 2, wakeupsLeft: 100, dayEndsAt } });
  for (let count = 0; count < 3; count += 1) spent.plan.command(spent.home, command);
  spent.plan.wakeIn(3_600);
  t.same(await spent.plan.carryOut(), { at: dayEndsAt, on: [] });
  t.equal(spent.sent.length, 2);
});
