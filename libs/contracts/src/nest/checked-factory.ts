import { shownValue } from '../shown-value.js';
import { OptionsError } from '../mistakes.js';
import { isRecord } from '../options/option.js';
import { isPromiseLike } from '../kind-of-value.js';

/**
 * A factory of options whose result, or that of its promise, must be an object: one with a block body that
 * forgets `return` would configure a module with its defaults.
 *
 * @param name the package and the module, for the mistake: `cron: CronModule`.
 * @param check finds what else is wrong, and throws. Default: no checks.
 */
export function checkedFactory<A extends unknown[]>(
  name: string,
  make: (...injected: A) => unknown,
  check: (options: object) => void = () => {},
): (...injected: A) => unknown {
  const checked = (made: unknown): unknown => {
    if (!isRecord(made)) {
      throw new OptionsError(name, [`options must be an object, not ${shownValue(made)}`]);
    }
    check(made);
    return made;
  };
  return (...injected) => {
    const made = make(...injected);
    return isPromiseLike(made) ? made.then(checked) : checked(made);
  };
}
