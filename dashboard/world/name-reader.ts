// Reads the names that the page shows and does not know, many at once.
import { effect, untracked } from '@preact/signals';
import { NAMES_PER_READ, NAMES_READ_DELAY_MS } from '../limits.js';
import { api, failureOf } from './api.js';
import { askAgain, onUnknownName, rememberNames } from './names.js';
import { returns } from './status.js';

const wanted = new Set<string>();
let isWaiting = false;

/** Begins to read names. The page calls it once, when it starts. */
export function watchNames(): void {
  onUnknownName((playerId) => {
    wanted.add(playerId);
    if (!isWaiting) wait();
  });
  effect(() => {
    api.value;
    returns.value;
    untracked(askAgain);
  });
}

function wait(): void {
  isWaiting = true;
  setTimeout(() => void read(), NAMES_READ_DELAY_MS);
}

async function read(): Promise<void> {
  isWaiting = false;
  const ids = Array.from(wanted).slice(0, NAMES_PER_READ);
  for (const id of ids) wanted.delete(id);
  try {
    const { body } = await api.peek().get('/api/player', { params: { query: { ids: ids.join(',') } } });
    rememberNames(body.players);
  } catch (error) {
    // Ids are shown until the server is back.
    failureOf(error);
  }
  if (wanted.size > 0 && !isWaiting) wait();
}
