// The first thing to read: whether something is wrong, and what.
import { formatViewerTime } from '../../parts/format.js';
import type { Failure, Shapes } from '../../world/api.js';
import type { Polled } from '../../world/poll.js';
import { status } from '../../world/status.js';
import { type Concern, concernsOf, SEVERITY_WORDS, worstFirst } from './concerns.js';
import type { Figures } from './figures.js';
import { roleConcerns } from './replicas.js';

interface VerdictProps {
  readonly newest: Figures;
  /** Why the last scrape failed; null if it did not. */
  readonly failure: Failure | null;
  readonly readiness: Polled<Shapes['Readiness']>;
}

export function Verdict({ newest, failure, readiness }: VerdictProps) {
  const replica = status.value?.replica ?? null;
  const found = failure === null ? [...roleConcerns(replica), ...concernsOf(newest)] : [];
  const concerns = worstFirst([...concernsOfServer(failure, readiness), ...found]);
  const worst = concerns[0]?.severity ?? 'good';
  return (
    <section class={`verdict is-${worst}`} aria-label="State of the server">
      <p class="verdict-head">
        <strong role="status">{headOf(concerns, replica?.role === 'standby' ? 'reads' : 'commands')}</strong>
        <span class="verdict-time">
          {failure === null ? 'Figures of' : 'Last figures of'} {formatViewerTime(newest.atMs).slice(11)}, over 15 s
        </span>
      </p>
      {concerns.length > 0 && (
        <ul class="concerns">
          {concerns.map(({ severity, text, advice }) => (
            <li key={text} class={`concern is-${severity}`}>
              <span class="concern-word">{SEVERITY_WORDS[severity]}</span>
              <span>
                {text} <span class="concern-advice">{advice}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function headOf(concerns: readonly Concern[], readyFor: string): string {
  if (concerns.length === 0) return `Everything is in order: alive, ready for ${readyFor}, no threshold passed.`;
  const bad = concerns.filter(({ severity }) => severity === 'bad').length;
  const watched = concerns.length - bad;
  const parts = [...(bad > 0 ? [`${bad} bad`] : []), ...(watched > 0 ? [`${watched} to watch`] : [])];
  return `Not in order: ${parts.join(', ')}.`;
}

/** What the server says of itself, or that it says nothing. */
function concernsOfServer(failure: Failure | null, { state, failure: refusal }: VerdictProps['readiness']): Concern[] {
  const advice = 'These are the last figures. The page tries again by itself.';
  if (failure !== null) return [{ severity: 'bad', text: failure.message, advice }];
  if (state === 'ready' || state === 'loading' || refusal.kind === 'offline') return [];
  return [{ severity: 'bad', text: `Commands are refused: ${refusal.message}`, advice: 'As /readyz says.' }];
}
