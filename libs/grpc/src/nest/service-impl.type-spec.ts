/**
 * What compiles and what does not, checked by `npm run typecheck`: an expected error that does
 * not come is an error itself.
 */
import type { MessageShape } from '@bufbuild/protobuf';
import type { GenService } from '@bufbuild/protobuf/codegenv2';
import type { Metadata, ServerUnaryCall } from '@grpc/grpc-js';
import { type Observable, of } from 'rxjs';
import {
  Health,
  type HealthCheckRequest,
  type HealthCheckRequestSchema,
  type HealthCheckResponseSchema,
  HealthCheckResponse_ServingStatus as Status,
} from '../../../grpc-client/src/gen/grpc/health/v1/health_pb.js';
import { GrpcService } from './grpc-service.decorator.js';
import type { ServiceImpl } from './service-impl.js';

type In = typeof HealthCheckRequestSchema;
type Out = typeof HealthCheckResponseSchema;

/** A service with a method of each kind. */
declare const Kinds: GenService<{
  one: { methodKind: 'unary'; input: In; output: Out };
  down: { methodKind: 'server_streaming'; input: In; output: Out };
  up: { methodKind: 'client_streaming'; input: In; output: Out };
  both: { methodKind: 'bidi_streaming'; input: In; output: Out };
}>;

const SERVING = { status: Status.SERVING };

@GrpcService(Kinds)
export class Whole implements ServiceImpl<typeof Kinds> {
  one({ service }: HealthCheckRequest, metadata: Metadata) {
    return { status: service === metadata.get('x')[0] ? Status.SERVING : Status.UNKNOWN };
  }

  down({ service }: MessageShape<In>) {
    return of(SERVING, { status: service.length });
  }

  async up(requests: Observable<HealthCheckRequest>) {
    await requests.forEach(() => {});
    return SERVING;
  }

  async *both(_requests: Observable<{ readonly service: string }>) {
    yield Promise.resolve(SERVING);
  }
}

interface Caller {
  readonly id: string;
}

/** Later, as an Observable, with the call or what a decorator injects: all answer a unary call. */
@GrpcService(Health)
export class Ways {
  async check(_request: HealthCheckRequest, { id }: Caller) {
    return Promise.resolve(id === '' ? {} : SERVING);
  }

  list(_request: unknown, _metadata: Metadata, call: ServerUnaryCall<unknown, unknown>) {
    return of({ statuses: { [call.getPath()]: SERVING } });
  }

  notOfTheService(): number {
    return 1;
  }
}

// @ts-expect-error a method is missing
export class Partly implements ServiceImpl<typeof Health> {
  check() {
    return SERVING;
  }

  list() {
    return {};
  }
}

// @ts-expect-error the request has no such field
@GrpcService(Health)
export class WrongRequest {
  check({ service }: { readonly service: number }) {
    return { status: service };
  }
}

// @ts-expect-error the answer has another type
@GrpcService(Health)
export class WrongAnswer {
  check() {
    return { status: 'SERVING' };
  }
}

// @ts-expect-error a stream of answers is an Observable or a generator
@GrpcService(Health)
export class NoStream {
  watch() {
    return SERVING;
  }
}

// @ts-expect-error its generator yields another type
@GrpcService(Health)
export class WrongYield {
  async *watch() {
    yield Promise.resolve({ status: 'SERVING' });
  }
}

// @ts-expect-error a stream of requests is an Observable
@GrpcService(Kinds)
export class NoRequests {
  up({ service }: HealthCheckRequest) {
    return { status: service.length };
  }
}

// @ts-expect-error it serves nothing of the service
@GrpcService(Health)
export class Unrelated {
  chekc() {
    return SERVING;
  }
}
