// The map of the world: universe, galaxy, system and planet.
import { Notice } from '../../parts/notice.js';
import { Page } from '../../parts/page.js';
import type { Route } from '../../routes.js';

export interface GalaxyViewProps {
  readonly route: Extract<Route, { readonly view: 'universe' | 'galaxy' | 'system' | 'planet' }>;
}

export default function GalaxyView({ route }: GalaxyViewProps) {
  return (
    <Page title="Map">
      <Notice kind="loading" title={route.view} />
    </Page>
  );
}
