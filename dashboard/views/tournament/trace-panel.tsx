// What an entrant did in a game: each request with its answer, and the end of what it printed.
import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.js';
import { formatCount, formatWorldTime } from '../../parts/format.js';
import { Loaded } from '../../parts/notice.js';
import { More, Panel } from '../../parts/page.js';
import { type Column, Table } from '../../parts/table.js';
import { type TournamentGame, type TournamentTrace, useTrace } from '../../world/documents.js';

type Line = TournamentTrace['lines'][number] & { readonly number: number };

/** Lines below this status were accepted. */
const REFUSED_FROM = 400;

export function TracePanel({ game }: { readonly game: TournamentGame }) {
  const labels = game.players.map(({ label }) => label);
  const [chosen, choose] = useState(labels[0] ?? '');
  // The next game may have other entrants.
  const label = labels.includes(chosen) ? chosen : (labels[0] ?? '');
  const [areRefused, setRefused] = useState(false);
  const actions = (
    <div class="trace-choice">
      <select aria-label="Entrant" value={label} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {labels.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      <Button look="is-small" aria-pressed={areRefused} onClick={() => setRefused(!areRefused)}>
        Refused only
      </Button>
    </div>
  );
  return (
    <Panel title="Trace" actions={actions}>
      <Trace key={`${game.number} ${label} ${areRefused}`} game={game.number} label={label} areRefused={areRefused} />
    </Panel>
  );
}

interface TraceProps {
  readonly game: number;
  readonly label: string;
  readonly areRefused: boolean;
}

function Trace({ game, label, areRefused }: TraceProps) {
  const [offset, setOffset] = useState(0);
  const trace = useTrace({ game, entrant: label, offset, ...(areRefused ? { only: 'refused' } : {}) }).value;
  return (
    <Loaded document={trace}>
      {({ lines, lineCount, isCut, output }) => (
        <>
          <Lines lines={numbered(lines, offset)} />
          <Pages offset={offset} shown={lines.length} lineCount={lineCount} onOffset={setOffset} />
          {isCut && <p class="chart-note">The trace was full before the game was over.</p>}
          {output !== null && output !== '' && (
            <>
              <p class="chart-note">What it printed last:</p>
              <pre class="command trace-output">{output}</pre>
            </>
          )}
        </>
      )}
    </Loaded>
  );
}

/** Lines have no names of their own. */
const numbered = (lines: TournamentTrace['lines'], offset: number): Line[] =>
  lines.map((line, index) => ({ ...line, number: offset + index + 1 }));

function Lines({ lines }: { readonly lines: readonly Line[] }) {
  const columns: readonly Column<Line>[] = [
    { title: 'Turn', isNumber: true, isMinor: true, cell: ({ turn }) => turn ?? '–' },
    { title: 'World time', isMinor: true, cell: ({ worldTime }) => formatWorldTime(Date.parse(worldTime)) },
    { title: 'Request', isHeading: true, cell: (line) => <Request line={line} /> },
    { title: 'Answer', cell: (line) => <Answer line={line} /> },
    { title: 'ms', isNumber: true, isMinor: true, cell: ({ ms }) => ms.toFixed(1) },
  ];
  return (
    <More entries={lines} noun="requests">
      {(shown) => (
        <div class="trace">
          <Table
            caption="Requests of the entrant"
            keyOf={({ number }) => number}
            rows={shown}
            isMarked={isRefused}
            empty="There is no such request in the trace."
            columns={columns}
          />
        </div>
      )}
    </More>
  );
}

const isRefused = ({ status }: Line): boolean => status === null || status >= REFUSED_FROM;

function Request({ line: { method, path, body } }: { readonly line: Line }) {
  return (
    <>
      <code>
        <bdi>{`${method} ${path}`}</bdi>
      </code>
      {body !== undefined && <code class="trace-body">{JSON.stringify(body)}</code>}
    </>
  );
}

function Answer({ line }: { readonly line: Line }) {
  const { status, code, answer, answerLength } = line;
  const text = status === null ? 'the connection ended' : [status, code].filter((part) => part !== undefined).join(' ');
  return (
    <>
      {text}
      {isRefused(line) && <span class="trace-body">{detailOf(answer)}</span>}
      {answer !== undefined && (
        <details>
          <summary>Whole answer</summary>
          <code class="trace-body">{JSON.stringify(answer)}</code>
        </details>
      )}
      {answerLength !== undefined && <span class="unit"> length {formatCount(answerLength)}</span>}
    </>
  );
}

/** What the answer to a refused request says in words. */
function detailOf(answer: unknown): string {
  const isProblem = typeof answer === 'object' && answer !== null && 'detail' in answer;
  return isProblem && typeof answer.detail === 'string' ? answer.detail : '';
}

interface PagesProps {
  readonly offset: number;
  readonly shown: number;
  readonly lineCount: number;
  readonly onOffset: (offset: number) => void;
}

/** Leads through a trace of which a reply has a part. */
function Pages({ offset, shown, lineCount, onOffset }: PagesProps) {
  if (offset === 0 && shown === lineCount) return null;
  return (
    <p class="trace-pages">
      {`${formatCount(offset + 1)} to ${formatCount(offset + shown)} of ${formatCount(lineCount)}`}
      <Button look="is-small" disabled={offset === 0} onClick={() => onOffset(0)}>
        From the beginning
      </Button>
      <Button look="is-small" disabled={offset + shown >= lineCount} onClick={() => onOffset(offset + shown)}>
        Next
      </Button>
    </p>
  );
}
