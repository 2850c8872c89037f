// Loaded into a real galaxyd before its own program (node --import), it kills that process at one exact point of its
// work: the one that the file DIE_AT names. It changes nothing else, and kills only once: then the file DIE_MARK
// exists.
import files, { readFileSync, writeFileSync } from 'node:fs';
import operations, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Engine } from '../../../engine/engine.js';
import { TextColumn } from '../../../engine/numbers/text-column.js';
import { LmdbEnvironment } from '../../../persistence/log/lmdb/lmdb-environment.js';
import { Sequencer } from '../../../persistence/writer/sequencer.js';
import { DOOMED, DOOMED_COUNT, type PointOfDeath } from './points-of-death.js';

const point = JSON.parse(readFileSync(process.env['DIE_AT'] ?? '', 'utf8')) as PointOfDeath;
const mark = process.env['DIE_MARK'] ?? '';
const program = basename(process.argv[1] ?? '', '.js');
/** Number of doomed bots that were applied. */
let doomedCount = 0;

if (point.at === 'file operation') {
  if (program === 'snapshot-process' && point.of === 'snapshot process') await dieAtFileOperation(point.number, true);
  if (program === 'main' && point.of === 'server') await dieAtFileOperation(point.number, false);
} else if (program === 'main') {
  watchApply();
  watchAppend();
}

function die(): void {
  try {
    writeFileSync(mark, '', { flag: 'wx' });
  } catch {
    // It has died before, and continues this time.
    return;
  }
  process.kill(process.pid, 'SIGKILL');
}

function watchApply(): void {
  Engine.prototype.apply = new Proxy(Engine.prototype.apply, {
    apply(apply, engine, args: Parameters<Engine['apply']>) {
      const [, command] = args;
      const isDoomed = command.type === 'create_player' && command.name.startsWith(DOOMED);
      if (isDoomed && point.at === 'inside apply') return dieAtFirstChange(() => Reflect.apply(apply, engine, args));
      const outcome: unknown = Reflect.apply(apply, engine, args);
      if (isDoomed) doomedCount += 1;
      return outcome;
    },
  });
}

/** It dies when a creation first writes a text into a row: half of the command has been applied then. */
function dieAtFirstChange(applied: () => unknown): unknown {
  const { set } = TextColumn.prototype;
  TextColumn.prototype.set = new Proxy(set, {
    apply(_set, column, args) {
      die();
      return Reflect.apply(set, column, args);
    },
  });
  try {
    return applied();
  } finally {
    TextColumn.prototype.set = set;
  }
}

/**
 * The first append of a doomed bot waits until all of them are applied, so that the next append writes the others as
 * one batch.
 */
function watchAppend(): void {
  LmdbEnvironment.prototype.append = new Proxy(LmdbEnvironment.prototype.append, {
    apply(append, environment, args) {
      const go = (): Promise<boolean> => Reflect.apply(append, environment, args);
      if (doomedCount === 0) return go();
      if (doomedCount < DOOMED_COUNT) return allDoomed().then(go);
      switch (point.at) {
        case 'before the write':
          die();
          return go();
        case 'during the flush': {
          const flushed = go();
          // LMDB begins to write at the end of the turn, in a thread of its own.
          void nextTurn().then(() => {
            const untilMs = performance.now() + point.lateMs;
            while (performance.now() < untilMs);
            die();
          });
          return flushed;
        }
        case 'after the flush':
          return go().then((isWritten) => {
            die();
            return isWritten;
          });
        default:
          return go();
      }
    },
  });
}

async function allDoomed(): Promise<void> {
  while (doomedCount < DOOMED_COUNT) await nextTurn();
}

/**
 * Dies instead of executing the operation with this number. Operations that change names or make data durable are
 * counted.
 *
 * @param isFromTheBeginning counted from now on; otherwise from the next cut of the log
 */
async function dieAtFileOperation(number: number, isFromTheBeginning: boolean): Promise<void> {
  let isCounting = isFromTheBeginning;
  let count = 0;
  const counted = <F extends (...args: never[]) => unknown>(operation: F): F =>
    new Proxy(operation, {
      apply(target, self, args) {
        count += isCounting ? 1 : 0;
        if (isCounting && count === number) die();
        return Reflect.apply(target, self, args);
      },
    });
  Sequencer.prototype.cut = new Proxy(Sequencer.prototype.cut, {
    apply(cut, sequencer, args) {
      isCounting = true;
      return Reflect.apply(cut, sequencer, args);
    },
  });
  for (const name of ['rename', 'rm', 'mkdir', 'unlink', 'rmdir'] as const) {
    Object.assign(operations, { [name]: counted(operations[name]) });
  }
  Object.assign(files, { fsync: counted(files.fsync) });
  const handle = await operations.open(process.execPath, 'r');
  const ofHandles: FileHandle = Object.getPrototypeOf(handle);
  for (const name of ['sync', 'datasync', 'writeFile'] as const) {
    Object.assign(ofHandles, { [name]: counted(ofHandles[name]) });
  }
  await handle.close();
  syncBuiltinESMExports();
}
