import { Code } from '@apix/contracts';
import type { ServerUnaryCall, ServerWritableStream, sendUnaryData } from '@grpc/grpc-js';
import {
  Health,
  type HealthCheckRequest,
  HealthCheckResponse_ServingStatus as Status,
} from '@apix/grpc-client/protos';
import type { BuiltInService } from '../server/built-in.js';
import { OpenStreams } from '../server/open-streams.js';
import type { ServingState } from './serving-state.js';

interface Response {
  readonly status: Status;
}
interface ListResponse {
  readonly statuses: Readonly<Record<string, Response>>;
}
type Check = ServerUnaryCall<HealthCheckRequest, Response>;
type Watch = ServerWritableStream<HealthCheckRequest, Response>;

/**
 * `grpc.health.v1` (https://github.com/grpc/grpc/blob/master/doc/health-checking.md). The server
 * as a whole, `''`, and each of its services have the same state.
 *
 * @param services full names of all services that the server serves, this one among them.
 */
export function healthService(state: ServingState, services: readonly string[]): BuiltInService {
  const known = new Set(['', ...services]);
  const watches = new OpenStreams();
  const current = async (): Promise<Response> => ({ status: statusOf(await state.isServing()) });
  return {
    desc: Health,
    handlers: {
      async Check({ request: { service } }: Check, answer: sendUnaryData<Response>): Promise<void> {
        if (known.has(service)) answer(null, await current());
        else answer({ code: Code.NOT_FOUND as number, details: `there is no service ${service}` });
      },
      async List(_call: unknown, answer: sendUnaryData<ListResponse>): Promise<void> {
        const response = await current();
        answer(null, { statuses: Object.fromEntries([...known].map((name) => [name, response])) });
      },
      Watch(call: Watch): void {
        if (known.has(call.request.service)) follow(call, state);
        // The protocol has it so: the service may come to be known, and the call stays open.
        else call.write({ status: Status.SERVICE_UNKNOWN });
        watches.add(call);
      },
    },
    // Why: docs/decisions/0150
    release: () => watches.endAll(),
  };
}

/** Tells a watcher the state, and each change of it. */
function follow(call: Watch, state: ServingState): void {
  let told: Status | undefined;
  const stop = state.watch((isServing) => {
    const status = statusOf(isServing);
    if (status === told || call.writableEnded) return;
    told = status;
    call.write({ status });
  });
  call.once('cancelled', stop).once('finish', stop);
}

function statusOf(isServing: boolean): Status {
  return isServing ? Status.SERVING : Status.NOT_SERVING;
}
