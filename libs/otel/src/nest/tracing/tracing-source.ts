import { CLOSE_LAST, type CloseLast } from '@apix/contracts';
import { Logger } from '@nestjs/common';
import { RecentTraces } from '../../recent/recent-traces.js';
import { openChecked, type OpenTracing } from '../../tracing/open-tracing.js';
import type { Tracing } from '../../tracing/tracing.js';
import { type TracingModuleOptions, checkTracingOptions } from './tracing-module-options.js';

/** The tracing of the module, and the functions that undo its set-up. */
export class TracingSource implements CloseLast {
  readonly [CLOSE_LAST] = true as const;

  private constructor(
    private readonly opened: OpenTracing,
    /** The traces for the host page; undefined if none are kept. */
    readonly recent: RecentTraces | undefined,
  ) {}

  /** @throws OtelError for wrong options, TracingSetupError if a package is not installed. */
  static async open(options: TracingModuleOptions): Promise<TracingSource> {
    checkTracingOptions(options);
    const { exporter, processors: given = [], recent: shown } = options;
    const isOwn = exporter !== undefined || given.length > 0 || typeof shown === 'object';
    const recent = isOwn && shown !== false ? new RecentTraces(shown) : undefined;
    const processors = recent === undefined ? options.processors : [...given, recent];
    const report = (problem: string): void => new Logger('TracingModule').warn(problem);
    return new TracingSource(await openChecked({ report, ...options, processors }), recent);
  }

  get tracing(): Tracing {
    return this.opened.tracing;
  }

  /** Sends the spans of the app, if a host creates further spans while it stops. */
  flush(): Promise<void> {
    return this.opened.flush();
  }

  /** Sends the remaining spans. */
  closeLast(): Promise<void> {
    return this.opened.close();
  }
}
