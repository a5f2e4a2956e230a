import type { DoorOptions } from '../request/door-options.js';

/** Options of the events of gRPC calls. */
export interface GrpcLogOptions extends DoorOptions {
  /** Metadata key that brings the request's id and takes it back. Default: `'x-request-id'`. */
  readonly metadataKey?: string | undefined;
}
