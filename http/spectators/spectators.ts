// What people who watch a world get, beside the events: the map of all galaxies, the fleets in flight, frames of what changes on the
// map, and the course of the leaderboard (decision 22).
import { OPEN_WORLD_TOPIC } from '../../engine/events/kinds.js';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import type { ServedSequencer } from '../../persistence/writer/sequencer.js';
import type { EventHub } from '../events/event-hub.js';
import type { ReaderCounts } from '../events/reader-counts.js';
import type { BugReport } from '../exchange/exchange.js';
import { FleetDocument } from './fleet-document.js';
import { type LeaderboardHistory, LeaderboardSampler, type LeaderboardSamplerParts } from './leaderboard-history.js';
import { type DocumentParts, MapDocument } from './map-document.js';
import { MapFeed } from './map-feed.js';
import { OwnedCells } from './owned-cells.js';
import { MapStride } from './stride.js';

export interface SpectatorsParts extends Pick<DocumentParts, 'tagOf' | 'keep' | 'frameMs'> {
  readonly world: ReadonlyWorld;
  readonly sequencer: ServedSequencer;
  readonly hub: EventHub;
  readonly counts: ReaderCounts;
  /** Whether replies do not wait for the disk. */
  readonly isRelaxed: boolean;
  readonly onBug: BugReport;
  /** The course of the leaderboard; null to sample it from now on. */
  readonly history: LeaderboardHistory | null;
  readonly isStopping: () => boolean;
}

export class Spectators {
  readonly map: MapDocument;
  readonly fleets: FleetDocument;
  readonly feed: MapFeed;
  readonly history: LeaderboardHistory;

  constructor({ world, sequencer, hub, counts, isRelaxed, onBug, history, isStopping, ...rendering }: SpectatorsParts) {
    const nowMs = (): number => sequencer.nowMs;
    // What does not wait for the disk must not name events that are not on disk: readers do not get them yet.
    const feedSeq = (): number =>
      isRelaxed ? hub.span(OPEN_WORLD_TOPIC).lastSeq : world.eventLog.lastSeq(OPEN_WORLD_TOPIC);
    const documents = { world, nowMs, feedSeq, ...rendering };
    const cells = new OwnedCells(world);
    const stride = new MapStride();
    this.map = new MapDocument(documents, cells);
    this.fleets = new FleetDocument(documents, stride);
    const { frameMs } = rendering;
    this.feed = new MapFeed({ world, sequencer, hub, cells, stride, counts, feedSeq, onBug, frameMs });
    this.history = history ?? startedSampler({ world, nowMs, isStopping });
  }
}

function startedSampler(parts: LeaderboardSamplerParts): LeaderboardSampler {
  const sampler = new LeaderboardSampler(parts);
  sampler.start();
  return sampler;
}
