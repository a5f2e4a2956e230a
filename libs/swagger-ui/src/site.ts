import { PAGE_CSS } from './gen/assets.js';
import { type Asset, DIST_FILES, distAsset, assetOf } from './assets.js';
import { type EmbeddedSpec, type SpecDocument, type PageOptions, isEmbedded } from './options.js';
import { contentSecurityPolicy, initializerJs, pageHtml } from './page.js';

/** A file to send. */
export interface SiteFile {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Set for a file that does not change. */
  readonly etag?: string;
  readonly gzipped?: Uint8Array;
  /** Its Content-Security-Policy, if it is a page. */
  readonly policy?: string;
}

/** The files of one docs page, by name; all are in the same folder. */
export class Site {
  private readonly specs: ReadonlyMap<string, EmbeddedSpec>;
  private readonly own: ReadonlyMap<string, Promise<Asset>>;

  constructor(private readonly options: PageOptions) {
    this.specs = new Map(options.specs.filter(isEmbedded).map((spec) => [spec.name, spec]));
    this.own = new Map([
      ['page.css', assetOf('page.css', Buffer.from(PAGE_CSS))],
      ['initializer.js', assetOf('initializer.js', Buffer.from(initializerJs(options)))],
    ]);
  }

  /** The page for a requested path: if the path does not end with a slash, the files are in the folder below. */
  page(path: string): SiteFile {
    const last = path.slice(path.lastIndexOf('/') + 1);
    const html = pageHtml(this.options.title, last === '' ? './' : `./${last}/`);
    return {
      contentType: 'text/html; charset=utf-8',
      bytes: Buffer.from(html),
      policy: contentSecurityPolicy(this.options),
    };
  }

  /** The file with a name; undefined if there is none. */
  async file(name: string): Promise<SiteFile | undefined> {
    const own = this.own.get(name);
    if (own !== undefined) return own;
    if (DIST_FILES.has(name)) return distAsset(name);
    const spec = this.specs.get(name);
    if (spec === undefined) return undefined;
    const { document } = spec;
    const content = typeof document === 'function' ? await document() : document;
    return { contentType: specType(name), bytes: bytesOf(content) };
  }
}

function specType(name: string): string {
  return /\.ya?ml$/.test(name) ? 'application/yaml' : 'application/json';
}

function bytesOf(document: SpecDocument): Uint8Array {
  if (document instanceof Uint8Array) return document;
  // JSON is valid YAML.
  return Buffer.from(typeof document === 'string' ? document : JSON.stringify(document));
}
