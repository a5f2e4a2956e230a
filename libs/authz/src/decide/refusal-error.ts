import { Code, StatusError } from '@apix/contracts';
import type { Refusal } from './rulebook.js';

const { name, details, trailers } = new StatusError(Code.PERMISSION_DENIED, '');

/**
 * The error of one call that was refused: a StatusError created without the `Error` constructor, which
 * takes several times as long as the decision. Each call has its own, so that a receiver may write to it.
 */
// Why: docs/decisions/0170
class RefusalError {
  readonly message: string;
  readonly name = name;
  readonly code: Code;
  readonly details = details;
  readonly trailers = trailers;

  constructor({ code, message }: Refusal) {
    this.message = message;
    this.code = code;
  }

  /** One line: the frames would show ours alone. */
  get stack(): string {
    return `${this.name}: ${this.message}`;
  }

  set stack(value: string) {
    Object.defineProperty(this, 'stack', { value, writable: true, configurable: true });
  }
}

// `Error` is extended without its constructor: that is the one that takes long.
Object.setPrototypeOf(RefusalError.prototype, StatusError.prototype);
Object.defineProperties(RefusalError.prototype, {
  constructor: accessor('constructor', StatusError),
  [Symbol.toStringTag]: accessor(Symbol.toStringTag, 'Error'),
});
Object.freeze(RefusalError.prototype);

/** A value shared by all that each error may replace: a frozen one could not be assigned to. */
function accessor(key: PropertyKey, shared: unknown): PropertyDescriptor {
  return {
    get: () => shared,
    set(this: object, value: unknown) {
      Object.defineProperty(this, key, { value, writable: true, configurable: true });
    },
  };
}

/** The error of one more call with a refusal. */
export function refusalError(refusal: Refusal): StatusError {
  return new RefusalError(refusal) as unknown as StatusError;
}
