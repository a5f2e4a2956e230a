import { CLOSE_LAST, type CloseLast } from '@apix/contracts';
import { Logger } from '@nestjs/common';
import { type OpenTracing, openTracing } from '../../tracing/open-tracing.js';
import type { Tracing } from '../../tracing/tracing.js';
import { type TracingModuleOptions, checkTracingOptions } from './tracing-module-options.js';

/** What the module's spans are made with, and what has to be undone. */
export class TracingSource implements CloseLast {
  readonly [CLOSE_LAST] = true as const;

  private constructor(private readonly opened: OpenTracing) {}

  /** @throws OtelError for wrong options, TracingSetupError for what is not installed. */
  static async open(options: TracingModuleOptions): Promise<TracingSource> {
    checkTracingOptions(options);
    const report = (problem: string): void => new Logger('TracingModule').warn(problem);
    return new TracingSource(await openTracing({ report, ...options }));
  }

  get tracing(): Tracing {
    return this.opened.tracing;
  }

  /** Sends what the app has done, where a host makes further spans while it stops. */
  flush(): Promise<void> {
    return this.opened.flush();
  }

  /** Sends what is left. */
  closeLast(): Promise<void> {
    return this.opened.close();
  }
}
