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
import { jobsSection } from '../sections/jobs-section.js';
import { overviewSection } from '../sections/overview-section.js';
import { processesSection } from '../sections/processes-section.js';
import type { PageSection } from '../sections/section.js';
import { tracesSection } from '../sections/traces-section.js';

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
  #health = new HealthRegistry();

  constructor(
    @Inject(HOST_PAGE_OPTIONS) options: HostPageOptions,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Optional() @Inject(HostRef) private readonly host: HostRef | undefined,
    @Optional() @Inject(HOST_PAGE_RESTARTABLE) private readonly restartable = false,
  ) {
    if (host === undefined) {
      throw mistakesInPage(['there is no host to show; import HostxModule as well']);
    }
    const resolved = resolveHostPage(options);
    this.title = resolved.title;
    this.#feed = new PageFeed(resolved, {
      state: () => host.state,
      environment: () => host.environment.toString(),
      health: () => this.#health,
    });
  }

  extend(builder: HostBuilder): void {
    builder.withObserver(this.#feed.observer);
  }

  onApplicationBootstrap(): void {
    this.#health = this.#registry();
    this.#feed.start(this.#sections());
  }

  onModuleDestroy(): void {
    this.#feed.stop();
  }

  view(response: ServerResponse, tab: string): void {
    this.#feed.view(response, tab);
  }

  /** Begins to replace all processes, one after the other. */
  restart(): void {
    this.#feed.note('restart of all processes, one after the other');
    this.host!.restart().catch((error: unknown) => this.#feed.noteError('host', thrownText(error)));
  }

  /** One item of a tab as JSON, such as a trace with its spans; undefined if there is none. */
  async item(tab: string, name: string, query: URLSearchParams): Promise<string | undefined> {
    return this.#feed.section(tab)?.item?.(name, query);
  }

  /** The tabs, in the order of the page. */
  #sections(): readonly PageSection[] {
    const host = this.host!;
    const { noteFailure } = this.#feed;
    const found = <T extends object>(mark: symbol): T[] => discoverMarked<T>(this.discovery, mark);
    return [
      overviewSection(() => host.state, found<MetricSource>(METRIC_SOURCE), noteFailure),
      tracesSection(found<TraceSource>(TRACE_SOURCE), noteFailure),
      jobsSection(found<JobSource>(JOB_SOURCE), noteFailure),
      processesSection(() => host.processes(), this.restartable),
    ];
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
