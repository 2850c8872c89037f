// A star system as JSON text, with what anybody can see of its planets.
import type { SystemView as SystemFacts } from '../../engine/queries/galaxy.js';
import type { PlanetView } from './planet-view.js';

export function systemText(facts: SystemFacts, planets: PlanetView): string {
  const { galaxy, system, star } = facts;
  const summaries = facts.planets.map(({ key, planet }) => planets.summaryText(key, planet?.owner));
  const galaxyText = `{"id":"galaxy-${galaxy}","index":${galaxy}}`;
  const systemHead = `{"id":"system-${galaxy}-${system}","index":${system},"star":${JSON.stringify(star)}}`;
  return `{"galaxy":${galaxyText},"system":${systemHead},"planets":[${summaries.join(',')}]}`;
}
