// The result of a run, in lines: its figures, and each failed case with everything needed to send it again.
import type { TortureCase } from './cases.js';
import type { FailedCase, RunResult } from './run.js';

/** Maximum bytes of a case that are shown, and requests that are named. */
const SHOWN_BYTES = 2_000;
const SHOWN_REQUESTS = 10;

/** True if there are no faults. */
export function isSound({ failedCases, faults }: RunResult): boolean {
  return failedCases.length === 0 && faults.length === 0;
}

export function figureLine({ figures }: RunResult): string {
  const { transport, auth, requests, connections, seconds, statuses, innocent, memoryMib, storms } = figures;
  const memory = memoryMib === null ? '' : `; memory ${memoryMib.afterWarmUp} → ${memoryMib.atEnd} MiB`;
  const statusCounts = Object.entries(statuses).map(([status, count]) => `${status} ${count}×`);
  const stormFigures = storms === null ? '' : `; ${stormText(storms)}`;
  return (
    `${transport}, auth ${auth}: ${requests} requests on ${connections} connections in ${seconds} s; ` +
    `replies ${statusCounts.join(', ')}; innocent client answered ${innocent.answered} times, ` +
    `slowest ${innocent.slowestMs} ms${memory}${stormFigures}`
  );
}

/** The faults, and the command that repeats them. */
export function faultLines(result: RunResult): string[] {
  const { failedCases, faults, lastCases, figures } = result;
  const lines = failedCases.flatMap(({ torture, faults }) => caseLines({ torture, faults }));
  lines.push(...faults);
  const numbers = [...failedCases.map(({ torture }) => torture), ...lastCases].map(({ number }) => number);
  if (lastCases.length > 0) {
    const names = lastCases.map(({ number, delivery }) => `${number} (${delivery})`);
    lines.push(`cases under way when the server ended: ${names.join(', ')}`);
  }
  if (numbers.length > 0) {
    const { seed, transport, auth } = figures;
    const flags = `--seed ${seed} --transport ${transport} --auth ${auth} --only ${numbers.join(',')}`;
    lines.push(`again: npm run torture -- ${flags}`);
  }
  return lines;
}

function caseLines({ torture, faults }: FailedCase): string[] {
  const { number, delivery, requests, pieces, ending } = torture;
  const names = requests.slice(0, SHOWN_REQUESTS).map(({ name }) => name);
  const more = requests.length > SHOWN_REQUESTS ? `; and ${requests.length - SHOWN_REQUESTS} more` : '';
  return [
    `case ${number}: ${requests.length} requests, ${delivery}, in ${pieces.length} pieces, then ${ending}`,
    ...faults.map((fault) => `  ${fault.slice(0, SHOWN_BYTES)}`),
    `  requests: ${names.join('; ')}${more}`,
    `  bytes: ${shownBytes(torture)}`,
  ];
}

/** Escaped, so that they can be sent again. */
function shownBytes({ pieces }: TortureCase): string {
  const bytes = Buffer.concat(pieces);
  const text = JSON.stringify(bytes.toString('latin1', 0, SHOWN_BYTES));
  return bytes.length > SHOWN_BYTES ? `${text} and ${bytes.length - SHOWN_BYTES} bytes more` : text;
}

function stormText(storms: NonNullable<RunResult['figures']['storms']>): string {
  const { idleOpened, resets, readersAnswered, writersAnswered, floodsEnded } = storms;
  return `${idleOpened} idle connections, ${resets} resets, ${readersAnswered} slow readers and ${writersAnswered} slow writers answered, ${floodsEnded} flooding WebSockets ended`;
}
