// What is shown instead of content: nothing there yet, loading, an error, or a key that is needed.
import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Failure } from '../world/failure.js';
import type { Polled } from '../world/poll.js';
import { openKeyDialog } from './key-dialog.js';

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

/** Why something is not shown, and what the viewer can do about it. */
export function FailureNotice({ failure }: { readonly failure: Failure }) {
  if (failure.kind === 'offline')
    return (
      <Notice kind="error" title="The server does not answer">
        The page tries again by itself.
      </Notice>
    );
  if (failure.kind !== 'key')
    return (
      <Notice kind="error" title={failure.kind === 'missing' ? 'There is no such thing' : 'The server refused'}>
        {failure.message}
      </Notice>
    );
  return (
    <Notice title="This needs a key">
      <p>{failure.message}</p>
      <button type="button" class="button is-primary" onClick={openKeyDialog}>
        Enter a key
      </button>
    </Notice>
  );
}

interface LoadedProps<Body> {
  readonly document: ReadonlySignal<Polled<Body>>;
  readonly children: (body: Body) => ComponentChildren;
}

/** The content made of a polled document, or what is shown as long as there is none. */
export function Loaded<Body>({ document, children }: LoadedProps<Body>) {
  const { state, body, failure } = document.value;
  if (state === 'loading') return <Notice kind="loading" title="Loading…" />;
  if (state === 'error') return <FailureNotice failure={failure} />;
  return <>{children(body)}</>;
}
