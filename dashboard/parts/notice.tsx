// What is shown instead of content: nothing there yet, loading, an error, or a key that is needed; and the dialog that asks for a
// key. The key is tried before it is used, and kept only in the memory of the page.
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { linkTo } from '../address.js';
import { clientWith, type Failure, failureOf, hasKey, setKey } from '../world/api.js';
import type { Polled } from '../world/poll.js';
import { needsKey } from '../world/status.js';
import { Button } from './button.js';

interface NoticeProps {
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly kind?: 'empty' | 'loading' | 'error';
}

export function Notice({ title, children, kind = 'empty' }: NoticeProps) {
  return (
    <div class={`notice is-${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      <p class="notice-title">{title}</p>
      {children !== undefined && <div class="notice-text">{children}</div>}
    </div>
  );
}

export function Loading() {
  return <Notice kind="loading" title="Loading…" />;
}

/** Says that an address leads nowhere, and leads back to the map. */
export function NoSuchPlace({ title, back }: { readonly title: string; readonly back: string }) {
  return (
    <Notice title={title}>
      <a href={linkTo({ view: 'universe' })}>{back}</a>
    </Notice>
  );
}

const FAILURE_TITLES: Readonly<Record<Failure['kind'], string>> = {
  key: 'This needs a key',
  missing: 'There is no such thing',
  offline: 'The server does not answer',
  refused: 'The server refused',
};

/** Why something is not shown, and what the viewer can do about it. */
export function FailureNotice({ failure: { kind, message } }: { readonly failure: Failure }) {
  if (kind !== 'key')
    return (
      <Notice kind="error" title={FAILURE_TITLES[kind]}>
        {kind === 'offline' ? 'The page tries again by itself.' : message}
      </Notice>
    );
  return <KeyNotice title={FAILURE_TITLES[kind]} text={message} />;
}

/** Says what a key would show, and asks for one. */
export function KeyNotice({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <Notice title={title}>
      <p>{text}</p>
      <Button look="is-primary" onClick={openKeyDialog}>
        Enter a key
      </Button>
    </Notice>
  );
}

interface LoadedProps<Body> {
  /** Null before the first read. */
  readonly document: Polled<Body> | null;
  readonly children: (body: Body) => ComponentChildren;
}

/** The content made from a polled document, or what is shown until it is read. */
export function Loaded<Body>({ document, children }: LoadedProps<Body>) {
  if (document === null || document.state === 'loading') return <Loading />;
  if (document.state === 'error') return <FailureNotice failure={document.failure} />;
  return <>{children(document.body)}</>;
}

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog: the browser's own, so focus and Escape behave as everywhere. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="dialog" ref={dialog} aria-labelledby={titleId} onClose={onClose}>
      <header class="dialog-head">
        <h2 class="dialog-title" id={titleId}>
          {title}
        </h2>
        <Button look="is-quiet" aria-label="Close" onClick={() => dialog.current?.close()}>
          ✕
        </Button>
      </header>
      {children}
    </dialog>
  );
}

export const isKeyDialogOpen = signal(false);

/** Asks for a key. A world without keys needs none. */
export function openKeyDialog(): void {
  isKeyDialogOpen.value = needsKey.peek();
}

/** Asks for the operator's key, which a world without keys of players has, too. */
export function askForOperator(): void {
  isKeyDialogOpen.value = true;
}

function closeKeyDialog(): void {
  isKeyDialogOpen.value = false;
}

export function KeyDialog() {
  const [problem, setProblem] = useState('');
  const [isTrying, setTrying] = useState(false);
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
    closeKeyDialog();
  };
  const forget = (): void => {
    setKey('');
    closeKeyDialog();
  };
  return (
    <Dialog title="Key" onClose={closeKeyDialog}>
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
          {hasKey.value && <Button onClick={forget}>Forget the key</Button>}
          <Button type="submit" look="is-primary" disabled={isTrying}>
            {isTrying ? 'Trying…' : 'Use the key'}
          </Button>
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
