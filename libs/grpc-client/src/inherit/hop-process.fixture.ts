/**
 * A server of apix.testdata.Probe as a process: it writes down what it sees of each call as a line of JSON, and
 * calls the next server, where there is one, as the test's arguments say: descriptor set, name, next port.
 */
import { stageInterceptor } from '@apix/calls/grpc';
import { ProtoRegistry } from '@apix/proto/core';
import { Server, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js';
import { boundPort } from '../bound-port.fixture.js';
import { serviceDefinition } from '../../../grpc/src/descriptor/service-definition.js';
import { createClient } from '../client/create-client.js';
import type { ProbeService } from '../client/probe-service.fixture.js';

const [, , descriptors = '', name = '', next = ''] = process.argv;
const Probe = ProtoRegistry.load(descriptors).services.find(
  ({ typeName }) => typeName === 'apix.testdata.Probe',
) as unknown as ProbeService;

function say(line: object): void {
  process.stdout.write(`${JSON.stringify({ name, ...line })}\n`);
}

const client =
  next === ''
    ? undefined
    : createClient(Probe, { endpoint: `127.0.0.1:${next}`, inherit: { margin: '50ms' } });

/** The last server of the chain never answers. */
async function serve(
  call: ServerUnaryCall<object, object>,
  respond: sendUnaryData<object>,
): Promise<void> {
  say({
    id: call.metadata.get('x-request-id')[0],
    trace: call.metadata.get('traceparent')[0],
    secret: call.metadata.get('authorization').length,
    leftMs: Number(call.getDeadline()) - Date.now(),
  });
  call.on('cancelled', () => say({ cancelledAt: Date.now() }));
  if (client === undefined) return;
  try {
    respond(null, await client.unary({}));
  } catch (error) {
    respond(error as Error);
  }
}

const server = new Server({ interceptors: [stageInterceptor([], () => undefined)] });
server.addService(serviceDefinition(Probe), {
  Unary: (call: ServerUnaryCall<object, object>, respond: sendUnaryData<object>) =>
    void serve(call, respond),
});
say({ port: await boundPort(server) });
