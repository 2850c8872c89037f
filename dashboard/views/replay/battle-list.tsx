// The largest battles of the past: a list to jump from.
import { BATTLES_LISTED_MAX } from '../../limits.js';
import { Count } from '../../parts/count.js';
import { Dialog } from '../../parts/dialog.js';
import { formatWorldTime } from '../../parts/format.js';
import { PlanetLink } from '../../parts/planet-link.js';
import { PlayerName } from '../../parts/player-name.js';
import { Table } from '../../parts/table.js';
import type { Timeline } from './replay.js';

interface BattleListProps {
  readonly timeline: Timeline | null;
  readonly onJump: (seq: number) => void;
  readonly onClose: () => void;
}

export function BattleList({ timeline, onJump, onClose }: BattleListProps) {
  const battles = (timeline?.battles ?? []).toSorted((a, b) => b.lostCount - a.lostCount).slice(0, BATTLES_LISTED_MAX);
  const share = timeline?.indexedShare ?? 0;
  return (
    <Dialog title="The largest battles" onClose={onClose}>
      {share < 1 && <p>The past is still being read: {Math.floor(100 * share)} %.</p>}
      <Table
        caption="Battles by lost ships"
        rows={battles}
        keyOf={({ seq, planetId }) => `${seq}-${planetId}`}
        empty="Nobody has fought yet."
        columns={[
          {
            title: 'When',
            isHeading: true,
            cell: ({ seq, at }) => (
              <button type="button" class="battle-jump" onClick={() => onJump(seq)}>
                {formatWorldTime(Date.parse(at))}
              </button>
            ),
          },
          { title: 'Ships lost', isNumber: true, cell: ({ lostCount }) => <Count value={lostCount} /> },
          { title: 'Attacker', cell: ({ attackerId }) => <PlayerName playerId={attackerId} /> },
          { title: 'Defender', isMinor: true, cell: ({ defenderId }) => <PlayerName playerId={defenderId} /> },
          { title: 'Where', isMinor: true, cell: ({ planetId }) => <PlanetLink planetId={planetId} /> },
        ]}
      />
    </Dialog>
  );
}
