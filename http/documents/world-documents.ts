// The documents that are derived from the rules of a world. Each is made at its first use, and again after the operator has switched
// the rules.
import type { Rules } from '../../engine/rules/rules.js';
import type { ReadonlyWorld, WorldSettings } from '../../engine/world/state.js';
import { PerRuleSet } from '../checks/world-rules.js';
import { catalogBody } from '../views/catalog-view.js';
import { asyncApiDocument } from './asyncapi.js';
import { languageModelText } from './language-model-text.js';
import { openApiDocument } from './openapi.js';

/** A large constant text, in the form that the transport sends fastest. */
type Kept = string | Uint8Array;

export class WorldDocuments {
  readonly #documents: PerRuleSet<RuleDocuments>;

  /**
   * @param time of the world
   * @param keep converts a text to the form that the transport sends fastest
   */
  constructor(world: ReadonlyWorld, time: { readonly lastSeq: number }, keep: (text: string) => Kept) {
    this.#documents = new PerRuleSet(world, (rules) => new RuleDocuments(rules, world.settings, time.lastSeq, keep));
  }

  get present(): RuleDocuments {
    return this.#documents.present;
  }
}

class RuleDocuments {
  #catalogText: Kept | undefined;
  #openApiText: Kept | undefined;
  #asyncApiText: Kept | undefined;
  #languageModelText: Kept | undefined;

  /** @param sinceSeq an entry since which the world has played by these rules */
  constructor(
    private readonly rules: Rules,
    private readonly settings: WorldSettings,
    readonly sinceSeq: number,
    private readonly keep: (text: string) => Kept,
  ) {}

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
}
