// The catalogue of rules as a bot gets it.
import type { Catalog } from '../../../arena/bot.js';
import type { Rules } from '../../../engine/rules/rules.js';
import { catalogBody } from '../../../http/views/catalog-view.js';

const WORLD = { seed: 1, systemsPerGalaxy: 300, speedThousandths: 1_000, rulesVersion: 1, startMs: 0 };

export const catalogOf = (rules: Rules): Catalog => catalogBody(WORLD, rules) as Catalog;
