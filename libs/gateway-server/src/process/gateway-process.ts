import type { Authorizer } from '@apix/authz/core';
import type { Server } from 'node:http';
import { type CallContext, Mistakes } from '@apix/contracts';
import { type CallAdmission, Gateway, type RequestHandler } from '@apix/gateway/core';
import {
  HealthRegistry,
  Host,
  type HostLogger,
  HttpService,
  type HttpServiceOptions,
  checkerFunc,
} from '@apix/hostx/core';
import { httpMiddleware } from '@apix/logx/core';
import type { Logger } from '@apix/logx/core';
import { Backend } from '../backend/backend.js';
import { Catalogue } from '../catalogue/catalogue.js';
import { CatalogueService } from '../catalogue/catalogue-service.js';
import { readSources } from '../catalogue/read-sources.js';
import { FoundMistakes } from '../found-mistakes.js';
import { type TokenSubject, tokenSubject } from '../policies/token-subject.js';
import type { SpanExport } from '../spans/span-export.js';
import { callerTls } from '../site/caller-tls.js';
import { atPath, firstOf, site } from '../site/site.js';
import { Upgrades } from '../site/upgrades.js';
import { type ListenAddress, listenAddress } from '../settings/resolve-settings.js';
import type { GatewaySettings } from '../settings/setting-table.js';
import { CatalogueFigures } from './figures.js';
import type { Generation } from '../catalogue/generation.js';
import { HEALTH_PATHS } from '../settings/check-settings.js';
import { type ToolSite, toolSite } from '../site/tool-site.js';
import { gatewayOptionsOf } from './gateway-options.js';
import { metricsOf } from './metrics.js';

/** A gateway that is configured and does not run yet. */
export class GatewayProcess {
  readonly catalogue: Catalogue;
  readonly #settings: GatewaySettings;
  readonly #logger: Logger;
  readonly #spans: SpanExport | undefined;
  readonly #backend: Backend;
  readonly #figures: CatalogueFigures;
  /** Undefined if no tools are served. */
  readonly #tools: ToolSite | undefined;
  readonly #upgrades = new Upgrades();
  readonly #tls: ReturnType<typeof callerTls>;
  readonly #tokens: TokenSubject | undefined;
  #service: HttpService | undefined;
  #admin: HttpService | undefined;

  /** @throws GatewayServerError that lists every mistake in the settings and in the files that they name. */
  constructor(settings: GatewaySettings, logger: Logger, spans?: SpanExport) {
    this.#settings = settings;
    this.#logger = logger;
    this.#spans = spans;
    const mistakes = new FoundMistakes();
    const gatewayOptions = gatewayOptionsOf(settings);
    this.#tokens = mistakes.part(() => tokenSubject(settings));
    const gate = { admission: this.#tokens && this.#admission(), stages: spans?.stages ?? [] };
    this.#tls = mistakes.part(() => callerTls(settings));
    const backend = mistakes.part(() => new Backend(settings, gate));
    mistakes.part(() => Gateway.checkOptions(gatewayOptions));
    this.#tools = mistakes.part(() =>
      toolSite(settings, {
        current: () => this.catalogue.current,
        upstream: () => this.#backend.upstream,
      }),
    );
    mistakes.part(() => readSources(settings));
    mistakes.throwIfAny();
    this.#backend = backend!;
    this.catalogue = new Catalogue({
      settings,
      upstream: this.#backend.upstream,
      gatewayOptions,
      subject: this.#tokens?.identify,
      reflect: () => this.#backend.reflect(),
    });
    this.#figures = new CatalogueFigures(this.catalogue);
  }

  /** `host:port` that callers connect to; '' while the gateway does not listen. */
  get addr(): string {
    return this.#service?.addr ?? '';
  }

  /** The same for health and metrics, if they have a separate port. */
  get adminAddr(): string {
    return this.#admin?.addr ?? this.addr;
  }

