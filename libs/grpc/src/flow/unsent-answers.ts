import { Code, StatusError } from '@apix/contracts';

/** How much may wait for slow callers, in bytes of memory, roughly. */
export interface UnsentLimits {
  readonly perCall: number;
  readonly total: number;
}

const MIB = 1024 * 1024;

export const DEFAULT_UNSENT_LIMITS: UnsentLimits = { perCall: 4 * MIB, total: 64 * MIB };

/** A call with answers that wait for its caller. */
export interface UnreadCall {
  readonly unsentBytes: number;
  /** Ends the call and drops what waits. */
  overflow(error: StatusError): void;
}

/** The answers of all calls of a server that their callers have not taken yet. */
export class UnsentAnswers {
  readonly #limits: UnsentLimits;
  readonly #calls = new Set<UnreadCall>();
  #total = 0;

  constructor(limits: UnsentLimits) {
    this.#limits = limits;
  }

  /** Bytes that wait, of all calls. */
  get total(): number {
    return this.#total;
  }

  /** Ends a call that goes beyond its limit, or the one with most where all together do. */
  add(call: UnreadCall, bytes: number): void {
    this.#total += bytes;
    this.#calls.add(call);
    const { perCall, total } = this.#limits;
    if (call.unsentBytes > perCall) call.overflow(tooMuch('of this call', perCall));
    else if (this.#total > total) this.#largest()?.overflow(tooMuch('of all calls', total));
  }

  remove(call: UnreadCall, bytes: number): void {
    this.#total -= bytes;
    if (call.unsentBytes === 0) this.#calls.delete(call);
  }

  #largest(): UnreadCall | undefined {
    let largest: UnreadCall | undefined;
    for (const call of this.#calls) {
      if (largest === undefined || call.unsentBytes > largest.unsentBytes) largest = call;
    }
    return largest;
  }
}

function tooMuch(whose: string, bytes: number): StatusError {
  return new StatusError(
    Code.RESOURCE_EXHAUSTED,
    `the answers ${whose} that wait for the caller exceed ${bytes} bytes; read them faster`,
  );
}
