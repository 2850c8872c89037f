// Keyboard shortcuts: each view registers its own while it is shown, and the help lists them all.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

export interface Shortcut {
  /** As in KeyboardEvent.key, such as `g` or `ArrowLeft`. */
  readonly key: string;
  /** What it does, for the help. */
  readonly label: string;
  readonly action: () => void;
}

/** All shortcuts, in the order in which they were registered. The last one of a key counts. */
export const shortcuts = signal<readonly Shortcut[]>([]);

/** Registers shortcuts as long as the component is shown. They do nothing while the viewer types or a dialog is open. */
export function useShortcuts(own: readonly Shortcut[]): void {
  useEffect(() => {
    shortcuts.value = [...shortcuts.peek(), ...own];
    return () => {
      shortcuts.value = shortcuts.peek().filter((shortcut) => !own.includes(shortcut));
    };
  }, [own]);
}

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
  const shortcut = shortcuts.peek().findLast(({ key }) => key === event.key);
  if (shortcut === undefined) return;
  event.preventDefault();
  shortcut.action();
});

/** Keys that move a slider. */
const OF_SLIDERS = /^(Arrow\w+|Home|End|Page\w+)$/;

/** Whether a key belongs to a field, or to an open dialog. */
function isTaken({ target, key }: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open]') !== null) return true;
  if (!(target instanceof Element)) return false;
  if (target.closest('input[type=range]') !== null) return OF_SLIDERS.test(key);
  return target.closest('input, select, textarea, [contenteditable]') !== null;
}
