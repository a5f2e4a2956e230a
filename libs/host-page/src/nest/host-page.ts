import type { ServerResponse } from 'node:http';
import {
  HEALTH_SOURCE,
  type HealthSource,
  JOB_SOURCE,
  LOG_SOURCE,
  type LogSource,
  type JobSource,
  METRIC_SOURCE,
  SERVED_REQUESTS,
  type ServedRequests,
  TEMPLATE_LOG,
  type TemplateLog,
  TRACE_SOURCE,
  type TraceSource,
  thrownText,
  POLICY_REPORT,
  type PolicyReport,
} from '@apix/contracts';
import { METHOD_SAMPLES, type MethodSamples } from '@apix/contracts/internal';
import { discoverMarked } from '@apix/contracts/nest';
import { type HostBuilder, HostExtension, HostRef } from '@apix/hostx';
import { HealthRegistry } from '@apix/hostx/core';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  Optional,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import {
  type HostPageOptions,
  mistakesInPage,
  type ResolvedHostPage,
  resolveHostPage,
} from '../host-page-options.js';
import { RouteHistory } from '../route-history.js';
import { PageFeed } from '../page-feed.js';
import type { TraceRow } from '../section-views.js';
import { changeLevel } from '../actions/change-level.js';
import { type ActionName, byAction, type PageAction } from '../actions/page-action.js';
import { restartService } from '../actions/restart-service.js';
import { runJob } from '../actions/run-job.js';
import { callSection } from '../sections/call-section.js';
import { jobsSection } from '../sections/jobs-section.js';
import { LogTail } from '../sections/log-tail.js';
import { logsSection } from '../sections/logs-section.js';
import { overviewSection } from '../sections/overview-section.js';
import { policiesSection } from '../sections/policies-section.js';
import { ProcessWatch } from '../sections/process-watch.js';
import { processesSection } from '../sections/processes-section.js';
import type { PageSection } from '../sections/section.js';
import { traceRows, tracesSection } from '../sections/traces-section.js';

/** The options of HostPageModule. */
export const HOST_PAGE_OPTIONS = Symbol.for('apix.host-page.HostPageModuleOptions');

/** What some viewers may do. */
export interface HostPageAbilities extends Readonly<Record<ActionName, boolean>> {
  readonly restart: boolean;
}

/** The {@link HostPageAbilities}. */
export const HOST_PAGE_ABILITIES = Symbol.for('apix.host-page.Abilities');

const NO_ABILITIES: HostPageAbilities = { restart: false, ...byAction(() => false) };

/** Writes into the log of the app what was done from the page, and from where. */
type ActionWarning = (subject: string, text: string, remote: string) => void;

const nestWarning: ActionWarning = (subject, text, remote) =>
  new Logger('HostPage').warn(`${subject}: ${text}, from the host page, by ${remote}`);

const templateWarning = (log: TemplateLog): ActionWarning => {
  const logger = log.loggerFor('HostPage');
  return (...values) =>
    logger.warning('{Subject}: {Action}, from the host page, by {Remote}', ...values);
};

/** Connects the page to the app: its host, health checks, jobs and metrics. */
@Injectable()
@HostExtension()
export class HostPage implements HostExtension, OnApplicationBootstrap, OnModuleDestroy {
  readonly title: string;
  readonly #feed: PageFeed;
  #warning = nestWarning;
  readonly #options: ResolvedHostPage;
  readonly #ends: (() => void)[] = [];
  #log: LogTail | null = null;
  #health = new HealthRegistry();
  #actions: Readonly<Partial<Record<ActionName, PageAction>>> = {};

