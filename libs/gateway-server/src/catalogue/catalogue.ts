import { Generation, type GenerationFiles, type GenerationParts } from './generation.js';
import { readSources } from './read-sources.js';

/** Where descriptors come from. */
export interface CatalogueSource extends GenerationParts {
  /** Reads them from the server; used if no file is given. */
  readonly reflect: () => Promise<Uint8Array>;
}

/**
 * Holds what is served now. Descriptors and rules are read as a whole: if they are not valid, the current
 * generation stays; if they have not changed, nothing happens.
 */
export class Catalogue {
  readonly #source: CatalogueSource;
  #current: Generation | undefined;
  #digest = '';
  #last: Promise<unknown> = Promise.resolve();

  constructor(source: CatalogueSource) {
    this.#source = source;
  }

  /** Undefined until the first generation has been read. */
  get current(): Generation | undefined {
    return this.#current;
  }

  /** Whether files alone determine what is served, so that startup does not need the server. */
  get isLocal(): boolean {
    return this.#source.settings.descriptors.length > 0;
  }

  /**
   * Reads everything, after a read in progress: what has changed since that one began is not in it.
   *
   * @returns whether something has changed.
   * @throws the error in descriptors, rules or policies, or of the request for them.
   */
  load(): Promise<boolean> {
    const mine = this.#last.then(() => this.#load());
    // A failed read concerns its caller.
    this.#last = mine.catch(() => {});
    return mine;
  }

  async #load(): Promise<boolean> {
    const { settings, reflect } = this.#source;
    const { descriptors, ...files } = readSources(settings);
    const reflected = this.isLocal ? [] : [await reflect()];
    const digest = digestOf([...descriptors, ...reflected], files);
    if (digest === this.#digest) return false;
    // Files are passed as paths, so that mistakes name them.
    const sources = [...settings.descriptors, ...reflected];
    this.#current = new Generation(sources, files, this.#source);
    this.#digest = digest;
    return true;
  }
}

function digestOf(sources: readonly Uint8Array[], files: GenerationFiles): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const hash = createHash('sha256');
  for (const bytes of sources) hash.update(createHash('sha256').update(bytes).digest());
  return hash.update(JSON.stringify(files)).digest('hex');
}
