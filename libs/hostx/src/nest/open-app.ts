import {
  type HttpServer,
  type INestApplication,
  type NestApplicationOptions,
} from '@nestjs/common';
import type { Deadline } from '@apix/contracts';
import { LastCloser } from '@apix/contracts/internal-nest';
import {
  anyValue,
  arrayOf,
  callable,
  foreignObject,
  type OptionTable,
} from '@apix/contracts/internal';
import { type AbstractHttpAdapter, ModulesContainer, NestFactory } from '@nestjs/core';
import type { HeldSignals } from '../host/held-signals.js';
import { type Host, HostBuilder } from '../host/host-builder.js';
import { parentLink } from '../processes/parent-link.js';
import {
  type ProcessCount,
  PROCESSES,
  type ProcessesOptions,
} from '../processes/processes-options.js';
import type { Service } from '../service.js';
import type { AttachContext } from './host-extension.js';
import { assembleHost, exploreApp } from './assemble-host.js';
import { BackgroundWork } from './background/background-work.js';
import { HostRef } from './host-ref.js';
import {
  HOSTX_MODULE_OPTIONS,
  type HostxModuleOptions,
  configureBuilder,
} from './hostx-options.js';
import { microservicesService, drainDelayOf, nestHttpService } from './nest-http.js';
import { whileOpening } from './plain-boot.js';
import { optionalProvider } from './optional-provider.js';
import { APP_CLOSE, stopByClose, withoutShutdownHooks } from './patches/app-close.js';
import { HOSTX_OPTIONS } from './tokens.js';

/** The root module as `NestFactory.create` takes it. */
export type RootModule = Parameters<typeof NestFactory.create>[0];

export interface RunHostOptions extends HostxModuleOptions {
  /** Such as `new FastifyAdapter()`. Default: Express. */
  readonly adapter?: AbstractHttpAdapter | HttpServer;
  /** Options of `NestFactory.create`. */
  readonly nest?: Omit<NestApplicationOptions, 'abortOnError'>;
  /**
   * The set-up between `create` and `listen`: global pipes, prefixes, `useLogger`, `connectMicroservice`.
   * Runs before the attachments and before `app.init()`.
   */
  readonly configure?: (app: INestApplication) => void | Promise<void>;
  /**
   * Microservices to connect, as for `app.connectMicroservice`, always with `inheritAppConfig`: without it
   * Nest leaves out global guards, and every call is let in. Default: none.
   */
  readonly microservices?: readonly object[];
  /** Adds to the host what decorators cannot say. Runs after everything was discovered. */
  readonly extend?: (builder: HostBuilder) => void;
  /**
   * In how many processes the app runs, with one listening socket for each port and this process as their
   * parent; `'cores'` for one on each core. Default: the variable APP_PROCESSES, or this process alone.
   */
  readonly processes?: ProcessCount | ProcessesOptions;
  /**
   * How the host is run, for a surrounding that gives orders by other ways than signals, such as
   * the service control manager of Windows. Default: `host.run()`.
   */
  readonly run?: (host: Host) => Promise<void>;
}

/** Members of `windowsService()` of `@apix/hostx-os` that are not options; the whole is given to `runHost`. */
const OF_WINDOWS_SERVICE = { isService: anyValue(), announced: anyValue() };

/** The allowed values of the options of `runHost`. */
const RUN_HOST_OPTIONS = {
  ...HOSTX_MODULE_OPTIONS,
  ...OF_WINDOWS_SERVICE,
  adapter: anyValue(),
  nest: foreignObject(),
  configure: callable(),
  microservices: arrayOf(foreignObject()),
  extend: callable(),
  processes: PROCESSES,
  run: callable(),
} satisfies OptionTable<RunHostOptions>;

/** An app that is created, but not initialised, and the host that will do the rest. */
export interface OpenApp {
  readonly app: INestApplication;
  readonly host: Host;
  readonly options: RunHostOptions;
}

