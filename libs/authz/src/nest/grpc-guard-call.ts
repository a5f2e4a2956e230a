import { peerCertificate } from '@apix/calls/internal';
import type { GrpcArguments } from '@apix/calls/internal-nest';
import {
  type CallContext,
  type CallMetadata,
  type CallMethod,
  type CallPeer,
} from '@apix/contracts';
import { FORWARDED_KEY } from '@apix/contracts/internal';

type GrpcCall = GrpcArguments['call'];

/** A gRPC call in the guard, on a server without the call stage. */
export class GrpcGuardCall implements CallContext {
  readonly door = 'grpc';
  readonly method: CallMethod;
  readonly metadata: CallMetadata;
  readonly forwarded: boolean;
  readonly #call: GrpcCall;
  #signal: AbortSignal | undefined;

  constructor(call: GrpcCall, methodOf: (fullName: string) => CallMethod | undefined) {
    this.#call = call;
    const path = call.getPath();
    this.method = methodOf(path) ?? unknownMethod(path);
    const { metadata } = call;
    this.metadata = {
      get: (key) => metadata.get(key).filter((value) => typeof value === 'string'),
      keys: () => Object.keys(metadata.getMap()),
    };
    this.forwarded = metadata.get(FORWARDED_KEY).length > 0;
  }

  get peer(): CallPeer {
    const address = this.#call.getPeer();
    const verified = this.forwarded ? undefined : this.#call.getAuthContext().sslPeerCertificate;
    return verified === undefined
      ? { address }
      : { address, certificate: peerCertificate(verified) };
  }

  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      const controller = new AbortController();
      if (this.#call.cancelled) controller.abort();
      else this.#call.once('cancelled', () => controller.abort());
      this.#signal = controller.signal;
    }
    return this.#signal;
  }
}

/** A method that the descriptors do not know is refused, whatever its kind. */
function unknownMethod(path: string): CallMethod {
  const slash = path.lastIndexOf('/');
  return {
    fullName: path,
    service: path.slice(1, Math.max(slash, 1)),
    name: path.slice(slash + 1),
    kind: 'unary',
  };
}
