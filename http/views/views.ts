// The replies that are rendered straight into text, because they are large and asked for often.
import type { ReadonlyWorld } from '../../engine/world/state.js';
import { GalaxyView, SystemView } from './galaxy-view.js';
import { MinimalView } from './minimal-view.js';
import { PlanetView } from './planet-view.js';
import { type LastEventSeq, StateView } from './state-view.js';
import { TextWriter } from './text-writer.js';

export class Views {
  readonly planets: PlanetView;
  readonly minimal: MinimalView;
  readonly states: StateView;
  readonly systems: SystemView;
  readonly galaxies: GalaxyView;

  /** @param tagOf makes the entity tag of a version */
  constructor(world: ReadonlyWorld, tagOf: (version: string) => string, lastEventSeq: LastEventSeq) {
    const writer = new TextWriter();
    this.planets = new PlanetView(world, writer);
    this.minimal = new MinimalView(world, writer);
    this.states = new StateView(world, this.planets, writer, tagOf, lastEventSeq);
    this.systems = new SystemView(world, this.planets, writer, tagOf);
    this.galaxies = new GalaxyView(world, tagOf);
  }
}
