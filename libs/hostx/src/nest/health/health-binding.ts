import { HEALTH_SOURCE, type HealthSource, noteInfrastructurePath } from '@apix/contracts';
import { discoverMarked, GlobalPrefix } from '@apix/contracts/nest';
import { FLAG } from '@apix/contracts/options';
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
  Optional,
} from '@nestjs/common';
import { ApplicationConfig, DiscoveryService } from '@nestjs/core';
import {
  type HealthMountOptions,
  type HealthPaths,
  resolvePaths,
} from '../../health/health-handler.js';
import { HealthRegistry, REGISTRY } from '../../health/health-registry.js';
import type { HostBuilder } from '../../host/host-builder.js';
import { HealthCheckService } from '../../npm-install/@nestjs/terminus.js';
import { HostExtension } from '../host-extension.js';
import { HostRef } from '../host-ref.js';
import { HostSource } from '../host-source.js';
import { HEALTH_OPTIONS } from '../tokens.js';
import type { HealthModuleOptions } from './health-module-options.js';
import { HealthMount } from './health-mount.js';
import { terminusRunner } from './terminus-runner.js';

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
