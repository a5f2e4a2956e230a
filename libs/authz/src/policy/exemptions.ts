import { type Mistakes, shownValue } from '@apix/contracts';
import { coversMethod } from './method-pattern.js';

/** Services of the operator, not of the app; exempt unless their descriptors say otherwise. */
export const INFRASTRUCTURE_SERVICES: readonly string[] = [
  'grpc.health.v1.Health',
  'grpc.reflection.v1.ServerReflection',
  'grpc.reflection.v1alpha.ServerReflection',
];

const ENTRY = /^\/([A-Za-z_][\w.]*)\/(\*|[A-Za-z_]\w*)$/;

/** Methods that need no requirement under `unannotated: 'deny'`. */
export class Exemptions {
  readonly #services = new Set(INFRASTRUCTURE_SERVICES);
  readonly #methods = new Set<string>();

  /**
   * @param entries `/pkg.Service/Method`, or `/pkg.Service/*` for a whole service.
   * @param methods what the descriptors know, to catch entries that exempt nothing.
   */
  constructor(entries: readonly string[], methods: Iterable<string>, mistakes: Mistakes) {
    const known = [...methods];
    for (const entry of entries) {
      const match = ENTRY.exec(entry);
      const service = match?.[1] ?? '';
      const whole = match?.[2] === '*';
      if (match === null) {
        mistakes.add(
          'exempt',
          `${shownValue(entry)} must be /pkg.Service/Method or /pkg.Service/*`,
        );
      } else if (!known.some((name) => coversMethod(entry, name))) {
        mistakes.add(
          'exempt',
          `${shownValue(entry)} exempts nothing: the descriptors have no such method`,
        );
      } else if (whole) this.#services.add(service);
      else this.#methods.add(entry);
    }
  }

  has(fullName: string): boolean {
    return this.#methods.has(fullName) || this.#services.has(serviceOf(fullName));
  }
}

/** The service in `/pkg.Service/Method`; empty for a name that is not of that form. */
function serviceOf(fullName: string): string {
  const slash = fullName.indexOf('/', 1);
  return fullName.startsWith('/') && slash > 0 && !fullName.includes('/', slash + 1)
    ? fullName.slice(1, slash)
    : '';
}
