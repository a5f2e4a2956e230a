import type { HttpRuleInit } from '@apix/gateway/core';
import { Generation, type GenerationParts } from './generation.js';
import { readSources } from './read-sources.js';

/** Where descriptors come from. */
export interface CatalogueSource extends GenerationParts {
  /** Asks the server for them; for where no file is given. */
  readonly reflect: () => Promise<Uint8Array>;
}

/**
 * What is served now. Descriptors and rules are read as a whole: what is wrong leaves what there is,
 * and what has not changed changes nothing.
 */
export class Catalogue {
  readonly #source: CatalogueSource;
  #current: Generation | undefined;
  #digest = '';
  #loading: Promise<boolean> | undefined;

  constructor(source: CatalogueSource) {
    this.#source = source;
  }

  /** Undefined before the first one was read. */
  get current(): Generation | undefined {
    return this.#current;
  }

  /** Whether files alone say what is served, so that no server is needed to start. */
  get isLocal(): boolean {
    return this.#source.settings.descriptors.length > 0;
  }

  /**
   * Reads everything, or joins the reading under way.
   *
   * @returns whether something has changed.
   * @throws whatever is wrong with descriptors, rules or policies, or with asking for them.
   */
  load(): Promise<boolean> {
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async #load(): Promise<boolean> {
    const { settings, reflect } = this.#source;
    const { rules, descriptors } = readSources(settings);
    const reflected = this.isLocal ? [] : [await reflect()];
    const digest = digestOf([...descriptors, ...reflected], rules);
    if (digest === this.#digest) return false;
    // Files by their paths, so that mistakes have them.
    const sources = [...settings.descriptors, ...reflected];
    this.#current = new Generation(sources, rules, this.#source);
    this.#digest = digest;
    return true;
  }
}

function digestOf(sources: readonly Uint8Array[], rules: readonly HttpRuleInit[]): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const hash = createHash('sha256');
  for (const bytes of sources) hash.update(createHash('sha256').update(bytes).digest());
  return hash.update(JSON.stringify(rules)).digest('hex');
}
