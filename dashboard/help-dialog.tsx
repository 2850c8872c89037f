// The help: all keys that do something now.
import { signal } from '@preact/signals';
import { shortcuts } from './keyboard.js';
import { Dialog } from './parts/dialog.js';

export const isHelpOpen = signal(false);

const NAMES: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
};

export function HelpDialog() {
  return (
    <Dialog
      title="Keyboard"
      onClose={() => {
        isHelpOpen.value = false;
      }}
    >
      <dl class="keys">
        {shortcuts.value.map(({ key, label }) => (
          <div key={key} class="keys-row">
            <dt>
              <kbd>{NAMES[key] ?? key}</kbd>
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
