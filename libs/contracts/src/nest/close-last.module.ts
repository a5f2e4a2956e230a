import { DiscoveryService, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { CLOSE_LAST, type CloseLast } from '../seams/close-last.js';
import { thrownText } from '../shown-value.js';
import { discoverMarked } from './discover-marked.js';

interface Closable {
  close?: (...args: unknown[]) => unknown;
}

/**
 * Closes the providers that are marked {@link CLOSE_LAST} at the very end of `app.close()`, unless a host
 * does.
 */
export class LastCloser {
  #closing: Promise<void> | undefined;
  #isLeft = false;
  /** Whether the app goes on, although Nest runs the hooks of its end. */
  #goesOn = false;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly adapterHost: HttpAdapterHost,
  ) {
    // Nest shuts down the modules one by one, greatest distance last; that of a global one is MAX_VALUE.
    // Why: docs/decisions/0394
    for (const module of modules.values()) {
      if (module.metatype === CloseLastModule) module.distance = Infinity;
    }
  }

  /** Leaves them to a host, which may run longer than the app. */
  leave(): void {
    this.#isLeft = true;
  }

  /**
   * Nest runs the hooks of all modules when a connected microservice or a selected context closes, too. Only
   * the end of the app closes its HTTP adapter, before the last hooks.
   */
  onModuleInit(): void {
    const adapter = this.adapterHost.httpAdapter as Closable | undefined;
    const close = adapter?.close;
    if (adapter === undefined || close === undefined) return;
    this.#goesOn = true;
    // It stays: others may have wrapped it, and the adapter ends with its app.
    adapter.close = (...args) => {
      this.#goesOn = false;
      return close.apply(adapter, args);
    };
  }

  /**
   * Closes each of them once, those of the modules farthest from the root first.
   *
   * @throws Error with the failures, after all were asked to close.
   */
  onApplicationShutdown(): Promise<void> {
    if (this.#isLeft || this.#goesOn) return Promise.resolve();
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    const ordered = [...this.modules.values()].toSorted((a, b) => b.distance - a.distance);
    const discovery = new DiscoveryService(this.modules);
    const failures: Error[] = [];
    for (const closer of discoverMarked<CloseLast>(discovery, CLOSE_LAST, ordered)) {
      try {
        await (closer.closeWithApp === undefined ? closer.closeLast() : closer.closeWithApp());
      } catch (cause) {
        const text = `closer ${closer.constructor.name}: ${thrownText(cause)}`;
        failures.push(new Error(text, { cause }));
      }
    }
    if (failures.length === 1) throw failures[0]!;
    if (failures.length > 1) {
      throw new AggregateError(failures, failures.map(({ message }) => message).join('; '));
    }
  }
}

class CloseLastModule {}

/**
 * Imported by each module with a provider that is marked {@link CLOSE_LAST}: an app has one, whichever
 * packages it uses.
 */
export const CLOSE_LAST_MODULE = {
  module: CloseLastModule,
  providers: [
    {
      provide: LastCloser,
      inject: [ModulesContainer, HttpAdapterHost],
      useFactory: (modules: ModulesContainer, adapterHost: HttpAdapterHost): LastCloser =>
        new LastCloser(modules, adapterHost),
    },
  ],
  exports: [LastCloser],
};
