// Logs so many events a second, and says what that cost and where they are.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createLogger } from '@apix/logx/core';
import { type OtelStats, otelSink } from '@apix/logx-otel';

export interface SubjectOptions {
  readonly port: number;
  readonly protocol: 'grpc' | 'http';
  readonly seconds: number;
  readonly rate: number;
}

export interface SubjectReport extends OtelStats {
  readonly peakRssMb: number;
  readonly p99DelayMs: number;
}

const TICK_MS = 5;

const { port, protocol, seconds, rate } = JSON.parse(process.argv[2]!) as SubjectOptions;
const otel = otelSink({
  endpoint: `127.0.0.1:${port}`,
  protocol,
  insecure: true,
  // What is lost is in the report.
  onError: () => {},
});
const root = createLogger({ sinks: [otel] });
const logger = root.forContextValues({
  RequestId: '4bf92f3577b34da6a3ce929d0e0e4736',
  service: 'shop',
});
const delay = monitorEventLoopDelay({ resolution: 1 });
let logged = 0;
let peak = 0;

const begun = performance.now();
delay.enable();
const timer = setInterval(() => {
  const elapsed = performance.now() - begun;
  const due = Math.min(elapsed / 1_000, seconds) * rate;
  for (; logged < due; logged++) {
    logger.information('{Method} {Path} -> {Status} #{N};', 'GET', '/orders/o-17', 200, logged);
  }
  peak = Math.max(peak, process.memoryUsage.rss());
  if (elapsed >= seconds * 1_000) {
    clearInterval(timer);
    void end();
  }
}, TICK_MS);

async function end(): Promise<void> {
  delay.disable();
  await root.close();
  const report: SubjectReport = {
    ...otel.stats(),
    peakRssMb: peak / 2 ** 20,
    p99DelayMs: delay.percentile(99) / 1e6,
  };
  process.send?.(report, () => process.exit(0));
}
