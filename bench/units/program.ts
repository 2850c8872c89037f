// The process that measures one group of units, started by unit-run.ts.
import { answerTask } from '../processes/child-measurement.js';
import { unitGroup } from './groups.js';
import { sampleOneShot } from './one-shot-sampler.js';
import { consumed } from './sink.js';
import { sampleSteady } from './steady-sampler.js';
import { EFFORTS, type Effort, type Reading, type UnitAnswer, type UnitCase, type UnitTask } from './unit-case.js';

await answerTask<UnitTask, UnitAnswer>(async ({ group, only, players, isFull, seed }, tell) => {
  const readings: Reading[] = [];
  for (const measured of unitGroup(group)({ players, isFull, seed })) {
    if (!measured.name.includes(only)) continue;
    const id = `${group}: ${measured.name}${players === 0 ? '' : `, ${players} players`}`;
    tell(id);
    readings.push(...(await readingsOf(id, measured, isFull ? EFFORTS.full : EFFORTS.short)));
  }
  return { readings, consumed: consumed().count };
});

async function readingsOf(id: string, measured: UnitCase, effort: Effort): Promise<readonly Reading[]> {
  switch (measured.kind) {
    case 'steady':
      return [await sampleSteady(measured, effort, id)];
    case 'one-shot':
      return [await sampleOneShot(measured, effort, id)];
    case 'direct':
      return (await measured.measure(effort)).map(({ name, ...reading }) => ({ id: `${id}, ${name}`, ...reading }));
  }
}
