import type { CallContext, CallDoor, CallMetadata, CallMethod, CallPeer } from '@apix/contracts';

/** A call of which only the handler is known. */
export class UnreadableCall implements CallContext {
  readonly metadata: CallMetadata = { get: () => [], keys: () => [] };
  readonly peer: CallPeer = { address: '' };
  readonly signal: AbortSignal = new AbortController().signal;
  readonly forwarded = false;

  constructor(
    readonly door: CallDoor,
    readonly method: CallMethod,
  ) {}
}