/** Nest's own handlers pass the signal on to the hooks; the public type leaves it out. */
interface SignalledApp {
  close(signal?: string): Promise<void>;
}

/**
 * Creates the app and builds its host; whatever fails here leaves nothing behind.
 *
 * @param signals those held for the host. Default: none.
 */
export async function openApp(
  module: RootModule,
  own: RunHostOptions,
  signals?: HeldSignals,
): Promise<OpenApp> {
  const nest: NestApplicationOptions = { ...own.nest, abortOnError: false };
  const app = await whileOpening(() =>
    own.adapter === undefined
      ? NestFactory.create(module, nest)
      : NestFactory.create(module, own.adapter as AbstractHttpAdapter, nest),
  );
  const patches: (() => void)[] = [];
  let ownClose = (): void => {};
  let hasStopped = (): void => {};
  const stopped = new Promise<void>((resolve) => (hasStopped = resolve));
  const close = async (signal?: string): Promise<void> => {
    ownClose();
    try {
      await (app as SignalledApp).close(signal);
    } finally {
      for (const undo of patches.splice(0)) undo();
    }
  };
  try {
    const modules = app.get(ModulesContainer);
    const options = { ...optionalProvider<HostxModuleOptions>(modules, HOSTX_OPTIONS), ...own };
    const about = { table: RUN_HOST_OPTIONS, listens: true };
    const explorer = exploreApp(modules, options, about, {
      transports: options.http === false ? ['microservices'] : ['microservices', 'http'],
      finish: options.extend,
    });
    patches.push(withoutShutdownHooks(app));
    const background = optionalProvider(modules, BackgroundWork) ?? new BackgroundWork(modules);
    if (options.background !== false) background.adopt();
    await options.configure?.(app);
    for (const microservice of options.microservices ?? []) {
      app.connectMicroservice(microservice, { inheritAppConfig: true });
    }
    const connected = [...app.getMicroservices()];
    const drain = options.drain ?? {};
    const context: AttachContext = { drainDelay: drainDelayOf(drain) };
    const attachments = explorer.attachments();
    for (const attachment of attachments) await attachment.attach(app, context);
    const theirs = new Set(attachments.flatMap(({ microservices }) => microservices ?? []));
    const microservices = connected.filter((microservice) => !theirs.has(microservice));

    const builder = new HostBuilder();
    if (signals !== undefined) builder.withSignals(signals);
    configureBuilder(builder, options, () => explorer.logger());
    const transports: Service[] = [...background.jobServices()];
    if (microservices.length > 0) {
      const patched = (undo: () => void): void => void patches.push(undo);
      transports.push(microservicesService(microservices, background, patched));
    }
    if (options.http !== false) {
      const answered = (deadline: Deadline): Promise<void> => background.drainSockets(deadline);
      transports.push(nestHttpService(app, options.http ?? {}, drain, answered));
    }
    assembleHost(builder, explorer, {
      init: () => app.init(),
      transports,
      finish: () => {
        const link = parentLink();
        if (link !== null) builder.addTeardown('figures', () => link.sendFigures());
        // Why: docs/decisions/0051
        builder.addTeardown(APP_CLOSE, () => close(signalName(host.state.reason)));
        for (const closer of explorer.closers()) {
          builder.addCloser(closer.constructor.name, () => closer.closeLast());
        }
        options.extend?.(builder);
        builder.addCloser(APP_CLOSE, hasStopped);
      },
    });
    const host = builder.build();
    optionalProvider(modules, LastCloser)?.leave();
    ownClose = stopByClose(app, () => {
      host.shutdown(APP_CLOSE, { withoutDelay: APP_CLOSE });
      return stopped;
    });
    optionalProvider(modules, HostRef)?.bind(host);
    return { app, host, options };
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
}

/** The argument of Nest's shutdown hooks: the signal, if there was one. */
function signalName(reason: string | undefined): string | undefined {
  return reason !== undefined && /^SIG[A-Z]+$/.test(reason) ? reason : undefined;
}
