// One shipper, in a process of its own: writes the documents and prints what that took.
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const [name, bundle, port, count, spool] = process.argv.slice(2);
const node = `http://127.0.0.1:${port}`;

const lines = Array.from({ length: 1_000 }, (_, i) => {
  const event = {
    '@timestamp': new Date(1_800_000_000_000 + i).toISOString(),
    'log.level': 'info',
    message: `GET /orders/o-${i} -> 200`,
    'ecs.version': '8.11.0',
    'service.name': 'shop',
    RequestId: `${i}`.padStart(32, '4bf92f3577b34da6'),
    'message_template.text': '{Method} {Path} -> {Status}',
    Method: 'GET',
    Path: `/orders/o-${i}`,
    Status: 200,
    bytes: 1_234 + i,
    remote: '10.0.0.7:51234',
    duration_ms: 1.25 + i,
  };
  return `${JSON.stringify(event)}\n`;
});

const SHIPPERS = {
  'pino-elasticsearch': () => pinoElastic({}),
  'pino-elasticsearch tuned': () => pinoElastic({ flushBytes: 1_000_000 }),
  logx: () => logx({}),
  'logx gzip': () => logx({ gzip: true }),
  'logx spool': () => logx({ spool: { path: spool } }),
};

async function pinoElastic(options) {
  const { default: pinoElasticsearch } = await import('pino-elasticsearch');
  const stream = pinoElasticsearch({ index: 'logs', node, esVersion: 8, ...options });
  stream.on('error', (error) => {
    throw error;
  });
  const inserted = new Promise((resolve) => stream.once('insert', resolve));
  return {
    write: (line) => stream.write(line) || new Promise((resolve) => stream.once('drain', resolve)),
    async close() {
      stream.end();
      await inserted;
    },
  };
}

async function logx(options) {
  const { elasticSink } = await import(pathToFileURL(bundle).href);
  const sink = elasticSink({ addresses: [node], index: 'logs', ...options });
  let written = 0;
  const wait = async () => {
    while (sink.stats().queued > 8_000) await setImmediate();
    return true;
  };
  return {
    write(line) {
      sink.write(line);
      return ++written % 500 !== 0 || sink.stats().queued <= 8_000 || wait();
    },
    close: () => sink.close(),
  };
}

const shipper = await SHIPPERS[name]();
const begun = performance.now();
const cpu = process.cpuUsage();
for (let i = 0; i < Number(count); i++) {
  const goesOn = shipper.write(lines[i % lines.length]);
  if (goesOn !== true) await goesOn;
}
await shipper.close();
const { user, system } = process.cpuUsage(cpu);
const seconds = (performance.now() - begun) / 1_000;
process.stdout.write(
  JSON.stringify({
    documentsPerSecond: Number(count) / seconds,
    cpuMicros: (user + system) / Number(count),
  }),
);
process.exit(0);