  constructor(
    @Inject(HOST_PAGE_OPTIONS) options: HostPageOptions,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Optional() @Inject(HostRef) private readonly host: HostRef | undefined,
    @Optional() @Inject(HOST_PAGE_ABILITIES) private readonly abilities = NO_ABILITIES,
  ) {
    if (host === undefined) {
      throw mistakesInPage(['there is no host to show; import HostxModule as well']);
    }
    const resolved = resolveHostPage(options);
    this.title = resolved.title;
    this.#options = resolved;
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
    this.#ends.push(this.#health.watchReady((report) => this.#feed.noteChecks(report)));
    const log = discoverMarked<TemplateLog>(this.discovery, TEMPLATE_LOG).at(-1);
    if (log !== undefined) this.#warning = templateWarning(log);
    const jobs = discoverMarked<JobSource>(this.discovery, JOB_SOURCE);
    const logs = discoverMarked<LogSource>(this.discovery, LOG_SOURCE);
    this.#actions = {
      runJob: runJob(jobs),
      restartService: restartService(this.host!),
      changeLevel: changeLevel(logs),
    };
    this.#feed.start(this.#sections(jobs, logs));
  }

  onModuleDestroy(): void {
    this.#feed.stop();
    this.#log?.stop();
    for (const end of this.#ends.splice(0)) end();
  }

  view(response: ServerResponse, tab: string): void {
    this.#feed.view(response, tab);
  }

  /** Begins to replace all processes, one after the other. */
  restart(): void {
    this.#feed.noteRestart('restart of all processes, one after the other');
    this.host!.restart().catch((error: unknown) => this.#feed.noteError('host', thrownText(error)));
  }

  /** Begins an action; false if there is nothing by these parameters. It is an event of the page and of the log. */
  act(name: ActionName, query: URLSearchParams, remote: string): boolean {
    const planned = this.#actions[name]?.plan(query);
    if (planned === undefined) return false;
    const { subject, text } = planned;
    // First, as the action may turn warnings off.
    this.#warning(subject, text, remote);
    this.#feed.note(subject, text);
    planned.run().catch((error: unknown) => this.#feed.noteError(subject, thrownText(error)));
    return true;
  }

  /** One item of a tab as JSON, such as a trace with its spans; undefined if there is none. */
  async item(tab: string, name: string, query: URLSearchParams): Promise<string | undefined> {
    return this.#feed.section(tab)?.item?.(name, query);
  }

  /** The tabs, in the order of the page. */
  #sections(jobs: readonly JobSource[], logs: readonly LogSource[]): readonly PageSection[] {
    const host = this.host!;
    const { noteFailure, noteCrash } = this.#feed;
    const found = <T extends object>(mark: symbol): T[] => discoverMarked<T>(this.discovery, mark);
    const { restart, ...may } = this.abilities;
    const traceSources = found<TraceSource>(TRACE_SOURCE);
    const traces = (): readonly TraceRow[] => traceRows(traceSources, noteFailure);
    const log = new LogTail(
      logs,
      this.#options.clock,
      () => new Set(traces().map(({ traceId }) => traceId)),
    );
    this.#log = log;
    const routes = this.#followRoutes(found(SERVED_REQUESTS));
    const processes = new ProcessWatch(() => host.processes(), noteCrash);
    return [
      overviewSection(
        {
          state: () => host.state,
          metrics: found(METRIC_SOURCE),
          restartable: may.restartService,
          routes,
          refresh: processes.refresh,
        },
        noteFailure,
      ),
      logsSection({ tail: log, sources: logs, changeable: may.changeLevel, traces }),
      tracesSection(traceSources, log, noteFailure),
      policiesSection(found<PolicyReport>(POLICY_REPORT), this.#options.clock, noteFailure),
      callSection(found<MethodSamples>(METHOD_SAMPLES), noteFailure),
      jobsSection(jobs, may.runJob, noteFailure),
      processesSection(processes, restart),
    ];
  }

  /** Null in an app without such sources. */
  #followRoutes(sources: readonly ServedRequests[]): RouteHistory | null {
    if (sources.length === 0) return null;
    const routes = new RouteHistory(this.#options.momentMs, this.#options.clock);
    this.#ends.push(routes.follow(sources));
    return routes;
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
