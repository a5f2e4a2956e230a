import { CLOSE_LAST, type CloseLast } from '@apix/contracts';
import { CLOSE_LAST_MODULE, optionsModule } from '@apix/contracts/nest';
import {
  type DynamicModule,
  Inject,
  Logger,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { RecentTraces } from '../../recent/recent-traces.js';
import { SpanScope } from '../../spans/span-scope.js';
import { openChecked, type OpenTracing } from '../../tracing/open-tracing.js';
import { Tracing } from '../../tracing/tracing.js';
import { TRACING_OPTIONS } from '../tokens.js';
import { GraphqlDoor } from './graphql-door.js';
import { grpcTracing } from './grpc-tracing.js';
import { HttpTracing } from './http-tracing.js';
import { MessagesDoor } from './messages-door.js';
import { TRACING_METER_PROVIDER } from './tracing-meter.js';
import { checkTracingOptions, type TracingModuleOptions } from './tracing-module-options.js';

/** The tracing of the module, and the functions that undo its set-up. */
class TracingSource implements CloseLast {
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

const { ConfigurableModuleClass, OPTIONS_TYPE } = optionsModule<
  TracingModuleOptions,
  'createTracingOptions'
>({ name: 'otel: TracingModule', token: TRACING_OPTIONS, factoryMethod: 'createTracingOptions' });

/**
 * Makes a span of each request, call, message and run. Importing it is enough: the parts to trace are found
 * automatically.
 */
@Module({
  imports: [CLOSE_LAST_MODULE],
  providers: [
    {
      provide: TracingSource,
      inject: [TRACING_OPTIONS],
      useFactory: (options: TracingModuleOptions) => TracingSource.open(options),
    },
    {
      provide: Tracing,
      inject: [TracingSource],
      useFactory: ({ tracing }: TracingSource) => tracing,
    },
    {
      provide: SpanScope,
      inject: [Tracing, MessagesDoor],
      useFactory: (tracing: Tracing, { spans }: MessagesDoor) => new SpanScope(tracing, spans),
    },
    TRACING_METER_PROVIDER,
    MessagesDoor,
    HttpTracing,
    GraphqlDoor,
    ...grpcTracing,
    {
      provide: RecentTraces,
      inject: [TracingSource],
      useFactory: ({ recent }: TracingSource) => recent ?? null,
    },
  ],
  exports: [Tracing],
})
export class TracingModule extends ConfigurableModuleClass implements OnApplicationShutdown {
  /** @param options Default: spans go to the global provider. */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }

  constructor(@Inject(TracingSource) private readonly source: TracingSource) {
    super();
  }

  /** A host makes further spans while it stops; the source is closed last of all. */
  onApplicationShutdown(): Promise<void> {
    return this.source.flush();
  }
}
