import { HEALTH_SOURCE, type HealthSource, noteInfrastructurePath } from '@apix/contracts';
import { discoverMarked } from '@apix/contracts/nest';
import { type FrontPlace, GlobalPrefix } from '@apix/contracts/internal-nest';
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
import { ApplicationConfig, DiscoveryService } from '@nestjs/core';
import type { HealthIndicatorResult } from '@nestjs/terminus';
import type { CheckResult } from '../../health/check-run.js';
import {
  type HealthMountOptions,
  type HealthPaths,
  resolvePaths,
} from '../../health/health-handler.js';
import {
  type CheckRunner,
  HealthRegistry,
  type HealthRegistryOptions,
  REGISTRY,
  healthEndpoints,
} from '../../health/health-registry.js';
import type { HostBuilder } from '../../host/host-builder.js';
import { HealthCheckService } from '../../npm-install/@nestjs/terminus.js';
import { HostExtension } from '../host-extension.js';
import { HostRef, HostSource } from '../host-ref.js';
import { HEALTH_OPTIONS, HEALTH_PLACE } from '../tokens.js';

/** Where health is served, what is checked, and who may see the details. */
export interface HealthModuleOptions
  extends HealthMountOptions, Omit<HealthRegistryOptions, 'clock'> {
  /**
   * Whether an app without a host is ready as soon as Nest has bootstrapped it. False: not until it calls
   * `HealthRegistry.setReady(true)`, as with a registry without Nest. With a host its state decides. Default: true.
   */
  readonly readyWithNest?: boolean;
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
    @Inject(HEALTH_PLACE) private readonly place: FrontPlace,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(HealthCheckService) private readonly ownTerminus: HealthCheckService,
    @Optional() @Inject(HostRef) host: HostRef | undefined,
  ) {
    this.#serve(resolvePaths(options, FURTHER));
    this.#hasHost = host !== undefined;
  }

  extend(builder: HostBuilder): void {
    this.#hasHost = true;
    this.registry.bind(builder);
  }

  onModuleInit(): void {
    this.#moveBelowPrefix();
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
  #moveBelowPrefix(): void {
    const prefix = new GlobalPrefix(this.config);
    const paths = Object.entries(resolvePaths(this.options, FURTHER));
    const moved = paths.map(([option, path]) => [option, prefix.pathOf('GET', path)] as const);
    for (const [, path] of moved) noteInfrastructurePath(this.config, path);
    this.#serve(Object.fromEntries(moved));
  }

  #serve(paths: HealthPaths): void {
    const { details } = this.options;
    this.place.serve(
      healthEndpoints(this.registry, { ...paths, ...(details !== undefined && { details }) }),
    );
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