  /** A host that serves until it is stopped. */
  host(): ReturnType<typeof Host.builder> {
    const { 'shutdown-timeout': timeout, refresh } = this.#settings;
    const log: HostLogger = this.#logger;
    const catalogueService = new CatalogueService(this.catalogue, refresh, log, () =>
      this.#announce(),
    );
    const health = this.#health();
    const metrics = metricsOf(
      this.#settings,
      () => [
        this.#figures,
        ...this.#services(),
        ...(this.#tools === undefined ? [] : [this.#tools]),
      ],
      (problem) => log.warning('{Problem}', problem),
    );
    const infrastructure = [
      health.handler(),
      ...(metrics === undefined ? [] : [atPath(metrics.path, metrics.handler)]),
    ];
    const builder = Host.builder().withLogger(log).addService(catalogueService);
    if (timeout !== undefined) builder.withShutdownTimeout(timeout);
    health.bind(builder);
    metrics?.bind(builder);
    this.#addServers(builder, infrastructure);
    this.#addReloads(builder);
    builder
      .onReload(() => catalogueService.reload(), 'descriptors and rules')
      .addTeardown('connections', () => this.#backend.close())
      .addCloser('spans', () => this.#spans?.close())
      .addCloser('log', (deadline) => this.#logger.close(deadline));
    builder.onStarted(() => this.#sayWhere(), 'addresses');
    if (this.catalogue.current !== undefined) builder.onStarted(() => this.#announce(), 'announce');
    return builder;
  }

  /** Releases what was opened; for callers that do not run the host. */
  close(): void {
    this.#backend.close();
  }

  /** Only of what is there: the log names what a reload has read. */
  #addReloads(builder: ReturnType<typeof Host.builder>): void {
    const tls = this.#tls;
    const backend = this.#backend;
    const keyFile = this.#tokens?.keyFile;
    if (tls !== undefined) builder.onReload(() => tls.reload(), 'certificates');
    if (backend.isSecure) builder.onReload(() => backend.reload(), 'certificates of the backend');
    if (keyFile !== undefined) builder.onReload(() => keyFile.reload(), keyFile.name);
  }

  #services(): HttpService[] {
    return [this.#service, this.#admin].filter((it) => it !== undefined);
  }

  /** Policies change with the descriptors; the connection stays. */
  #admission(): CallAdmission {
    return {
      admit: (call: CallContext) => this.#authorizer.admit(call),
      begin: (call: CallContext) => this.#authorizer.begin(call),
    };
  }

  /** Throws, which denies the call, if no policies have been read. */
  get #authorizer(): Authorizer {
    return this.catalogue.current!.authorizer!;
  }

  #health(): HealthRegistry {
    const known = (): void => {
      if (this.catalogue.current === undefined) throw new Error('nothing is known to serve yet');
    };
    return new HealthRegistry({
      cache: '1s',
      checks: [
        checkerFunc('descriptors', known, { affects: 'ready' }),
        checkerFunc('backend', () => this.#backend.check(), { affects: 'ready' }),
      ],
    });
  }

  #addServers(
    builder: ReturnType<typeof Host.builder>,
    infrastructure: readonly RequestHandler[],
  ): void {
    const { settings, catalogue } = { settings: this.#settings, catalogue: this.catalogue };
    const { 'admin-listen': admin } = settings;
    const logged = httpMiddleware(this.#logger, { probes: 'debug', probePaths: [...HEALTH_PATHS] });
    const api = site({
      settings,
      catalogue,
      infrastructure: admin === undefined ? infrastructure : [],
      tools: this.#tools?.handler,
    });
    const handler: RequestHandler = (req, res) => logged(req, res, () => api(req, res));
    this.#service = new HttpService({
      ...this.#listening('http', settings.listen ?? '8080'),
      handler: this.#spans?.handler(handler) ?? handler,
      ...(this.#tls !== undefined && { tls: this.#tls.options }),
      http2: settings.http2,
      withServer: (server: Server) => {
        this.#tls?.follow(server);
        this.#spans?.watch(server);
        this.#upgrades.attach(server, catalogue.current?.gateway);
      },
      beforeFarewell: () => this.#upgrades.close(),
    });
    builder.addService(this.#service, { tier: 'transport' });
    if (admin === undefined) return;
    const own = firstOf(infrastructure);
    this.#admin = new HttpService({
      ...this.#listening('admin', admin),
      handler: (req, res) => own(req, res),
    });
    builder.addService(this.#admin, { tier: 'transport' });
  }

  #listening(name: string, text: string): HttpServiceOptions {
    const { host, port }: ListenAddress = listenAddress(name, text, new Mistakes());
    const { 'drain-delay': delay } = this.#settings;
    return {
      name,
      port,
      ...(host !== undefined && { host }),
      ...(delay !== undefined && { drain: { delay } }),
    };
  }

  #sayWhere(): void {
    const scheme = this.#tls === undefined ? 'http' : 'https';
    this.#logger.information('listening on {Url}', `${scheme}://${this.addr}`);
    if (this.#admin === undefined) return;
    this.#logger.information('health and metrics are on {Url}', `http://${this.adminAddr}`);
  }

  /** Logs what is served, and sends new WebSockets to it. */
  #announce(): void {
    const { current } = this.catalogue;
    if (current === undefined) return;
    this.#upgrades.follow(current.gateway);
    this.#figures.follow(current.gateway);
    const { endpoint } = this.#backend;
    const { length } = current.gateway.bindings;
    this.#logger.information(
      length === 1
        ? '{Rules} HTTP rule calls the gRPC server at {Backend}'
        : '{Rules} HTTP rules call the gRPC server at {Backend}',
      length,
      endpoint,
    );
    const { methods, protocols } = current.gateway;
    if (methods.length > 0) {
      const names = [...protocols].filter((name) => name !== 'rest').join(', ');
      this.#logger.information(
        '{Methods} methods are served by {Protocols}',
        methods.length,
        names,
      );
    }
    this.#announceTools(current);
    const { leftToServer, unenforced } = current;
    if (leftToServer.length > 0) {
      this.#logger.information(
        'the server decides about the records of {Methods}',
        leftToServer.join(', '),
      );
    }
    if (unenforced === undefined) return;
    this.#logger.warning(
      'no policy is enforced here, as jwks is not set: the server at {Backend} must, for {Methods}',
      endpoint,
      unenforced,
    );
  }

  #announceTools({ tools, authorizer }: Generation): void {
    const { mcp = '' } = this.#settings;
    if (tools === undefined) return;
    this.#logger.information('{Tools} tools are served by MCP at {Path}', tools.size, mcp);
    if (authorizer !== undefined) return;
    this.#logger.warning(
      'all tools are listed to everybody, as mcp-list is all: the server at {Backend} must refuse who may not call them',
      this.#backend.endpoint,
    );
  }
}
