// A list that shows its first entries, and all of them if the viewer asks.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { LIST_ENTRIES_SHOWN } from '../limits.js';
import { formatCount } from './format.js';

interface MoreProps<Entry> {
  readonly entries: readonly Entry[];
  /** What they are, in the plural, such as `planets`. */
  readonly noun: string;
  readonly shown?: number;
  readonly children: (entries: readonly Entry[]) => ComponentChildren;
}

export function More<Entry>({ entries, noun, shown = LIST_ENTRIES_SHOWN, children }: MoreProps<Entry>) {
  const [isWhole, setWhole] = useState(false);
  const isLong = entries.length > shown;
  return (
    <>
      {children(isWhole ? entries : entries.slice(0, shown))}
      {isLong && (
        <button type="button" class="button more" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? `Show the first ${formatCount(shown)}` : `Show all ${formatCount(entries.length)} ${noun}`}
        </button>
      )}
    </>
  );
}
