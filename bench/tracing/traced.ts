import { TracingModule } from '@apix/otel';
import type { DynamicModule } from '@nestjs/common';
import { AlwaysOffSampler, AlwaysOnSampler } from '@opentelemetry/sdk-trace';
import { DroppingExporter } from './dropping.ts';

export const exporter = new DroppingExporter();

/** `untraced` has no module at all, `sampled` records every trace, `unsampled` none. */
export function tracing(variant = ''): DynamicModule[] {
  if (variant === 'untraced') return [];
  const sampler = variant === 'unsampled' ? new AlwaysOffSampler() : new AlwaysOnSampler();
  return [TracingModule.forRoot({ exporter, sampler })];
}

/** Answers the parent with the CPU time and the spans so far; ends with it. */
export function serving(port: number): void {
  process.on('message', () =>
    process.send!({ cpu: process.cpuUsage(), exported: exporter.exported }),
  );
  process.on('disconnect', () => process.exit());
  process.send!({ port });
}
