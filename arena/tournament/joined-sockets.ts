// Joins two connections by passing on what either sends, including that it has no more to send.
import type { Socket } from 'node:net';

/** Once one has closed, so does the other. Both must allow that one side closes first (`allowHalfOpen`). */
export function joinSockets(one: Socket, other: Socket): void {
  passOn(one, other);
  passOn(other, one);
}

function passOn(from: Socket, to: Socket): void {
  // A broken connection closes.
  from.on('error', () => {});
  from.once('close', () => to.destroySoon());
  from.pipe(to);
}
