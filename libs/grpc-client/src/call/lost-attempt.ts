import type { Metadata } from '@grpc/grpc-js';
import type { CallEnd } from '@apix/calls';
import type { LostCallPolicy } from '../service-config/lost-calls.js';

/** Follows a call that is made again when it is lost between the headers of its response and its status. */
export class LostAttempt {
  readonly #policy: LostCallPolicy;
  #attempts = 1;
  /** Of the attempt under way; its caller gets those of the last one. */
  headers: Metadata | undefined;

  constructor(policy: LostCallPolicy) {
    this.#policy = policy;
  }

  /** How often the call was made again. */
  get resends(): number {
    return this.#attempts - 1;
  }

  /** Whether the call is to be made again. Before the headers, that is for the channel to say. */
  mayRepeat({ status, fromServer }: CallEnd): boolean {
    const { codes, attempts } = this.#policy;
    const isLost = !fromServer && this.headers !== undefined && codes.has(status.code as number);
    if (!isLost || this.#attempts >= attempts) return false;
    this.#attempts += 1;
    this.headers = undefined;
    return true;
  }
}

/** Under which key grpc-js says of an answer how many attempts came before it (gRFC A6). */
const PREVIOUS_ATTEMPTS = 'grpc-previous-rpc-attempts';

/** How many attempts came before the one that was answered with this metadata. */
export function resendsBefore(metadata: Metadata): number {
  const [value] = metadata.get(PREVIOUS_ATTEMPTS);
  // A server may say anything.
  return typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : 0;
}
