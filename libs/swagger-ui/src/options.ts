import { type Mistakes, shownValue } from '@apix/contracts';
import {
  type AnyTable,
  anyValue,
  arrayOf,
  checkedOptions,
  FLAG,
  isRecord,
  option,
  type OptionTable,
  parsedOption,
  required,
  section,
  shaped,
  STRING,
  withDefault,
} from '@apix/contracts/internal';
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

const EMBEDDED = section({ name: required(STRING, ''), document: anyValue<SpecDocument>() });
const LINKED = section({ name: STRING, url: required(STRING, '') });

const SPECS = parsedOption((value): readonly unknown[] => {
  if (Array.isArray(value) && value.length > 0) return value;
  throw new Error('must be a list of at least one document');
});

const SPEC = shaped<unknown>((value) => {
  if (
    !isRecord(value) ||
    ('document' in value ? typeof value.name : typeof value.url) !== 'string'
  ) {
    return parsedOption(() => {
      throw new Error('must have a name and a document, or a url');
    });
  }
  return 'document' in value ? EMBEDDED : LINKED;
});

const ORIGIN = option<string>('an origin such as "https://api.example"', isOrigin);

/** The allowed values of the options of the page. */
const PAGE_OPTIONS = {
  specs: required(SPECS, []),
  title: withDefault(STRING, 'API'),
  connect: withDefault(arrayOf(ORIGIN, 'an array of origins'), []),
  persistAuthorization: withDefault(FLAG, false),
} satisfies OptionTable<SwaggerUiOptions>;

/** The options of a page, read, with every default. */
export type PageOptions = Required<SwaggerUiOptions>;

/**
 * @param more further options that are allowed next to those of the page.
 * @throws SwaggerUiOptionsError that lists every mistake in the options.
 */
export function resolvePageOptions(options: SwaggerUiOptions, more: AnyTable = {}): PageOptions {
  const read = checkedOptions(
    { ...more, ...PAGE_OPTIONS },
    options,
    (found) => new SwaggerUiOptionsError(found),
    ({ specs }, mistakes) => checkSpecs(specs, mistakes),
  );
  return { ...read, specs: read.specs as readonly Spec[] };
}

function checkSpecs(specs: readonly unknown[], mistakes: Mistakes): void {
  const seen = new Set<string>();
  for (const [index, given] of specs.entries()) {
    const before = mistakes.found.length;
    SPEC.read(given, `specs[${index}]`, mistakes);
    if (mistakes.found.length > before) continue;
    const spec = given as Spec;
    const name = specName(spec);
    if (seen.has(name)) mistakes.add('specs', `${shownValue(name)} is given twice`);
    seen.add(name);
    if (isEmbedded(spec)) checkFileName(name, mistakes);
  }
}

function checkFileName(name: string, mistakes: Mistakes): void {
  const shown = shownValue(name);
  if (!/^[\w.-]+$/.test(name) || /^\.+$/.test(name)) {
    mistakes.add('specs', `${shown} is not a file name: use letters, digits, "_", "-" and "."`);
  }
  if (TAKEN.test(name)) mistakes.add('specs', `${shown} is a file of the page itself`);
}

function isOrigin(given: unknown): boolean {
  return typeof given === 'string' && URL.canParse(given) && new URL(given).origin === given;
}

export function isEmbedded(spec: Spec): spec is EmbeddedSpec {
  return 'document' in spec;
}

/** The name of a spec in the drop-down. */
export function specName(spec: Spec): string {
  return isEmbedded(spec) ? spec.name : (spec.name ?? spec.url);
}
