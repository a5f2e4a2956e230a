import { type Duration, systemClock } from '@apix/contracts';
import { DURATION, checkedOptions, withDefault } from '@apix/contracts/internal';
import type { INestApplication } from '@nestjs/common';
import { HostError, mistakesIn } from '../errors.js';
import { HostBuilder } from '../host/host-builder.js';
import type { Host } from '../host/host-handle.js';
import type { RootModule, RunHostOptions } from '../nest/open-app.js';

/** How long a start may take before the test fails, in milliseconds. */
export const DEFAULT_TIMEOUT = 10_000;

export interface StartHostOptions extends RunHostOptions {
  /** Fails a start, and a stop, that takes longer. Real time. Default: '10s'. */
  readonly timeout?: Duration;
}

/** The options that are read here; the others are those of an app, which reads them itself. */
const OWN_OPTIONS = { timeout: withDefault(DURATION, DEFAULT_TIMEOUT) };

/** A real host that runs, without the process's signals. */
export interface StartedHost {
  readonly host: Host;
  /** The Nest app, where a module was started. */
  readonly app: INestApplication | null;
  /** Stops the host and waits; resolves with the result of the run: undefined, or its error. */
  readonly stop: () => Promise<Error | undefined>;
  /** For `await using`: stops the host, and throws the error of the run. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Builds and runs a real host, from a builder or a Nest module, and resolves once everything is ready.
 * Rejects, and so fails the test, on build errors, on a start that fails and on one that hangs. A Nest app
 * listens on a free port, drains without delay and does not log, unless options say otherwise.
 *
 * Under Jest, or Vitest with globals, the host is stopped after the test that started it, or after the file
 * if it was started outside of a test; a run whose error was not checked by `stop()` fails the test.
 * Elsewhere use `await using`, or call `stop()`.
 */
export async function startHost(
  what: HostBuilder | RootModule,
  options: StartHostOptions = {},
): Promise<StartedHost> {
  const { timeout, ...own } = options;
  const { timeout: timeoutMs } = checkedOptions(
    OWN_OPTIONS,
    what instanceof HostBuilder ? options : { timeout },
    mistakesIn('startHost'),
  );
  const { host, app } = await build(what, own);
  const run = host.runContext().then(
    () => undefined,
    (error: Error) => error,
  );
  let seen = false;
  const stop = (): Promise<Error | undefined> => {
    seen = true;
    host.shutdown('test ended');
    return orTimeout(run, timeoutMs, () => hang('stop', host));
  };
  const started: StartedHost = {
    host,
    app,
    stop,
    async [Symbol.asyncDispose]() {
      if (seen) return;
      const error = await stop();
      if (error !== undefined) throw error;
    },
  };
  cleanUpLater(() => started[Symbol.asyncDispose]());

  const isRunning = await orTimeout(host.started, timeoutMs, () => {
    seen = true;
    const error = hang('start', host);
    host.shutdown('the start hangs');
    return error;
  });
  if (!isRunning) {
    seen = true;
    throw (await run) ?? new HostError('hostx: the host was shut down before it was ready');
  }
  return started;
}

async function build(
  what: HostBuilder | RootModule,
  options: RunHostOptions,
): Promise<{ readonly host: Host; readonly app: INestApplication | null }> {
  if (what instanceof HostBuilder) return { host: what.build(), app: null };
  // Tests of a host without Nest do not have it installed.
  const { openApp } = await import('../nest/open-app.js');
  return openApp(what, {
    logger: null,
    http: { port: 0, host: '127.0.0.1' },
    drain: { delay: 0 },
    ...options,
    nest: { logger: false, ...options.nest },
  });
}

function hang(what: string, host: Host): HostError {
  const { phase, services } = host.state;
  const states = services.map(({ name, state }) => `${name}: ${state}`).join(', ');
  return new HostError(`hostx: the ${what} hangs; the host is ${phase} (${states})`);
}

function orTimeout<T>(work: Promise<T>, ms: number, error: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = systemClock.after(ms, () => reject(error()));
    work.then(resolve, reject).finally(cancel);
  });
}

type Hook = (fn: () => Promise<void>) => void;

/** The functions that Jest and Vitest may define globally. */
interface TestGlobals {
  readonly afterEach?: Hook;
  readonly afterAll?: Hook;
  readonly expect?: { getState?(): { readonly currentTestName?: string | undefined } };
}

const globals = globalThis as TestGlobals;
const afterThisTest: (() => Promise<void>)[] = [];
const afterThisFile: (() => Promise<void>)[] = [];

async function runAll(list: (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const cleanUp of list.splice(0).toReversed()) await cleanUp().catch((e) => errors.push(e));
  if (errors.length > 0) throw errors[0];
}

// A hook cannot be defined inside a test, so this one is there before the first.
globals.afterEach?.(() => runAll(afterThisTest));
globals.afterAll?.(() => runAll(afterThisFile));

/** Runs `fn` after the current test, or after the file when no test is running. */
function cleanUpLater(fn: () => Promise<void>): void {
  const inTest = globals.expect?.getState?.().currentTestName !== undefined;
  (inTest ? afterThisTest : afterThisFile).push(fn);
}
