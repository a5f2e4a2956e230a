import { parseDuration } from '@apix/contracts';
import { isAwaitedByWork } from '@apix/contracts/internal';
import { LastCloser } from '@apix/contracts/internal-nest';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { type AbstractHttpAdapter, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { errorIn, joinErrors } from '../errors.js';
import { Host } from '../host/host-builder.js';
import { exitWhenHeldUp } from '../host/process-host.js';
import { nestLogger } from '../log/adapters.js';
import { outcomeOf } from '../outcome.js';
import type { Service } from '../service.js';
import { assembleHost, exploreApp } from './assemble-host.js';
import { BackgroundWork } from './background/background-work.js';
import { HostExplorer } from './explorer.js';
import { HostRef } from './host-ref.js';
import {
  DEFAULT_LINGER,
  HOSTX_MODULE_OPTIONS,
  type HostxModuleOptions,
  configureBuilder,
} from './hostx-options.js';
import { microservicesService, plainHttpService } from './nest-http.js';
import { optionalProvider } from './optional-provider.js';
import { APP_CLOSE, stopBeforeClose } from './patches/app-close.js';
import { CloseFirst, InitFirst } from './patches/module-order.js';
import { isTestingModule, runShutdownHooks } from './patches/shutdown-of-nest.js';
import { PlainBoot } from './plain-boot.js';
import { type PlainEnd, type Running, connectProcess, failProcess } from './plain-process.js';
import { HOSTX_OPTIONS } from './tokens.js';

const WAITS_FOR_ITSELF =
  'hostx: app.close() was called by work that it waits for; the host stops and closes the app now. ' +
  'Call HostRef.shutdown() instead';

/**
 * Runs the host of an app whose main is a plain `NestFactory.create` and `app.listen()`: services start
 * while Nest bootstraps, the host counts as started once the app listens, and services stop when
 * `app.close()` begins. In a microservice without HTTP adapter they stop only when this module is
 * destroyed; use `runHost` with `http: false` there. In an application context it runs only the jobs of other
 * modules, unless the option `applicationContext` is set. Does nothing under `runHost`.
 */
@Injectable()
export class PlainMainDriver implements OnApplicationBootstrap, OnApplicationShutdown {
  #explorer: HostExplorer | null = null;
  #running: Running | null = null;
  #isClosing = false;

  constructor(
    @Inject(HOSTX_OPTIONS) private readonly options: HostxModuleOptions,
    @Inject(HostRef) private readonly ref: HostRef,
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
    @Inject(BackgroundWork) private readonly background: BackgroundWork,
    @Inject(CloseFirst) private readonly closeFirst: CloseFirst,
    @Inject(PlainBoot) private readonly boot: PlainBoot,
    @Inject(InitFirst) initFirst: InitFirst,
  ) {
    initFirst.onInit(() => this.#begin());
    if (options.applicationContext === true) boot.hold();
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.ref.isBound) return;
    const isServing = this.#isServing();
    if (isServing && (await this.boot.isEnding())) return;
    const explorer = isServing ? this.#explored() : new HostExplorer(this.modules);
    if (!isServing && !this.#hasWorkInContext(explorer)) return;
    this.#takeClosers(explorer);
    const builder = Host.builder();
    configureBuilder(builder, this.options, () => explorer.logger());
    let bootstrapped = (): void => {};
    const servicesReady = new Promise<void>((resolve) => (bootstrapped = resolve));
    const adapter = this.adapterHost.httpAdapter as AbstractHttpAdapter | null;
    const transports: Service[] = [...this.background.jobServices()];
    if (this.background.messageServers.length > 0) {
      transports.push(microservicesService([], this.background));
    }
    if (adapter === null) builder.onStarted(bootstrapped, 'bootstrap');
    else {
      const http = plainHttpService(this.adapterHost, this.options, this.background);
      transports.push(http);
      builder.withObserver({
        serviceStarting: ({ service }) => {
          if (service === http.name) bootstrapped();
        },
      });
    }
    assembleHost(builder, isServing ? explorer : null, { transports });
    const host = builder.build();
    this.ref.bind(host);

    // A script ends when it has nothing more to do, and as it likes by what it does not catch.
    const uncaught = isServing ? (this.options.uncaught ?? 'stop') : 'ignore';
    const run = host.run({ signals: false, uncaught, keepAlive: isServing });
    this.#running = { host, run };
    const stop = (): Promise<void> => this.#stop();
    this.closeFirst.onClose(stop);
    const end: PlainEnd = {
      close: () => this.onApplicationShutdown(),
      endsFailed: () => this.#lingerMs !== null,
    };
    const { disconnect, isEnding } = connectProcess(this.#running, end, this.boot.take());
    const disconnected = run
      .catch((error: unknown) => {
        // A host with a logger has reported it.
        if (this.options.logger === null) nestLogger(new Logger()).error(error, 'Host ended');
      })
      .finally(disconnect);
    await Promise.race([servicesReady, run]);
    // The app must not listen any more, and the process ends.
    if (isEnding()) await run.then(() => new Promise(() => {}));
    if (adapter !== null) stopBeforeClose(adapter, 'beforeClose', stop);
    // An app that is a microservice begins its close with that of its server.
    else
      for (const server of this.background.messageServers) stopBeforeClose(server, 'close', stop);
    // From here on the run is not awaited: its end must end the process itself.
    void disconnected
      .then(() => run)
      .then(
        () => this.#ended(host.state.reason, adapter),
        (error: unknown) => this.#failed(error),
      );
  }

  /** @throws the errors of closing, after all parts were asked to close. */
  async onApplicationShutdown(): Promise<void> {
    this.boot.release();
    const errors: Error[] = [];
    for (const closer of this.#explorer?.closers() ?? []) {
      const outcome = await outcomeOf(() => closer.closeLast());
      if (!outcome.ok) errors.push(errorIn(`closer ${closer.constructor.name}`, outcome.error));
    }
    const error = joinErrors(errors);
    if (error !== null) throw error;
  }

  /** Runs before the init hook of any module. */
  async #begin(): Promise<void> {
    if (this.ref.isBound) return;
    if (this.#isServing()) this.boot.hold();
    await this.boot.passInit();
    if (this.options.background !== false) this.background.adopt();
  }

  #explored(): HostExplorer {
    const about = { table: HOSTX_MODULE_OPTIONS, listens: false };
    return exploreApp(this.modules, this.options, about, { transports: ['http'] });
  }

  #takeClosers(explorer: HostExplorer): void {
    this.#explorer = explorer;
    optionalProvider(this.modules, LastCloser)?.leave();
  }

  /** Whether this is an app or a microservice, or a context whose host was asked for. */
  #isServing(): boolean {
    if (this.adapterHost.httpAdapter || this.options.applicationContext === true) return true;
    let isMicroservice = false;
    // Replays what is known already, and is unsubscribed before it could emit more.
    const servers = this.modules.getRpcTargetRegistry().subscribe(() => (isMicroservice = true));
    servers.unsubscribe();
    return isMicroservice;
  }

  /**
   * A script or a REPL uses the app's providers, and is not the app; but the jobs of other modules run in it.
   */
  #hasWorkInContext(explorer: HostExplorer): boolean {
    // Why: docs/decisions/0228
    this.#takeClosers(explorer);
    const hasWork = this.background.hasJobs;
    const names = explorer.serviceNames();
    if (names.length > 0 && this.options.logger !== null) {
      const runs = hasWork ? 'runs only the jobs of other modules' : 'does not run';
      (this.options.logger ?? explorer.logger()).information(
        `Host ${runs} in an application context, so {Services} did not start; set the option applicationContext to run it there`,
        names.join(', '),
      );
    }
    return hasWork;
  }

  /** An app that `HostRef.shutdown()` has stopped no longer serves. */
  #ended(reason: string | undefined, adapter: AbstractHttpAdapter | null): void {
    const bySignal = reason?.startsWith('SIG') === true;
    const lingerMs = this.#lingerMs;
    if (bySignal || adapter === null || lingerMs === null) return;
    exitWhenHeldUp(lingerMs, 0);
    void runShutdownHooks(this.modules).catch((error: unknown) => failProcess(error));
  }

  async #failed(error: unknown): Promise<void> {
    const lingerMs = this.#lingerMs;
    if (lingerMs === null) return;
    // Nest's own handlers run the hooks where they are enabled.
    if (process.listenerCount('SIGTERM') > 0) return failProcess(error);
    const exit = (): void => failProcess(error);
    setTimeout(exit, lingerMs);
    await outcomeOf(() => runShutdownHooks(this.modules));
    exit();
  }

  /** How long the process may outlive the run, in milliseconds; null: it is not ours to end. */
  get #lingerMs(): number | null {
    const { linger = DEFAULT_LINGER } = this.options;
    if (linger === false || this.#isClosing || isTestingModule(this.modules)) return null;
    return parseDuration(linger);
  }

  async #stop(): Promise<void> {
    if (this.#running === null) return;
    const { host, run } = this.#running;
    // Why: docs/decisions/0390
    const waitsForItself = host.state.phase !== 'stopped' && isAwaitedByWork();
    this.#isClosing ||= !waitsForItself;
    host.shutdown(APP_CLOSE, { withoutDelay: APP_CLOSE });
    if (waitsForItself) throw new DOMException(WAITS_FOR_ITSELF, 'AbortError');
    await run.catch(() => {});
  }
}
