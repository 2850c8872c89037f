// A panel with terms and their values: what is looked up rather than watched.
import type { ComponentChildren } from 'preact';
import { Panel } from './page.js';

export type Fact = readonly [term: string, value: ComponentChildren];

interface FactListProps {
  readonly title: string;
  readonly facts: readonly Fact[];
  /** Shown below them. */
  readonly children?: ComponentChildren;
}

export function FactList({ title, facts, children }: FactListProps) {
  return (
    <Panel title={title}>
      <dl class="fact-list">
        {facts.map(([term, value]) => (
          <div key={term} class="fact">
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {children}
    </Panel>
  );
}
