import { Host } from '../host/host-builder.js';
import { httpService } from './http-service.js';

/** A process of its own for activation.spec.ts: serves whatever socket it was passed. */
const service = httpService({
  handler: (_, response) => response.end('from the socket'),
  http2: true,
  drain: { delay: 0 },
});
const host = Host.builder()
  .addService(service)
  .onStarted(() => void process.stdout.write(`listening on ${service.addr}\n`))
  .build();
host.run().catch((error: Error) => {
  process.stdout.write(`${error.message}\n`);
  process.exitCode = 1;
});
