import type { CallTransport } from '@apix/grpc-client/transport';
import type { MessageOrWire, CallHead, CallListener } from '@apix/calls';

/** How calls reach the server. */
export type TransportKind = 'network' | 'in-process';

/**
 * Where a gateway's calls go: `networkUpstream()`, `inProcessUpstream()`, or any transport of
 * `@apix/grpc`.
 */
// Why: docs/decisions/0160
export type Upstream = CallTransport;

/** An answer as the gateway sends it. */
export class WrittenAnswer {
  constructor(readonly bytes: Uint8Array) {}
}

/** The part of an answer that a gateway uses. */
export type AnswerContent = MessageOrWire | WrittenAnswer;

/** A call that the gateway makes. */
export type UpstreamHead = CallHead<WrittenAnswer>;

/** Takes the answer to a call of the gateway. */
export type AnswerListener = CallListener<WrittenAnswer>;
