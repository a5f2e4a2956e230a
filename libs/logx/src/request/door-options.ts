import { Mistakes, OptionsError, shownValue } from '@apix/contracts';
import { safeGenerator } from './request-id.js';

/** What the doors have in common. */
export interface DoorOptions {
  /** Name of the field that holds the request's id. Default: `'RequestId'`. */
  readonly field?: string | undefined;
  /**
   * Makes an id where a request brings none that can be used. What it throws, and an id that is
   * not 1 to 128 visible ASCII characters, is replaced by `newId()`. Default: `newId`.
   */
  readonly idGenerator?: (() => string) | undefined;
  /**
   * Leaves out successful and failed probes: requests that infrastructure endpoints (health,
   * metrics, docs) answer, the gRPC health service, and the HTTP paths given here. Default:
   * false, all are logged.
   */
  readonly skipProbes?: boolean | readonly string[] | undefined;
}

/** The field that holds a request's id, unless options say otherwise. */
export const DEFAULT_ID_FIELD = 'RequestId';

/** What the doors have in common, checked and with every default. */
export interface DoorSettings {
  readonly field: string;
  readonly newId: () => string;
  readonly skipsProbes: boolean;
  /** Paths that are probes. */
  readonly probes: ReadonlySet<string>;
}

/** Notes what is wrong with the options, which JavaScript and documents may give as anything. */
export function readDoorOptions(
  { field = DEFAULT_ID_FIELD, idGenerator, skipProbes = false }: DoorOptions,
  at: string,
  mistakes: Mistakes,
): DoorSettings {
  checkFunction(`${at}idGenerator`, idGenerator, mistakes);
  return {
    field: mistakes.text(`${at}field`, field),
    newId: safeGenerator(idGenerator),
    skipsProbes: skipProbes !== false,
    probes: new Set(pathsIn(skipProbes, `${at}skipProbes`, mistakes)),
  };
}

/** What `read` returns. @throws OptionsError with the mistakes that it notes. */
export function resolved<T>(read: (mistakes: Mistakes) => T): T {
  const mistakes = new Mistakes();
  const settings = read(mistakes);
  mistakes.throwIfAny((found) => new OptionsError('logx', found));
  return settings;
}

/** The options, or none where something else than an object is given. */
export function objectOr<T extends object>(
  options: T | undefined,
  at: string,
  mistakes: Mistakes,
): Partial<T> {
  const given: unknown = options;
  if (given === undefined) return {};
  if (typeof given === 'object' && given !== null) return given;
  mistakes.add(at, `must be an object, not ${shownValue(given)}`);
  return {};
}

/** Notes a value that is given and is not a function. */
export function checkFunction(where: string, value: unknown, mistakes: Mistakes): void {
  if (value === undefined || typeof value === 'function') return;
  mistakes.add(where, `must be a function, not ${shownValue(value)}`);
}

function pathsIn(skipProbes: unknown, where: string, mistakes: Mistakes): readonly string[] {
  if (typeof skipProbes === 'boolean') return [];
  if (!Array.isArray(skipProbes)) {
    mistakes.add(where, `must be true, false or an array of paths, not ${shownValue(skipProbes)}`);
    return [];
  }
  return (skipProbes as readonly unknown[]).filter((path, i): path is string => {
    if (typeof path === 'string' && path.startsWith('/')) return true;
    const what = `must be a path that starts with "/", not ${shownValue(path)}`;
    mistakes.add(`${where}[${i}]`, what);
    return false;
  });
}
