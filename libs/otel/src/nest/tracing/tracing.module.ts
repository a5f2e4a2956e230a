import { CLOSE_LAST, type CloseLast } from '@apix/contracts';
import { CLOSE_LAST_MODULE, optionsModule } from '@apix/contracts/internal-nest';
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
import { EndedRequests } from '../../tracing/ended-requests.js';
import { Tracing } from '../../tracing/tracing.js';
import { TRACING_OPTIONS } from '../tokens.js';
import { GraphqlDoor } from './graphql-door.js';
import { grpcTracing } from './grpc-tracing.js';
import { HttpTracing } from './http-tracing.js';
import { MessagesDoor } from './messages-door.js';
import { checkTracingOptions, type TracingModuleOptions } from './tracing-module-options.js';

/** The tracing of the app, and what undoes its set-up. */
const OPEN_TRACING = Symbol.for('apix.otel.OpenTracing');

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
      provide: OPEN_TRACING,
      inject: [TRACING_OPTIONS],
      useFactory: openForApp,
    },
    {
      provide: Tracing,
      inject: [OPEN_TRACING],
      useFactory: ({ tracing }: OpenTracing) => tracing,
    },
    {
      provide: SpanScope,
      inject: [Tracing, MessagesDoor],
      useFactory: (tracing: Tracing, { spans }: MessagesDoor) => new SpanScope(tracing, spans),
    },
    {
      provide: EndedRequests,
      inject: [Tracing],
      useFactory: ({ requests }: Tracing) => requests,
    },
    MessagesDoor,
    HttpTracing,
    GraphqlDoor,
    ...grpcTracing,
    {
      provide: RecentTraces,
      inject: [OPEN_TRACING],
      useFactory: ({ recent }: AppTracing) => recent ?? null,
    },
  ],
  exports: [Tracing],
})
export class TracingModule extends ConfigurableModuleClass implements OnApplicationShutdown {
  /** @param options Default: spans go to the global provider. */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }

  constructor(@Inject(OPEN_TRACING) private readonly opened: OpenTracing) {
    super();
  }

  /** A host makes further spans while it stops; tracing is closed last of all. */
  onApplicationShutdown(): Promise<void> {
    return this.opened.flush();
  }
}

/** Opened tracing that is closed after everything else. */
interface AppTracing extends OpenTracing, CloseLast {
  /** The traces for the host page; undefined if none are kept. */
  readonly recent: RecentTraces | undefined;
}

/** @throws OtelError for wrong options, TracingSetupError if a package is not installed. */
async function openForApp(options: TracingModuleOptions): Promise<AppTracing> {
  checkTracingOptions(options);
  const { exporter, processors: given = [], recent: shown } = options;
  const isOwn = exporter !== undefined || given.length > 0 || typeof shown === 'object';
  const recent = isOwn && shown !== false ? new RecentTraces(shown) : undefined;
  const processors = recent === undefined ? options.processors : [...given, recent];
  const report = (problem: string): void => new Logger('TracingModule').warn(problem);
  const opened = await openChecked({ report, ...options, processors });
  return { ...opened, recent, [CLOSE_LAST]: true, closeLast: () => opened.close() };
}
