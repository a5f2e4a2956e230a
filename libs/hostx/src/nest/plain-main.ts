import { systemClock } from '@apix/contracts';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { Host } from '../host/host-builder.js';
import { connectSignals } from '../host/signals.js';
import { nestLogger } from '../log/adapters.js';
import { untilAborted } from '../outcome.js';
import type { Service } from '../service.js';
import { HostExplorer } from './explorer.js';
import { HostRef } from './host-ref.js';
import { type HostxOptions, configureBuilder } from './hostx-options.js';
import { HOSTX_OPTIONS } from './tokens.js';

/**
 * Runs the host of an app whose main is a plain `NestFactory.create` and `app.listen()`: services
 * start while Nest bootstraps, the host counts as started once the app listens, and services
 * stop when `app.close()` begins. Does nothing under `runHost`.
 */
@Injectable()
export class PlainMainDriver implements OnApplicationBootstrap, OnApplicationShutdown {
  #explorer: HostExplorer | null = null;
  #closing = false;

  constructor(
    @Inject(HOSTX_OPTIONS) private readonly options: HostxOptions,
    private readonly ref: HostRef,
    private readonly modules: ModulesContainer,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.ref.isBound) return;
    this.#explorer = new HostExplorer(this.modules);
    const builder = Host.builder();
    const logger = nestLogger(new Logger());
    configureBuilder(builder, this.options, () => logger);
    this.#explorer.addTasks(builder, 'beforeInit');
    this.#explorer.addTasks(builder, 'afterInit');
    this.#explorer.addServicesAndHooks(builder);
    let bootstrapped = (): void => {};
    const servicesReady = new Promise<void>((resolve) => (bootstrapped = resolve));
    builder.addService(this.#listener(bootstrapped), { tier: 'transport' });
    const host = builder.build();
    this.ref.bind(host);

    const run = host.runContext();
    const disconnect = this.#connect(host, run);
    run.catch((error: unknown) => logger.error(error, 'Host ended')).finally(disconnect);
    await Promise.race([servicesReady, run]);
    this.#stopBeforeClose(host, run);
    // From here on nobody awaits the run: a failure has to end the process itself.
    run.catch(() => this.#endProcess());
  }

  async onApplicationShutdown(): Promise<void> {
    for (const closer of this.#explorer?.closers() ?? []) await closer.closeLast();
  }

  /** Stands for the server that `app.listen()` opens: ready as soon as it listens. */
  #listener(onLaunch: () => void): Service {
    return {
      name: 'http',
      start: async (signal) => {
        onLaunch();
        await untilAborted(signal);
      },
      ready: () =>
        new Promise((resolve) => {
          if (this.adapterHost.listening) resolve();
          else this.adapterHost.listen$.subscribe({ complete: resolve });
        }),
    };
  }

  #stopBeforeClose(host: Host, run: Promise<void>): void {
    const adapter = this.adapterHost.httpAdapter as { beforeClose?: () => unknown } | undefined;
    if (adapter === undefined) return;
    const inner = adapter.beforeClose?.bind(adapter);
    adapter.beforeClose = async () => {
      this.#closing = true;
      host.shutdown('app.close()');
      await run.catch(() => {});
      await inner?.();
    };
  }

  #connect(host: Host, run: Promise<void>): () => void {
    const disconnect = connectSignals(
      process,
      {
        shutdown: (signal) => {
          host.shutdown(signal);
          // Whoever listens besides us, such as Nest's shutdown hooks, ends the process.
          if (process.listenerCount(signal) === 1) void endBySignal(run, disconnect, signal);
        },
        reload: () => void host.reload().catch(() => {}),
        exit: (code) => process.exit(code),
      },
      systemClock,
    );
    return disconnect;
  }

  #endProcess(): void {
    if (this.#closing) return;
    process.exitCode = 1;
    if (process.listenerCount('SIGTERM') > 0) process.kill(process.pid, 'SIGTERM');
    else process.exit(1);
  }
}

/** Ends the process as the signal would have, had nobody listened to it. */
async function endBySignal(
  run: Promise<void>,
  disconnect: () => void,
  signal: NodeJS.Signals,
): Promise<void> {
  await run.catch(() => {});
  disconnect();
  process.kill(process.pid, signal);
}
