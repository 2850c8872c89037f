// The groups of operations: chapters of docs/api.md, and tags of the OpenAPI document.
import type { Tag } from '../pipeline/route.js';

interface Chapter {
  readonly title: string;
  readonly about: string;
}

export const CHAPTERS: Readonly<Record<Tag, Chapter>> = {
  game: { title: 'Players, planets and the galaxy', about: 'Creating a player; reading players, planets and systems.' },
  fleet: { title: 'Fleets', about: 'Simulating, launching and recalling fleets.' },
  building: { title: 'Buildings', about: 'Constructing and upgrading buildings; one of a planet at a time.' },
  shipyard: { title: 'Shipyard', about: 'Ordering ships; one type of a planet at a time.' },
  research: { title: 'Research', about: 'Researching drives; one type of a player at a time.' },
  planning: {
    title: 'Planning',
    about: 'What can be started, what it costs and gains, and the whole situation as text.',
  },
  events: {
    title: 'Events',
    about: 'What has happened to a player, and in public: read with a long poll, or as a stream of server-sent events.',
  },
  batch: { title: 'Batch', about: 'Many operations in one request and one write to disk.' },
  world: { title: 'The world', about: 'Rules, errors, status, ranking and reports.' },
  service: { title: 'Service', about: 'For supervisors, monitoring and generators of clients.' },
  replay: { title: 'Replay', about: 'Moving through the past of a world; only with `galaxyd replay`.' },
  turns: { title: 'Turns', about: 'Games in which players act one after another; only with `--clock turns`.' },
  administration: { title: 'Administration', about: 'For the operator, with the admin key.' },
};
