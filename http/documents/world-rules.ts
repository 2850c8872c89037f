// The rules of the world for the API: maps from names to numbers, and the documents derived from the rules. Built
// once per rule set, and again after the operator has switched.
import type { Rules } from '../../engine/rules/rules.js';
import type { WorldSettings } from '../../engine/world/state.js';
import { type RulesIdentity, rulesIdentity } from '../../persistence/rules/stored-rules.js';
import { numbering } from '../rules/numbering.js';
import { catalogBody } from '../views/catalog-view.js';
import { asyncApiDocument } from './asyncapi.js';
import { languageModelText } from './language-model-text.js';
import { openApiDocument } from './openapi.js';

/** A large constant text, in the form that the transport sends fastest. */
type Kept = string | Uint8Array;

export class WorldRules {
  readonly identity: RulesIdentity;
  readonly buildingNumber: (name: string) => number;
  readonly shipNumber: (name: string) => number;
  readonly researchNumber: (name: string) => number;
  readonly driveNumber: (name: string) => number;
  #catalogText: Kept | undefined;
  #openApiText: Kept | undefined;
  #asyncApiText: Kept | undefined;
  #languageModelText: Kept | undefined;

  /**
   * @param sinceSeq an entry since which the world has played by these rules
   * @param keep converts a text to the form that the transport sends fastest
   */
  constructor(
    readonly rules: Rules,
    private readonly settings: WorldSettings,
    readonly sinceSeq: number,
    private readonly keep: (text: string) => Kept,
  ) {
    this.identity = rulesIdentity(rules);
    this.buildingNumber = numbering(rules.buildings.map(({ type }) => type));
    this.shipNumber = numbering(rules.ships.map(({ type }) => type));
    this.researchNumber = numbering(rules.research.map(({ type }) => type));
    this.driveNumber = numbering(rules.drives.map(({ type }) => type));
  }

  /** The body of GET /api/catalog. */
  get catalogText(): Kept {
    this.#catalogText ??= this.keep(JSON.stringify(catalogBody(this.settings, this.rules)));
    return this.#catalogText;
  }

  get openApiText(): Kept {
    this.#openApiText ??= this.keep(JSON.stringify(openApiDocument(this.rules)));
    return this.#openApiText;
  }

  get asyncApiText(): Kept {
    this.#asyncApiText ??= this.keep(JSON.stringify(asyncApiDocument(this.rules)));
    return this.#asyncApiText;
  }

  /** The body of GET /llms.txt. */
  get languageModelText(): Kept {
    this.#languageModelText ??= this.keep(languageModelText(this.settings, this.rules));
    return this.#languageModelText;
  }

  /** Counts by ship type; entries of the same type are added up. */
  shipsByType(entries: readonly { readonly type: string; readonly count: number }[]): number[] {
    const ships = this.rules.ships.map(() => 0);
    for (const { type, count } of entries) {
      const number = this.shipNumber(type);
      ships[number] = (ships[number] ?? 0) + count;
    }
    return ships;
  }
}
