import type { CallTransport } from '@apix/grpc-client/transport';
import type { CallHead, CallListener } from '@apix/calls';
import type { WrittenAnswer } from '../response/response-body.js';

/** How calls reach the server. */
export type TransportKind = 'network' | 'in-process';

/**
 * Where a gateway's calls go: `networkUpstream()`, `inProcessUpstream()`, or any transport of
 * `@apix/grpc`.
 */
// Why: docs/decisions/0160
export type Upstream = CallTransport;

/** A call that the gateway makes. */
export type UpstreamHead = CallHead<WrittenAnswer>;

/** Takes the answer to a call of the gateway. */
export type AnswerListener = CallListener<WrittenAnswer>;
