import type { DescribedOperation, SecurityScheme, System } from './swagger-ui.js';

/** The part of a document that one operation needs; the whole of a large document takes long to read. */
export interface Described {
  readonly operation: DescribedOperation;
  /** A document with the path of this operation only. */
  readonly spec: {
    readonly openapi?: unknown;
    readonly servers?: unknown;
    readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  };
  /** The first scheme by which a caller is known; undefined if anyone may call. */
  readonly scheme: SecurityScheme | undefined;
}

/** An operation of the document that is shown. */
export function described(system: System, path: string, method: string): Described {
  const { specSelectors } = system;
  const read = (...at: readonly string[]): unknown => plain(specSelectors.specJson().getIn(at));
  const item = read('paths', path) as Readonly<Record<string, DescribedOperation>> | undefined;
  const resolved = specSelectors.specResolvedSubtree(['paths', path, method])?.toJS();
  const operation = (resolved ?? item?.[method] ?? {}) as DescribedOperation;
  const security = operation.security ?? (read('security') as DescribedOperation['security']);
  const [name] = Object.keys(security?.[0] ?? {});
  return {
    operation,
    spec: {
      openapi: read('openapi'),
      servers: read('servers'),
      paths: { [path]: { ...item, [method]: operation } },
    },
    scheme:
      name === undefined
        ? undefined
        : (read('components', 'securitySchemes', name) as SecurityScheme | undefined),
  };
}

/** A value of Immutable as one of JavaScript. */
function plain(value: unknown): unknown {
  const stored = value as { toJS?(): unknown } | undefined;
  return typeof stored?.toJS === 'function' ? stored.toJS() : value;
}
