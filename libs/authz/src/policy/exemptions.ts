import { type Mistakes, shownValue } from '@apix/contracts';

/**
 * Services of the operator, not of the app, with their methods, which the descriptors of an app
 * seldom have; exempt unless they say otherwise.
 */
const INFRASTRUCTURE: Readonly<Record<string, readonly string[]>> = {
  'grpc.health.v1.Health': ['Check', 'List', 'Watch'],
  'grpc.reflection.v1.ServerReflection': ['ServerReflectionInfo'],
  'grpc.reflection.v1alpha.ServerReflection': ['ServerReflectionInfo'],
};

export const INFRASTRUCTURE_SERVICES: readonly string[] = Object.keys(INFRASTRUCTURE);

const ENTRY = /^\/[A-Za-z_][\w.]*\/(?:\*|[A-Za-z_]\w*)$/;
const HANDLER_ENTRY = /^[A-Za-z_$][\w$]*\.(?:\*|[A-Za-z_$][\w$]*)$/;

/** Methods and handlers that need no requirement under `unannotated: 'deny'`. */
export class Exemptions {
  /** The entries for handlers. Whether there are such handlers can be known only in a Nest app. */
  readonly handlers: readonly string[];
  readonly #methods = new Set(
    Object.entries(INFRASTRUCTURE).flatMap(([service, names]) =>
      names.map((name) => `/${service}/${name}`),
    ),
  );

  /**
   * @param entries `/pkg.Service/Method`, or `/pkg.Service/*` for a whole service; `Class.method`, or
   *   `Class.*`, for handlers.
   * @param methods what the descriptors know, to catch entries that exempt nothing.
   */
  constructor(entries: readonly string[], methods: Iterable<string>, mistakes: Mistakes) {
    const known = [...methods];
    const exempt = (pattern: string): boolean => {
      const covered = known.filter((name) => coversMethod(pattern, name));
      for (const name of covered) this.#methods.add(name);
      return covered.length > 0;
    };
    for (const service of INFRASTRUCTURE_SERVICES) exempt(`/${service}/*`);
    this.handlers = entries.filter((entry) => HANDLER_ENTRY.test(entry));
    for (const entry of entries.filter((each) => !this.handlers.includes(each))) {
      if (!ENTRY.test(entry)) {
        mistakes.add(
          'exempt',
          `${shownValue(entry)} must be /pkg.Service/Method, /pkg.Service/*, Class.method or Class.*`,
        );
      } else if (!exempt(entry)) {
        mistakes.add(
          'exempt',
          `${shownValue(entry)} exempts nothing: the descriptors have no such method`,
        );
      }
    }
  }

  has(fullName: string): boolean {
    return this.#methods.has(fullName);
  }

  /** @param name `Class.method`. */
  hasHandler(name: string): boolean {
    return this.handlers.some((entry) => coversHandler(entry, name));
  }
}

/** Whether `/pkg.Service/Method`, or `/pkg.Service/*` for a whole service, means a method. */
export function coversMethod(pattern: string, fullName: string): boolean {
  return pattern.endsWith('/*') ? fullName.startsWith(pattern.slice(0, -1)) : fullName === pattern;
}

/** Whether `Class.method`, or `Class.*` for all that a class has, means a handler. */
export function coversHandler(pattern: string, name: string): boolean {
  return pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
