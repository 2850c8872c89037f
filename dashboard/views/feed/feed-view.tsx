// The live feed of public events, with filters.
import { Notice } from '../../parts/notice.js';
import { Page } from '../../parts/page.js';
import type { Route } from '../../routes.js';

export interface FeedViewProps {
  readonly route: Extract<Route, { readonly view: 'feed' }>;
}

export default function FeedView({ route: { types } }: FeedViewProps) {
  return (
    <Page title="Feed" subtitle={types.length === 0 ? 'All events' : types.join(', ')}>
      <Notice kind="loading" title="Loading…" />
    </Page>
  );
}
