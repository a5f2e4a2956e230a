/** An OpenAPI document: an object, JSON or YAML text, or a function that is asked each time. */
export type SpecDocument = object | string | Uint8Array;

/** A document that the docs serve themselves, next to the page. */
export interface EmbeddedSpec {
  /** Its name in the drop-down, and the file it is served as; `.yaml` makes it YAML. */
  readonly name: string;
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
  /** What is documented; several make a drop-down, the first one is shown. */
  readonly specs: readonly Spec[];
  /** Title of the page. Default: `API`. */
  readonly title?: string;
  /**
   * Origins, such as `https://api.example`, that "Try it out" may call beside the page's own and
   * those of linked specs. Default: none.
   */
  readonly connect?: readonly string[];
  /** Keeps what was entered under "Authorize" in the browser's storage. Default: false. */
  readonly persistAuthorization?: boolean;
}

/** Names of files the docs have of their own. */
const TAKEN = /^(?:index\.html|initializer\.js|page\.css|oauth2-redirect\.|swagger-ui|favicon-)/;

/** @throws Error that lists what is wrong with the options. */
export function assertOptions({ specs, connect = [] }: SwaggerUiOptions): void {
  const mistakes: string[] = [];
  if (specs.length === 0) mistakes.push('specs: give at least one document');
  const seen = new Set<string>();
  for (const name of specs.map(nameOf)) {
    if (seen.has(name)) mistakes.push(`specs: ${JSON.stringify(name)} is there twice`);
    seen.add(name);
  }
  for (const spec of specs.filter(isEmbedded)) {
    const name = JSON.stringify(spec.name);
    if (!/^[\w.-]+$/.test(spec.name) || /^\.+$/.test(spec.name)) {
      mistakes.push(`specs: ${name} is no file name of letters, digits, "_", "-" and "."`);
    }
    if (TAKEN.test(spec.name)) mistakes.push(`specs: ${name} is a file of the page itself`);
  }
  for (const origin of connect) {
    if (URL.canParse(origin) && new URL(origin).origin === origin) continue;
    mistakes.push(`connect: ${JSON.stringify(origin)} is no origin such as "https://api.example"`);
  }
  if (mistakes.length > 0) throw new Error(`swagger-ui: ${mistakes.join('\nswagger-ui: ')}`);
}

export function isEmbedded(spec: Spec): spec is EmbeddedSpec {
  return 'document' in spec;
}

/** What the drop-down calls a spec. */
export function nameOf(spec: Spec): string {
  return isEmbedded(spec) ? spec.name : (spec.name ?? spec.url);
}
