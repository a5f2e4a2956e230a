import { type MetricReading, MetricSource } from '@apix/contracts';
import { optionsModule } from '@apix/contracts/internal-nest';
import { type ProtoRegistry, requiredProtos } from '@apix/proto';
import {
  type DynamicModule,
  type FactoryProvider,
  Inject,
  Injectable,
  Module,
  type NestModule,
} from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { McpEndpoint } from '../http/mcp-endpoint.js';
import type { McpOptions } from '../options.js';
import { McpBackend } from './mcp-backend.js';
import { McpMount } from './mcp-mount.js';

/** The options of `McpModule.forRoot`. */
export const MCP_MODULE_OPTIONS = Symbol.for('apix.mcp.Options');

/** The descriptors whose tools McpModule serves. */
const MCP_PROTOS = Symbol.for('apix.mcp.Protos');

const endpointProvider: FactoryProvider<McpEndpoint> = {
  provide: McpEndpoint,
  inject: [MCP_PROTOS, McpBackend, MCP_MODULE_OPTIONS],
  useFactory: (protos: ProtoRegistry, backend: McpBackend, options: McpOptions) =>
    new McpEndpoint(protos, backend, options),
};

/** The figures of the app's tools. */
@Injectable()
@MetricSource()
export class McpMetrics implements MetricSource {
  constructor(@Inject(McpEndpoint) private readonly endpoint: McpEndpoint) {}

  *metrics(): Iterable<MetricReading> {
    yield {
      name: 'apix.mcp.sessions',
      kind: 'gauge',
      value: this.endpoint.counts.sessions,
      description: 'sessions of clients of the revisions with sessions',
    };
  }
}

const { ConfigurableModuleClass, OPTIONS_TYPE } = optionsModule<McpOptions, 'createMcpOptions'>({
  name: 'mcp: McpModule',
  token: MCP_MODULE_OPTIONS,
  factoryMethod: 'createMcpOptions',
});

/**
 * Serves the app's RPCs with the option `(apix.mcp.tool)` as tools of the Model Context Protocol, at one path of the app's
 * HTTP server. Takes its descriptors from `ProtoModule`. The app does not start while an option has a mistake, or if no
 * method is a tool.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    requiredProtos(MCP_PROTOS, 'McpModule'),
    endpointProvider,
    McpBackend,
    McpMount,
    McpMetrics,
  ],
})
export class McpModule extends ConfigurableModuleClass implements NestModule {
  // Not of the constructor, which is public.
  @Inject(McpMount) private readonly mount!: McpMount;

  /** Without options the tools are served at `/mcp` and call the app's gRPC server. */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }

  /** Adds no middleware; Nest calls it when it is time to find a place before that of modules. */
  configure(): void {
    this.mount.beforeModules();
  }
}
