import { optionsModule } from '@apix/contracts/nest';
import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { RecentTraces } from '../../recent/recent-traces.js';
import { CLOSE_LAST_MODULE } from '@apix/contracts/nest';
import { SpanScope } from '../../spans/span-scope.js';
import { Tracing } from '../../tracing/tracing.js';
import { TRACING_OPTIONS } from '../tokens.js';
import { GraphqlDoor } from './graphql-door.js';
import { MessagesDoor } from './messages-door.js';
import { grpcTracing } from './grpc-tracing.js';
import type { TracingModuleOptions } from './tracing-module-options.js';
import { HttpTracing } from './http-tracing.js';
import { TRACING_METER_PROVIDER } from './tracing-meter.js';
import { TracingSource } from './tracing-source.js';

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
