import { type Mistakes, shownValue } from '@apix/contracts';
import { coversMethod } from './method-pattern.js';

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

/** Methods that need no requirement under `unannotated: 'deny'`: only such that exist. */
export class Exemptions {
  readonly #methods = new Set(
    Object.entries(INFRASTRUCTURE).flatMap(([service, names]) =>
      names.map((name) => `/${service}/${name}`),
    ),
  );

  /**
   * @param entries `/pkg.Service/Method`, or `/pkg.Service/*` for a whole service.
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
    for (const entry of entries) {
      if (!ENTRY.test(entry)) {
        mistakes.add(
          'exempt',
          `${shownValue(entry)} must be /pkg.Service/Method or /pkg.Service/*`,
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
}
