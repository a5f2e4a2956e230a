import { stageInterceptor } from '@apix/calls/grpc';
import { OptionsError } from '@apix/contracts';
import { callable, checkedOptions } from '@apix/contracts/internal';
import { callMethodOf, fullMethodName } from '@apix/proto/core';
import type { DescService } from '@bufbuild/protobuf';
import { type CallDefaults, createClient, type Client } from '@apix/grpc-client/core';
import { serviceDefinition } from '../descriptor/service-definition.js';
import { CallableServer } from '../in-process/callable-server.js';
import { InProcessEntry } from '../in-process/in-process-entry.js';
import { fakeHandlers } from './fake-handlers.js';
import type { FakeService } from './fake-service.js';

/**
 * A client whose calls are answered by functions of a test. They go through a real server in-process:
 * messages are copied and checked, errors become statuses, deadlines and cancellation hold. There is nothing
 * to close.
 *
 * @throws OptionsError for fakes of methods that the service does not have.
 */
export function fakeClient<S extends DescService>(
  service: S,
  fakes: FakeService<S>,
  defaults: CallDefaults<S> = {},
): Client<S> {
  const names = service.methods.map(({ localName }) => [localName, callable()] as const);
  checkedOptions(
    Object.fromEntries(names),
    fakes,
    (found) => new OptionsError(`grpc: fakeClient of ${service.typeName}`, found),
  );
  const methods = new Map(service.methods.map((method) => [fullMethodName(method), method]));
  const interceptor = stageInterceptor([], (path) => {
    const method = methods.get(path);
    return method === undefined ? undefined : callMethodOf(method);
  });
  const server = new CallableServer({ interceptors: [interceptor] }, (path) => methods.get(path));
  server.addService(serviceDefinition(service), fakeHandlers(service, fakes as never));
  const entry = new InProcessEntry();
  entry.serve(server);
  return createClient(service, { ...defaults, server: entry });
}
