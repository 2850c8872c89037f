// Asks for a key. It tries the key before it is used, and keeps it only in the memory of the page.
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { clientWith, hasKey, setKey } from '../world/api.js';
import { failureOf } from '../world/failure.js';
import { needsKey } from '../world/status.js';
import { Dialog } from './dialog.js';

export const isKeyDialogOpen = signal(false);

/** Asks for a key. A world without keys needs none. */
export function openKeyDialog(): void {
  isKeyDialogOpen.value = needsKey.peek();
}

export function KeyDialog() {
  const [problem, setProblem] = useState('');
  const [isTrying, setTrying] = useState(false);
  const close = (): void => {
    isKeyDialogOpen.value = false;
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('key') as HTMLInputElement;
    const key = field.value.trim();
    setTrying(true);
    const refusal = await refusalOf(key);
    setTrying(false);
    setProblem(refusal);
    if (refusal !== '') return;
    field.value = '';
    setKey(key);
    close();
  };
  return (
    <Dialog title="Key" onClose={close}>
      <form class="form" autoComplete="off" onSubmit={(event) => void submit(event)}>
        <p>
          A spectator’s or the operator’s key shows the map with all fleets, live. A player’s key shows the map without
          fleets, and what that player may see. The key stays in the memory of this page: a reload forgets it.
        </p>
        <label class="field">
          <span>Key</span>
          <input name="key" type="password" autoComplete="off" spellcheck={false} required autoFocus />
        </label>
        {problem !== '' && (
          <p class="form-problem" role="alert">
            {problem}
          </p>
        )}
        <div class="form-actions">
          {hasKey.value && (
            <button
              type="button"
              class="button"
              onClick={() => {
                setKey('');
                close();
              }}
            >
              Forget the key
            </button>
          )}
          <button type="submit" class="button is-primary" disabled={isTrying}>
            {isTrying ? 'Trying…' : 'Use the key'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Why the server does not know the key; '' if it does. */
async function refusalOf(key: string): Promise<string> {
  try {
    await clientWith(key).get('/api/event/world', { params: { query: {} } });
    return '';
  } catch (error) {
    const { kind, message } = failureOf(error);
    return kind === 'key' ? 'The server does not know this key.' : message;
  }
}
