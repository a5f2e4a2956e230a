// Logs 50,000 events a second, and says what that cost and where they are.
import fs from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { deadlineAfter } from '@apix/contracts';
import { createLogger } from '@apix/logx/core';
import { elasticSink } from '@apix/logx-elastic';
import type { SubjectOptions, SubjectReport } from './messages.js';

const RATE = 50_000;
const TICK_MS = 5;

const { port, seconds, spool, progress } = JSON.parse(process.argv[2]!) as SubjectOptions;
const elastic = elasticSink({
  addresses: [`http://127.0.0.1:${port}`],
  index: 'logs',
  // What is lost is in the report.
  onError: () => {},
  ...(spool !== undefined && { spool: { path: spool } }),
});
const root = createLogger({ sinks: [elastic] });
const logger = root.forContextValues({
  RequestId: '4bf92f3577b34da6a3ce929d0e0e4736',
  service: 'shop',
});
const delay = monitorEventLoopDelay({ resolution: 1 });
const file = progress === undefined ? undefined : fs.openSync(progress, 'w');
let logged = 0;
let peak = 0;

const begun = performance.now();
delay.enable();
const timer = setInterval(() => {
  const elapsed = performance.now() - begun;
  const due = Math.min(elapsed / 1_000, seconds) * RATE;
  for (; logged < due; logged++) {
    logger.information('{Method} {Path} -> {Status} {N}', 'GET', '/orders/o-17', 200, logged);
  }
  if (file !== undefined) fs.writeSync(file, String(logged).padStart(9), 0);
  peak = Math.max(peak, process.memoryUsage.rss());
  if (elapsed >= seconds * 1_000) {
    clearInterval(timer);
    void end();
  }
}, TICK_MS);

async function end(): Promise<void> {
  delay.disable();
  await root.close(deadlineAfter(30_000));
  const { oldestAgeMs: _, ...counts } = elastic.stats();
  const report: SubjectReport = {
    ...counts,
    peakRssMb: peak / 2 ** 20,
    p99DelayMs: delay.percentile(99) / 1e6,
  };
  process.send?.(report, () => process.exit(0));
}
