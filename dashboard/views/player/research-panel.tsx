// The research of a player: levels, and what is in progress.
import { formatType } from '../../parts/format.js';
import { Panel } from '../../parts/page.js';
import { type Catalog, useCatalog } from '../../world/documents.js';
import { Levels, Queue } from './planets-panel.js';
import type { PlayerPanelProps } from './player-reads.js';

export function ResearchPanel({ player: { research } }: PlayerPanelProps) {
  const catalog = useCatalog().value.body;
  return (
    <Panel title="Research">
      {research.length === 0 && <p class="panel-empty">No research was ever started.</p>}
      <ul class="queues">
        {research.map(({ id, type, level, researchFinishAt }) =>
          researchFinishAt === null ? null : (
            <Queue
              key={id}
              title={`${formatType(type)} to level ${level + 1}`}
              from={startOf(catalog, type, level, researchFinishAt)}
              to={researchFinishAt}
            />
          ),
        )}
      </ul>
      <Levels entries={research} />
    </Panel>
  );
}

/** When research began: its end less the time that the catalogue names. @returns world time, or null if it is not known */
function startOf(catalog: Catalog | null, type: string, level: number, finishAt: string): string | null {
  const seconds = catalog?.research.find((row) => row.type === type)?.seconds[level];
  if (catalog === null || seconds === undefined) return null;
  return new Date(Date.parse(finishAt) - (seconds * 1_000) / catalog.speed).toISOString();
}
