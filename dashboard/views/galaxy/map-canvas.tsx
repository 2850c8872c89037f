// The two canvases of the map with what lies above them: the tip beside the pointer, and notices if there is nothing to see.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Stage, type StageState } from './stage.js';
import { Tip } from './tip.js';

interface MapCanvasProps {
  /** What the map shows, in a sentence: for those who do not see it. */
  readonly label: string;
  readonly stage: { current: Stage | null };
  readonly onState: (state: StageState) => void;
}

export function MapCanvas({ label, stage, onState }: MapCanvasProps) {
  const host = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLCanvasElement>(null);
  const lines = useRef<HTMLCanvasElement>(null);
  const isLost = useSignal(false);
  useEffect(() => {
    if (host.current === null || picture.current === null || lines.current === null) return;
    const shown = new Stage(host.current, picture.current, lines.current, (state) => {
      isLost.value = state === 'lost';
      onState(state);
    });
    stage.current = shown;
    return () => {
      shown.dispose();
      stage.current = null;
    };
  }, [stage, onState, isLost]);
  return (
    <div class="map-canvas" ref={host} role="img" aria-label={label}>
      <canvas ref={picture} />
      <canvas ref={lines} />
      <Tip />
      {isLost.value && (
        <p class="map-note is-middle" role="status">
          The graphics card has lost the map. It comes back by itself.
        </p>
      )}
    </div>
  );
}
