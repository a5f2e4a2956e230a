import { create, fromBinary } from '@bufbuild/protobuf';
import { Metadata, status as GrpcStatus } from '@grpc/grpc-js';
import type { CallTransport } from '../transport/call-transport.js';
import type { MessageOrWire, CallEnd } from '@apix/calls';
import {
  Health,
  HealthCheckRequestSchema,
  type HealthCheckResponse,
  HealthCheckResponseSchema,
} from '../gen/grpc/health/v1/health_pb.js';

/** The health that a server reports; `unserved` if it has no `grpc.health.v1`. */
export type ServingHealth = 'serving' | 'not-serving' | 'unserved';

/** gRPC Health Checking Protocol: SERVING of `HealthCheckResponse.ServingStatus`. */
const SERVING = 1;

/**
 * Asks a server by `grpc.health.v1` whether it serves.
 *
 * @param deadline in milliseconds since the epoch.
 * @param service Default: `''`, the whole server.
 * @throws Error if the health cannot be checked.
 */
export function checkHealth(
  transport: CallTransport,
  deadline: number,
  service = '',
): Promise<ServingHealth> {
  return new Promise((resolve, reject) => {
    let health: ServingHealth = 'not-serving';
    const onMessage = (message: MessageOrWire): void => {
      const { status } =
        message instanceof Uint8Array
          ? fromBinary(HealthCheckResponseSchema, message)
          : (message as HealthCheckResponse);
      if (status.valueOf() === SERVING) health = 'serving';
      call.read();
    };
    const onEnd = ({ status: { code, details } }: CallEnd): void => {
      if (code === GrpcStatus.OK) resolve(health);
      else if (code === GrpcStatus.UNIMPLEMENTED) resolve('unserved');
      else {
        const why = `${GrpcStatus[code] ?? code}: ${details}`;
        reject(new Error(`grpc: the health of ${transport.target} cannot be checked: ${why}`));
      }
    };
    const call = transport.open(
      {
        method: Health.method.check,
        path: '/grpc.health.v1.Health/Check',
        metadata: new Metadata(),
        deadline,
      },
      { onHeaders: () => {}, onMessage, onEnd },
    );
    call.send(create(HealthCheckRequestSchema, { service }));
    call.halfClose();
    call.read();
  });
}
