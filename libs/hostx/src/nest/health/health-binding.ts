import { HEALTH_SOURCE, type HealthSource, noteInfrastructurePath } from '@apix/contracts';
import { discoverMarked } from '@apix/contracts/nest';
import { GlobalPrefix } from '@apix/contracts/internal-nest';
import { FLAG } from '@apix/contracts/internal';
import {
  HttpException,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
  Optional,
} from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, HttpAdapterHost } from '@nestjs/core';
import type { HealthIndicatorResult } from '@nestjs/terminus';
import type { CheckResult } from '../../health/check-run.js';
import {
  type HealthHandler,
  type HealthMountOptions,
  type HealthPaths,
  resolvePaths,
} from '../../health/health-handler.js';
import {
  type CheckRunner,
  HealthRegistry,
  type HealthRegistryOptions,
  REGISTRY,
} from '../../health/health-registry.js';
import type { HostBuilder } from '../../host/host-builder.js';
import { HealthCheckService } from '../../npm-install/@nestjs/terminus.js';
import { HostExtension } from '../host-extension.js';
import { HostRef, HostSource } from '../host-ref.js';
import { HEALTH_OPTIONS } from '../tokens.js';

/** Where health is served, what is checked, and who may see the details. */
export interface HealthModuleOptions
  extends HealthMountOptions, Omit<HealthRegistryOptions, 'clock'> {
  /**
   * Whether an app without a host is ready as soon as Nest has bootstrapped it. False: not until it calls
   * `HealthRegistry.setReady(true)`, as with a registry without Nest. With a host its state decides. Default: true.
   */
  readonly readyWithNest?: boolean;
}

/**
 * Puts the endpoints in front of everything the app serves, as soon as there is an HTTP adapter:
 * no guard, no middleware and no catch-all of somebody else gets in their way. It waits for nothing
 * but the adapter, so that it comes before whatever else is mounted as early as that.
 */
@Injectable()
export class HealthMount {
  /** The handler that serves them, once the options are known. */
  handler: HealthHandler = (_request, _response, next) => next?.();

  constructor(@Inject(HttpAdapterHost) adapterHost: HttpAdapterHost) {
    const handle: HealthHandler = (request, response, next) =>
      this.handler(request, response, next);
    adapterHost.init$.subscribe(() => {
      // None in an application context, and in a microservice.
      const adapter = adapterHost.httpAdapter as HttpAdapterHost['httpAdapter'] | null;
      adapter?.use(handle);
    });
  }
}

/** The options that are not about paths. */
const FURTHER = { ...REGISTRY, readyWithNest: FLAG };

/** Connects the registry with the app: its HTTP server, its host, its terminus, its sources. */
@Injectable()
@HostExtension()
export class HealthBinding
  implements HostExtension, OnModuleInit, OnApplicationBootstrap, OnModuleDestroy
{
  #hasHost: boolean;

  constructor(
    @Inject(HEALTH_OPTIONS) private readonly options: HealthModuleOptions,
    @Inject(HealthRegistry) private readonly registry: HealthRegistry,
    @Inject(HealthMount) private readonly mount: HealthMount,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(HealthCheckService) private readonly ownTerminus: HealthCheckService,
    @Optional() @Inject(HostRef) host: HostRef | undefined,
  ) {
    mount.handler = registry.handler(this.#mounted(resolvePaths(options, FURTHER)));
    this.#hasHost = host !== undefined;
  }

  extend(builder: HostBuilder): void {
    this.#hasHost = true;
    this.registry.bind(builder);
  }

  onModuleInit(): void {
    this.mount.handler = this.registry.handler(this.#belowPrefix());
    const terminus = this.#terminus();
    this.registry.runWith(terminusRunner(() => terminus));
    for (const source of discoverMarked<HealthSource>(this.discovery, HEALTH_SOURCE)) {
      // The host's own checks come by bind, and so work without HostxModule too.
      if (!(source instanceof HostSource)) this.registry.addSource(source);
    }
  }

  /** An app without a host is ready when Nest is, unless it decides itself. */
  // Why: docs/decisions/0445
  onApplicationBootstrap(): void {
    if (!this.#hasHost && this.options.readyWithNest !== false) this.registry.setReady(true);
  }

  onModuleDestroy(): void {
    if (!this.#hasHost) this.registry.setReady(false);
  }

  /** The global prefix is known when Nest initialises the modules. */
  #belowPrefix(): HealthMountOptions {
    const prefix = new GlobalPrefix(this.config);
    const paths = Object.entries(resolvePaths(this.options, FURTHER));
    const moved = paths.map(([option, path]) => [option, prefix.pathOf('GET', path)] as const);
    for (const [, path] of moved) noteInfrastructurePath(this.config, path);
    return this.#mounted(Object.fromEntries(moved));
  }

  #mounted(paths: HealthPaths): HealthMountOptions {
    const { details } = this.options;
    return { ...paths, ...(details !== undefined && { details }) };
  }

  /** The service that the app configured by its own TerminusModule, else this module's. */
  #terminus(): HealthCheckService {
    const others = this.discovery
      .getProviders()
      .map(({ instance }): unknown => instance)
      .filter((instance) => instance instanceof HealthCheckService)
      .filter((instance) => instance !== this.ownTerminus);
    return others[0] ?? this.ownTerminus;
  }
}

/**
 * Runs the checks by terminus' own service, which logs failures as configured. A shutdown affects only
 * readiness.
 */
export function terminusRunner(service: () => HealthCheckService): CheckRunner {
  return async (checks, probe) => {
    const results: CheckResult[] = [];
    const indicators = checks.map((check, index) => async (): Promise<HealthIndicatorResult> => {
      const { name, outcome } = (results[index] = await check.run());
      return {
        [name]: outcome === null ? { status: 'up' } : { status: 'down', message: outcome },
      };
    });
    const status = await service()
      .check(indicators)
      .then((result) => result.status, statusOf);
    const isClosing = probe === 'ready' && status === 'shutting_down';
    return isClosing ? [...results, { name: 'shutdown', outcome: 'shutting down' }] : results;
  };
}

/** Terminus answers an unhealthy check by an exception; any other error is one. */
function statusOf(error: unknown): unknown {
  if (!(error instanceof HttpException)) throw error;
  return (error.getResponse() as { readonly status?: unknown }).status;
}
