import type { DescService } from '@bufbuild/protobuf';
import type { UntypedServiceImplementation } from '@grpc/grpc-js';

/**
 * A service for operators of the server, such as health or reflection. It has no controller and passes the
 * call stages like any other; authz recognises it by its name.
 */
export interface BuiltInService {
  readonly desc: DescService;
  /** By the method's name in the .proto file. */
  readonly handlers: UntypedServiceImplementation;
  /** Ends the calls that would otherwise stay open forever; the server is about to stop. */
  release(): void;
}
