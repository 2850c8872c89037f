// Something that is being made: what it is, how far it has come and when it is complete.
import { Progress } from '../../parts/progress.js';
import { Countdown, TimeText } from '../../parts/time-text.js';

interface QueueProps {
  readonly title: string;
  /** World time of its begin; null if it is not known, or has not come yet. */
  readonly from: string | null;
  readonly to: string;
  /** Whether it waits for another one. */
  readonly isWaiting?: boolean;
}

export function Queue({ title, from, to, isWaiting = false }: QueueProps) {
  return (
    <li class="queue">
      <span class="queue-title">{title}</span>
      <span class="queue-end">
        {isWaiting ? 'waits, ' : ''}
        <Countdown until={to} /> <TimeText at={to} />
      </span>
      {from === null ? <span class="queue-gap" /> : <Progress from={from} to={to} label={title} />}
    </li>
  );
}
