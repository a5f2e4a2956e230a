// What one call of a method costs, bare, with @Traced(), and with a span made by hand, in traces that are
// recorded and in traces that are not.
import 'reflect-metadata';
import { Traced } from '@apix/otel';
import { openTracing } from '@apix/otel/core';
import { ROOT_CONTEXT, SpanStatusCode, TraceFlags, context, trace } from '@opentelemetry/api';
import { median } from '../shapes/clock.ts';
import { DroppingExporter } from './dropping.ts';

const rounds = Number(process.env['ROUNDS']);
/** So few that the queue of the exporter is not full before it is emptied between two measurements. */
const CALLS = 2_000;
const REPEATED = Number(process.env['SLICE_MS']) / 100;

class Orders {
  bare(id: number): number {
    return id + 1;
  }

  @Traced()
  traced(id: number): number {
    return id + 1;
  }

  byHand(id: number): number {
    return tracer.startActiveSpan('Orders.byHand', (span) => {
      try {
        return id + 1;
      } catch (error) {
        span.recordException(error as Error);
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    });
  }
}

const tracing = await openTracing({ exporter: new DroppingExporter() });
const tracer = trace.getTracer('bench');
const orders = new Orders();
const METHODS = ['bare', 'traced', 'byHand'] as const;
const IDS = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), isRemote: true };
const TRACES = {
  'in no trace': ROOT_CONTEXT,
  'not sampled': trace.setSpanContext(ROOT_CONTEXT, { ...IDS, traceFlags: TraceFlags.NONE }),
  sampled: trace.setSpanContext(ROOT_CONTEXT, { ...IDS, traceFlags: TraceFlags.SAMPLED }),
};

for (const [name, outer] of Object.entries(TRACES)) {
  const taken = new Map<string, number[]>(METHODS.map((method) => [method, []]));
  for (let round = -1; round < rounds; round++) {
    for (const method of METHODS) {
      const ns = await nanoseconds(method, outer);
      if (round >= 0) taken.get(method)!.push(ns);
    }
  }
  console.log(`\nA call ${name}, ns`);
  for (const [method, all] of taken) console.log(`${method.padEnd(8)} ${median(all).toFixed(0)}`);
}
await tracing.close();

/** Of one call; the exporter takes its spans in between, unmeasured. */
async function nanoseconds(
  method: (typeof METHODS)[number],
  outer: typeof ROOT_CONTEXT,
): Promise<number> {
  let total = 0;
  for (let repeated = 0; repeated < REPEATED; repeated++) {
    total += context.with(outer, () => {
      const begun = performance.now();
      for (let id = 0; id < CALLS; id++) orders[method](id);
      return performance.now() - begun;
    });
    await tracing.flush();
  }
  return (total * 1e6) / (REPEATED * CALLS);
}
