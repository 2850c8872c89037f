// The frame of a view that is read from top to bottom: heading, actions and content. The map fills the window instead.
import type { ComponentChildren } from 'preact';

interface PageProps {
  readonly title: ComponentChildren;
  /** A line below the heading. */
  readonly subtitle?: ComponentChildren;
  /** Buttons and filters beside the heading. */
  readonly actions?: ComponentChildren;
  /** Whether it fills a wide screen: for charts rather than text. */
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

export function Page({ title, subtitle, actions, isWide = false, children }: PageProps) {
  return (
    <div class={`page${isWide ? ' is-wide' : ''}`}>
      <header class="page-head">
        <div>
          <h1 class="page-title">{title}</h1>
          {subtitle !== undefined && <p class="page-subtitle">{subtitle}</p>}
        </div>
        {actions !== undefined && <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface PanelProps {
  readonly title: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a page with a heading of its own. */
export function Panel({ title, actions, children }: PanelProps) {
  return (
    <section class="panel">
      <header class="panel-head">
        <h2 class="panel-title">{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}
