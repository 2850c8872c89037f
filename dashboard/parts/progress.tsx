// A bar that fills from one instant of the world to another.
import { worldNowMs } from '../world/world-clock.js';

interface ProgressProps {
  /** World time as the API writes it, or in ms since 1970. */
  readonly from: string | number;
  readonly to: string | number;
  /** What is in progress, for screen readers. */
  readonly label: string;
}

export function Progress({ from, to, label }: ProgressProps) {
  const fromMs = typeof from === 'number' ? from : Date.parse(from);
  const toMs = typeof to === 'number' ? to : Date.parse(to);
  const nowMs = worldNowMs.value ?? fromMs;
  const share = toMs <= fromMs ? 1 : Math.min(1, Math.max(0, (nowMs - fromMs) / (toMs - fromMs)));
  return <progress class="progress" max={1} value={share} aria-label={label} />;
}
