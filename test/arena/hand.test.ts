// What a hand sends for a bot: reads that are asked for at once go together, the state is read once a wake, and refusals of
// commands are results.
import t, { type Test } from 'tap';
import { type BotKind, type Catalog, type Hand, planOperation, type Wish } from '../../arena/bot.js';
import { GalaxydProblem, type GameEvent, type Operation, operation, type Result } from '../../arena/galaxyd-client.js';
import { type Caller, type CallerOptions, SeatedBot } from '../../arena/hand.js';
import { OPERATIONS_TOGETHER_MAX } from '../../arena/limits.js';

/** Answers each operation with its own path, and keeps what was sent together. */
class RecordingCaller implements Caller {
  worldTime = '2000-01-01T00:00:00.000Z';
  readonly sent: string[][] = [];
  readonly isMinimal: boolean[] = [];

  async call<Body>(operation: Operation<Body>, options?: CallerOptions): Promise<Result<Body>> {
    const [result] = await this.callAll([operation], options);
    return result as Result<Body>;
  }

  async callAll(operations: readonly Operation[], { isMinimal = false }: CallerOptions = {}) {
    this.sent.push(operations.map(({ path }) => path));
    this.isMinimal.push(isMinimal);
    return operations.map(({ path }): Result<unknown> => {
      if (!path.includes('nobody')) return { ok: true, status: 200, body: path };
      const problem = {
        type: '',
        title: '',
        code: 'player_not_found',
        status: 404,
        detail: 'nobody',
        requestId: '',
      } as const;
      return { ok: false, status: 404, code: 'player_not_found', problem };
    });
  }
}

const upgrade = (planetId: string) =>
  operation.post('/api/building/upgrade', { body: { planetId, buildingType: 'iron_mine' } });

t.test('reads that are asked for at once are sent together', async (t) => {
  const caller = await woken(t, async (hand) => {
    await Promise.all([hand.options('planet-1'), hand.options('planet-2'), hand.state()]);
    await hand.options('planet-3');
  });
  t.same(caller.sent, [
    ['/api/game/options/planet-1', '/api/game/options/planet-2', '/api/game/state/player-1'],
    ['/api/game/options/planet-3'],
  ]);
});

t.test('plans are read together, and put among other commands', async (t) => {
  const caller = await woken(t, async (hand) => {
    await Promise.all([hand.plan('planet-1'), hand.options('planet-1')]);
    const steps = [{ action: 'upgrade', buildingType: 'iron_mine' }] as const;
    const put = planOperation('planet-1', steps, 'wait');
    t.match(put, { method: 'PUT', body: { onBlocked: 'wait', steps } });
    t.match(await hand.act([put, upgrade('planet-2')]), [{ ok: true }, { ok: true }]);
  });
  t.same(caller.sent, [
    ['/api/plan/planet/planet-1', '/api/game/options/planet-1'],
    ['/api/plan/planet/planet-1', '/api/building/upgrade'],
  ]);
});

t.test('the state is read once a wake, and again after a command', async (t) => {
  const caller = await woken(t, async (hand) => {
    await hand.state();
    await hand.state();
    await hand.act([upgrade('planet-1')]);
    await hand.state();
  });
  t.same(caller.sent.flat(), ['/api/game/state/player-1', '/api/building/upgrade', '/api/game/state/player-1']);
  t.same(caller.isMinimal, [false, true, false]);
});

t.test('no command sends nothing, and very many go in parts', async (t) => {
  const caller = await woken(t, async (hand) => {
    t.same(await hand.act([]), []);
    const many = Array.from({ length: OPERATIONS_TOGETHER_MAX + 1 }, (_, index) => upgrade(`planet-${index}`));
    t.equal((await hand.act(many)).length, OPERATIONS_TOGETHER_MAX + 1);
  });
  t.same(
    caller.sent.map(({ length }) => length),
    [OPERATIONS_TOGETHER_MAX, 1],
  );
});

t.test('a refused read throws, a refused command is a result', async (t) => {
  await woken(t, async (hand) => {
    const read = operation.get('/api/game/state/{playerId}', { params: { path: { playerId: 'nobody' } } });
    await t.rejects(hand.read(read), GalaxydProblem);
    const [refused] = await hand.act([{ method: 'POST', path: '/nobody' }]);
    t.match(refused, { ok: false, code: 'player_not_found' });
  });
});

/** Seats a bot with this behaviour and wakes it once. @returns what was sent */
async function woken(t: Test, act: (hand: Hand) => Promise<void>): Promise<RecordingCaller> {
  const caller = new RecordingCaller();
  const wish: Wish = { at: null, on: ['planet_colonized'] };
  const wake = async (hand: Hand): Promise<Wish> => {
    t.match(hand, { playerId: 'player-1', now: caller.worldTime });
    await act(hand);
    return wish;
  };
  const kind: BotKind = { name: 'scripted', summary: '', make: () => ({ wake }) };
  const catalog = {} as Catalog;
  const seat = new SeatedBot({ kind, playerId: 'player-1', playerName: 'Ada', seed: 1, catalog, caller });
  const events: GameEvent[] = [];
  t.same(await seat.wake(events), wish);
  return caller;
}
