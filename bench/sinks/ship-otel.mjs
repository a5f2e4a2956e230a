// One shipper, in a process of its own: logs the records and prints what that took.
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setInterval } from 'node:timers';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const [name, bundle, port, records] = process.argv.slice(2);
/** Logged before others have their turn, as a busy server does. */
const SLICE = 200;
const count = Number(records);

const { logx, logxLines, sdk } = await import(pathToFileURL(bundle).href);

const SHIPPERS = {
  'OpenTelemetry SDK': () => sdk(port, count),
  logx: () => logx(port, count),
  'logx write(line)': () => logxLines(port, count),
  'pino-opentelemetry-transport': pinoTransport,
};

async function pinoTransport() {
  const require = createRequire(import.meta.url);
  const { default: pino } = await import('pino');
  const stream = pino.transport({
    target: require.resolve('pino-opentelemetry-transport'),
    options: {
      loggerName: 'bench',
      serviceVersion: '1',
      logRecordProcessorOptions: {
        recordProcessorType: 'batch',
        exporterOptions: {
          protocol: 'http/protobuf',
          protobufExporterOptions: { url: `http://127.0.0.1:${port}/v1/logs` },
        },
        processorConfig: { maxQueueSize: count },
      },
    },
  });
  const logger = pino({}, stream).child({
    service: 'shop',
    RequestId: '4bf92f3577b34da6a3ce929d0e0e4736',
  });
  await once(stream, 'ready');
  return {
    log(path, status, bytes, durationMs) {
      logger.info(
        {
          Method: 'GET',
          Path: path,
          Status: status,
          Bytes: bytes,
          DurationMs: durationMs,
          // As in the records of the others.
          'log.template': '{Method} {Path} -> {Status}, {Bytes} bytes in {DurationMs} ms',
        },
        `GET ${path} -> ${status}, ${bytes} bytes in ${durationMs} ms`,
      );
    },
    async close() {
      const closed = once(stream, 'close');
      stream.end();
      await closed;
    },
  };
}

// A worker does not keep the process alive.
setInterval(() => {}, 1_000);
const shipper = await SHIPPERS[name]();
const begun = performance.now();
const cpu = process.cpuUsage();
for (let i = 0; i < count; i++) {
  shipper.log(`/orders/o-${i % 1_000}`, 200, 1_234 + (i % 100), 1.25 + (i % 10));
  if (i % SLICE === SLICE - 1) await setImmediate();
}
await shipper.close();
const { user, system } = process.cpuUsage(cpu);
const seconds = (performance.now() - begun) / 1_000;
process.stdout.write(
  JSON.stringify({ recordsPerSecond: count / seconds, cpuMicros: (user + system) / count }),
);
process.exit(0);
