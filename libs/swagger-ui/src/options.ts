import { SwaggerUiOptionsError } from './errors.js';

/** An OpenAPI document: an object, or JSON or YAML text. */
export type SpecDocument = object | string | Uint8Array;

/** A document that is served next to the page. */
export interface EmbeddedSpec {
  /** Its name in the drop-down, and its file name; a name that ends in `.yaml` is served as YAML. */
  readonly name: string;
  /** The document, or a function that is called for each request. */
  readonly document: SpecDocument | (() => SpecDocument | Promise<SpecDocument>);
}

/** A document that is served elsewhere. */
export interface LinkedSpec {
  /** Its name in the drop-down. Default: the address. */
  readonly name?: string;
  /** Its address, absolute or relative to the page. */
  readonly url: string;
}

export type Spec = EmbeddedSpec | LinkedSpec;

export interface SwaggerUiOptions {
  /** The documents; if there are several, a drop-down selects one, and the first one is shown. */
  readonly specs: readonly Spec[];
  /** Title of the page. Default: `API`. */
  readonly title?: string;
  /**
   * Origins, such as `https://api.example`, that "Try it out" may call in addition to the page's own
   * origin and those of linked specs. Default: none.
   */
  readonly connect?: readonly string[];
  /** Keeps what was entered under "Authorize" in the browser's storage. Default: false. */
  readonly persistAuthorization?: boolean;
}

/** Names that files of the page itself use. */
const TAKEN = /^(?:index\.html|initializer\.js|page\.css|oauth2-redirect\.|swagger-ui|favicon-)/;

/** @throws SwaggerUiOptionsError that lists every mistake in the options. */
export function assertOptions(options: SwaggerUiOptions, ...more: readonly string[]): void {
  const { title, connect = [], persistAuthorization } = options;
  const mistakes = [...more, ...specMistakes(options.specs)];
  if (title !== undefined && typeof title !== 'string') {
    mistakes.push(`title: must be a string, not ${shown(title)}`);
  }
  if (persistAuthorization !== undefined && typeof persistAuthorization !== 'boolean') {
    mistakes.push(
      `persistAuthorization: must be true or false, not ${shown(persistAuthorization)}`,
    );
  }
  for (const origin of Array.isArray(connect) ? (connect as readonly unknown[]) : [connect]) {
    if (isOrigin(origin)) continue;
    mistakes.push(`connect: ${shown(origin)} is not an origin such as "https://api.example"`);
  }
  if (mistakes.length > 0) throw new SwaggerUiOptionsError(mistakes);
}

function specMistakes(specs: unknown): string[] {
  if (!Array.isArray(specs) || specs.length === 0) {
    return ['specs: must be a list of at least one document'];
  }
  const mistakes: string[] = [];
  const seen = new Set<string>();
  for (const [index, spec] of specs.entries()) {
    if (!isSpec(spec)) {
      mistakes.push(`specs[${index}]: must have a name and a document, or a url`);
      continue;
    }
    const name = specName(spec);
    if (seen.has(name)) mistakes.push(`specs: ${shown(name)} is given twice`);
    seen.add(name);
    if (!isEmbedded(spec)) continue;
    if (!/^[\w.-]+$/.test(name) || /^\.+$/.test(name)) {
      mistakes.push(
        `specs: ${shown(name)} is not a file name: use letters, digits, "_", "-" and "."`,
      );
    }
    if (TAKEN.test(name)) mistakes.push(`specs: ${shown(name)} is a file of the page itself`);
  }
  return mistakes;
}

function isSpec(given: unknown): given is Spec {
  if (typeof given !== 'object' || given === null) return false;
  const { name, url } = given as Partial<Record<string, unknown>>;
  return 'document' in given ? typeof name === 'string' : typeof url === 'string';
}

function isOrigin(given: unknown): boolean {
  return typeof given === 'string' && URL.canParse(given) && new URL(given).origin === given;
}

/** A value in an error message: only strings are shown, because others may be long or secret. */
function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : `a value of type ${typeof value}`;
}

export function isEmbedded(spec: Spec): spec is EmbeddedSpec {
  return 'document' in spec;
}

/** The name of a spec in the drop-down. */
export function specName(spec: Spec): string {
  return isEmbedded(spec) ? spec.name : (spec.name ?? spec.url);
}
