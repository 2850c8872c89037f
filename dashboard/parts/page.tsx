// The frame of a view that is read from top to bottom: heading, actions, panels and lists. The map fills the window instead.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { LIST_ENTRIES_SHOWN } from '../limits.js';
import { Button } from './button.js';
import { formatCount } from './format.js';

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

export type Fact = readonly [term: string, value: ComponentChildren];

/** Terms and their values. */
export function Facts({ look, facts }: { readonly look: string; readonly facts: readonly Fact[] }) {
  return (
    <dl class={look}>
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The same as a panel: what is looked up rather than watched. */
export function FactPanel({ title, facts }: { readonly title: string; readonly facts: readonly Fact[] }) {
  return (
    <Panel title={title}>
      <Facts look="fact-list" facts={facts} />
    </Panel>
  );
}

interface MoreProps<Entry> {
  readonly entries: readonly Entry[];
  /** What they are, in the plural, such as `planets`. */
  readonly noun: string;
  readonly shown?: number;
  readonly children: (entries: readonly Entry[]) => ComponentChildren;
}

/** A list that shows its first entries, and all of them if the viewer asks. */
export function More<Entry>({ entries, noun, shown = LIST_ENTRIES_SHOWN, children }: MoreProps<Entry>) {
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      {children(isWhole ? entries : entries.slice(0, shown))}
      {entries.length > shown && (
        <Button look="more" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? `Show the first ${formatCount(shown)}` : `Show all ${formatCount(entries.length)} ${noun}`}
        </Button>
      )}
    </>
  );
}

interface EntriesProps<Entry> {
  readonly entries: readonly Entry[];
  readonly noun: string;
  /** Shown if there are none. */
  readonly empty: string;
  /** An item of the list. */
  readonly children: (entry: Entry) => ComponentChildren;
}

/** The same with the list itself, for a panel. */
export function Entries<Entry>({ entries, noun, empty, children }: EntriesProps<Entry>) {
  if (entries.length === 0) return <p class="panel-empty">{empty}</p>;
  return (
    <More entries={entries} noun={noun}>
      {(shown) => <ul class="entries">{shown.map(children)}</ul>}
    </More>
  );
}
