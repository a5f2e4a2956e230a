import type { ServerResponse } from 'node:http';
import {
  HEALTH_SOURCE,
  type HealthSource,
  JOB_SOURCE,
  type JobSource,
  METRIC_SOURCE,
  type MetricSource,
  TRACE_SOURCE,
  type TraceSource,
  thrownText,
} from '@apix/contracts';
import { discoverMarked } from '@apix/contracts/nest';
import { type HostBuilder, HostExtension, HostRef } from '@apix/hostx';
import { HealthRegistry } from '@apix/hostx/core';
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  Optional,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { type HostPageOptions, mistakesInPage, resolveHostPage } from '../host-page-options.js';
import { PageFeed } from '../page-feed.js';
import { traceText } from '../page-traces.js';

/** The options of HostPageModule. */
export const HOST_PAGE_OPTIONS = Symbol.for('apix.host-page.HostPageModuleOptions');

/** Whether anybody may have all processes replaced. */
export const HOST_PAGE_RESTARTABLE = Symbol.for('apix.host-page.Restartable');

/** Connects the page to the app: its host, health checks, jobs and metrics. */
@Injectable()
@HostExtension()
export class HostPage implements HostExtension, OnApplicationBootstrap, OnModuleDestroy {
  readonly title: string;
  readonly #feed: PageFeed;
  readonly #jobs: JobSource[] = [];
  readonly #metrics: MetricSource[] = [];
  readonly #traces: TraceSource[] = [];
  #health = new HealthRegistry();

  constructor(
    @Inject(HOST_PAGE_OPTIONS) options: HostPageOptions,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Optional() @Inject(HostRef) private readonly host: HostRef | undefined,
    @Optional() @Inject(HOST_PAGE_RESTARTABLE) restartable = false,
  ) {
    if (host === undefined) {
      throw mistakesInPage(['there is no host to show; import HostxModule as well']);
    }
    const resolved = resolveHostPage(options);
    this.title = resolved.title;
    this.#feed = new PageFeed(resolved, {
      state: () => host.state,
      environment: () => host.environment.toString(),
      jobs: this.#jobs,
      metrics: this.#metrics,
      traces: this.#traces,
      health: () => this.#health,
      processes: () => host.processes(),
      restartable,
    });
  }

  extend(builder: HostBuilder): void {
    builder.withObserver(this.#feed.observer);
  }

  onApplicationBootstrap(): void {
    this.#jobs.push(...discoverMarked<JobSource>(this.discovery, JOB_SOURCE));
    this.#metrics.push(...discoverMarked<MetricSource>(this.discovery, METRIC_SOURCE));
    this.#traces.push(...discoverMarked<TraceSource>(this.discovery, TRACE_SOURCE));
    this.#health = this.#registry();
    this.#feed.start();
  }

  onModuleDestroy(): void {
    this.#feed.stop();
  }

  view(response: ServerResponse): void {
    this.#feed.view(response);
  }

  /** Begins to replace all processes, one after the other. */
  restart(): void {
    this.#feed.note('restart of all processes, one after the other');
    this.host!.restart().catch((error: unknown) => this.#feed.noteError('host', thrownText(error)));
  }

  /** A trace with its spans, as JSON; undefined for one that is not kept. */
  trace(id: string): string | undefined {
    return traceText(this.#traces, id);
  }

  /** The registry of HealthModule, or else a new one with the health sources of the app. */
  #registry(): HealthRegistry {
    const sources = discoverMarked<HealthSource>(this.discovery, HEALTH_SOURCE);
    const registry = sources.find((source) => source instanceof HealthRegistry);
    if (registry !== undefined) return registry;
    const own = new HealthRegistry();
    own.setReady(true);
    for (const source of sources) own.addSource(source);
    return own;
  }
}
