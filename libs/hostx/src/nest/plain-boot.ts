import { Inject, Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HeldSignals, holdSignals } from '../host/signals.js';
import { nestLogger } from '../log/adapters.js';
import { outcomeOf } from '../outcome.js';
import { HostExplorer } from './explorer.js';
import { isBeingCreated, isTestingModule, runShutdownHooks } from './patches/shutdown-of-nest.js';
import { endBy, endFirst, endsByOthers } from './plain-process.js';

/** How often to look whether all providers have been created, in milliseconds. */
const LOOK_EVERY_MS = 10;

/**
 * The start of an app with a plain main, until its host runs: a signal stops what there is, and ends the
 * process. It is created among the first providers, so that it gets a signal while others are created.
 */
@Injectable()
export class PlainBoot {
  #signals: HeldSignals | null = null;
  #endsHere = false;
  /** Whether Nest initialises the modules, which it cannot be kept from ending. */
  #isInitialising = false;
  #initialised = (): void => {};
  readonly #whenInitialised = new Promise<void>((resolve) => (this.#initialised = resolve));

  constructor(
    @Inject(HttpAdapterHost) adapterHost: HttpAdapterHost,
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
  ) {
    // Null in a context and in a microservice, which are not told apart yet.
    if (adapterHost.httpAdapter as unknown) this.hold();
  }

  /** From now on signals are held; not under `runHost`, which does so itself, and not in tests. */
  hold(): void {
    if (this.#signals !== null || isOpening() || isTestingModule(this.modules)) return;
    this.#signals = holdSignals({
      logger: nestLogger(new Logger()),
      onStop: (signal) => void this.#end(signal),
    });
  }

  /** Called when Nest begins to initialise the modules; does not resolve where the process ends instead. */
  async passInit(): Promise<void> {
    if (this.#endsHere) await this.isEnding();
    else this.#isInitialising = true;
  }

  /**
   * Called when the modules are initialised. Resolves with whether Nest's shutdown hooks end the app, and
   * does not resolve where this does.
   */
  async isEnding(): Promise<boolean> {
    this.#initialised();
    if (this.#signals === null || this.#signals.stop === null) return false;
    if (this.#endsHere) await new Promise(() => {});
    return true;
  }

  /** Passes the signals on to the host. */
  take(): HeldSignals | null {
    const signals = this.#signals;
    this.#signals = null;
    return signals;
  }

  /** The app is closed without a host. */
  release(): void {
    this.#signals?.release();
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (endsByOthers(signal, false)) return endFirst(signal);
    this.#endsHere = true;
    if (this.#isInitialising) await this.#whenInitialised;
    else while (isBeingCreated(this.modules)) await sleep(LOOK_EVERY_MS);
    await outcomeOf(() => runShutdownHooks(this.modules));
    for (const closer of new HostExplorer(this.modules).closers()) {
      await outcomeOf(() => closer.closeLast());
    }
    endBy(signal, () => this.release());
  }
}

let opening = 0;

/** Creates an app whose host is not that of a plain main, which its providers see by {@link isOpening}. */
export async function whileOpening<T>(create: () => Promise<T>): Promise<T> {
  opening += 1;
  try {
    return await create();
  } finally {
    opening -= 1;
  }
}

/** Whether an app is being created by `runHost` or `startHost`. */
function isOpening(): boolean {
  return opening > 0;
}
