// What the port sends for a bot: reads that are requested at once go together, the state is read once per wake, and refused commands are
// results.
import t, { type Test } from 'tap';
import { type BotKind, type Catalog, type PlayerPort, planOperation, type Wish } from '../../arena/bot.js';
import { GalaxydProblem, type GameEvent, type Operation, operation, type Result } from '../../arena/galaxyd-client.js';
import { OPERATIONS_TOGETHER_MAX } from '../../arena/limits.js';
import { type Caller, type CallerOptions, PlayingBot } from '../../arena/player-port.js';

/** Answers each operation with its own path, and records what was sent together. */
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
  const caller = await woken(t, async (port) => {
    await Promise.all([port.options('planet-1'), port.options('planet-2'), port.state()]);
    await port.options('planet-3');
  });
  t.same(caller.sent, [
    ['/api/game/options/planet-1', '/api/game/options/planet-2', '/api/game/state/player-1'],
    ['/api/game/options/planet-3'],
  ]);
});

t.test('plans are read together, and put among other commands', async (t) => {
  const caller = await woken(t, async (port) => {
    await Promise.all([port.plan('planet-1'), port.options('planet-1')]);
    const steps = [{ action: 'upgrade', buildingType: 'iron_mine' }] as const;
    const put = planOperation('planet-1', steps);
    t.match(put, { method: 'PUT', body: { onBlocked: 'wait', steps } });
    t.match(await port.act([put, upgrade('planet-2')]), [{ ok: true }, { ok: true }]);
  });
  t.same(caller.sent, [
    ['/api/plan/planet/planet-1', '/api/game/options/planet-1'],
    ['/api/plan/planet/planet-1', '/api/building/upgrade'],
  ]);
});

t.test('the state is read once a wake, and again after a command', async (t) => {
  const caller = await woken(t, async (port) => {
    await port.state();
    await port.state();
    await port.act([upgrade('planet-1')]);
    await port.state();
  });
  t.same(caller.sent.flat(), ['/api/game/state/player-1', '/api/building/upgrade', '/api/game/state/player-1']);
  t.same(caller.isMinimal, [false, true, false]);
});

t.test('no command sends nothing, and very many go in parts', async (t) => {
  const caller = await woken(t, async (port) => {
    t.same(await port.act([]), []);
    const many = Array.from({ length: OPERATIONS_TOGETHER_MAX + 1 }, (_, index) => upgrade(`planet-${index}`));
    t.equal((await port.act(many)).length, OPERATIONS_TOGETHER_MAX + 1);
  });
  t.same(
    caller.sent.map(({ length }) => length),
    [OPERATIONS_TOGETHER_MAX, 1],
  );
});

t.test('a refused read throws, a refused command is a result', async (t) => {
  await woken(t, async (port) => {
    const read = operation.get('/api/game/state/{playerId}', { params: { path: { playerId: 'nobody' } } });
    await t.rejects(port.read(read), GalaxydProblem);
    const [refused] = await port.act([{ method: 'POST', path: '/nobody' }]);
    t.match(refused, { ok: false, code: 'player_not_found' });
  });
});

/** Makes a bot with this behaviour and wakes it once. @returns what was sent */
async function woken(t: Test, act: (port: PlayerPort) => Promise<void>): Promise<RecordingCaller> {
  const caller = new RecordingCaller();
  const wish: Wish = { at: null, on: ['planet_colonized'] };
  const wake = async (port: PlayerPort): Promise<Wish> => {
    t.match(port, { playerId: 'player-1', now: caller.worldTime });
    await act(port);
    return wish;
  };
  const kind: BotKind = { name: 'scripted', summary: '', make: () => ({ wake }) };
  const catalog = {} as Catalog;
  const seat = new PlayingBot({ kind, playerId: 'player-1', playerName: 'Ada', seed: 1, catalog, caller });
  const events: GameEvent[] = [];
  t.same(await seat.wake(events), wish);
  return caller;
}
