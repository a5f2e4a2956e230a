import { type Mistakes, shownValue } from '@apix/contracts';

const PATTERN = /^[A-Za-z_]\w*(?:\.\w+)*\.(?:\*|\w+)$/;

/** The methods that are left out, as the option `exclude` names them. */
export class ExcludedMethods {
  readonly #names = new Set<string>();

  /**
   * @param patterns `shop.v1.Orders.Cancel`, or `shop.v1.Orders.*` and `shop.v1.*` for all below; as paths of
   *   gRPC, `/shop.v1.Orders/Cancel`, too.
   * @param methods the full names of all methods. A pattern that means none of them is a mistake.
   */
  constructor(patterns: readonly string[], methods: readonly string[], mistakes: Mistakes) {
    patterns.forEach((given, index) => {
      const at = `exclude[${index}]`;
      const pattern = /^\/[^/]+\/[^/]+$/.test(given) ? given.slice(1).replace('/', '.') : given;
      if (!PATTERN.test(pattern)) {
        mistakes.add(
          at,
          `${shownValue(given)} is not a method such as shop.v1.Orders.Cancel, nor shop.v1.Orders.*`,
        );
        return;
      }
      const meant = methods.filter((name) => isMeant(pattern, name));
      if (meant.length === 0) {
        mistakes.add(at, `the descriptors have no method ${shownValue(given)}`);
      }
      for (const name of meant) this.#names.add(name);
    });
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }
}

function isMeant(pattern: string, name: string): boolean {
  return pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
