// The documents that are derived from the rules and the settings of a world. Each is made at its first use, and again after the operator has
// switched the rules or changed the speed.
import type { Rules } from '../../engine/rules/rules.js';
import type { ReadonlyWorld, WorldSettings } from '../../engine/world/state.js';
import { rulesIdentity } from '../../persistence/rules/stored-rules.js';
import { catalogBody } from '../views/catalog-view.js';
import { asyncApiDocument } from './asyncapi.js';
import { languageModelText } from './language-model-text.js';
import { openApiDocument } from './openapi.js';

/** A large constant text, in the form that the transport sends fastest. */
type Kept = string | Uint8Array;

export class WorldDocuments {
  #documents: RuleDocuments;

  /**
   * @param time of the world
   * @param keep converts a text to the form that the transport sends fastest
   */
  constructor(
    private readonly world: ReadonlyWorld,
    private readonly time: { readonly lastSeq: number },
    private readonly keep: (text: string) => Kept,
  ) {
    this.#documents = this.#made();
  }

  get present(): RuleDocuments {
    const { rules, settings } = this.#documents;
    if (rules !== this.world.rules || settings !== this.world.settings) this.#documents = this.#made();
    return this.#documents;
  }

  #made(): RuleDocuments {
    const { rules, settings } = this.world;
    return new RuleDocuments(rules, settings, this.time.lastSeq, this.keep);
  }
}

class RuleDocuments {
  #version: string | undefined;
  #catalogText: Kept | undefined;
  #openApiText: Kept | undefined;
  #asyncApiText: Kept | undefined;
  #languageModelText: Kept | undefined;

  /** @param sinceSeq an entry since which the world has had these rules and this speed */
  constructor(
    readonly rules: Rules,
    readonly settings: WorldSettings,
    readonly sinceSeq: number,
    private readonly keep: (text: string) => Kept,
  ) {}

  /** Of all of them: equal ones are of equal rules and the same speed, in any process. */
  get version(): string {
    this.#version ??= `${rulesIdentity(this.rules).digest}-${this.settings.speedThousandths}`;
    return this.#version;
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
}
