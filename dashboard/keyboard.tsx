// Keyboard shortcuts, and the help that lists them. Each view registers its own shortcuts while it is shown.
import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { Dialog } from './parts/notice.js';

export interface Shortcut {
  /** As in KeyboardEvent.key, such as `g` or `ArrowLeft`. */
  readonly key: string;
  /** What it does, for the help. */
  readonly label: string;
  readonly action: () => void;
}

/** All shortcuts, in the order in which they were registered. The last one of a key counts. */
const shortcuts = signal<readonly Shortcut[]>([]);

/** Registers shortcuts while the component is shown. They do nothing while the viewer types or a dialog is open. */
export function useShortcuts(own: readonly Shortcut[]): void {
  // With what is shown, not after it: whoever sees a view can press its keys.
  useLayoutEffect(() => {
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

export const isHelpOpen = signal(false);

export function openHelp(): void {
  isHelpOpen.value = true;
}

function closeHelp(): void {
  isHelpOpen.value = false;
}

const KEY_NAMES: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
};

export function HelpDialog() {
  return (
    <Dialog title="Keyboard" onClose={closeHelp}>
      <dl class="keys">
        {shortcuts.value.map(({ key, label }) => (
          <div key={key}>
            <dt>
              <kbd>{KEY_NAMES[key] ?? key}</kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <p>
        The interface that this page reads is described at <a href="/docs">/docs</a>.
      </p>
    </Dialog>
  );
}
