import { type Duration, Mistakes, shownValue } from '@apix/contracts';
import type { Environment } from '../environment.js';
import type { HostBuilder } from '../host/host-builder.js';
import type { UncaughtPolicy } from '../host/host-handle.js';
import type { HostLogger } from '../log/host-logger.js';
import {
  type DrainOptions,
  type HttpServiceOptions,
  readDrain,
  readPort,
  readTimeouts,
} from '../http/http-options.js';
import type { Observer } from '../observer.js';

/** Where and how the Nest HTTP server listens. */
export interface NestHttpOptions extends Pick<
  HttpServiceOptions,
  'host' | 'timeouts' | 'activation' | 'withServer'
> {
  /** 0 picks a free port. Default: the variable PORT, or 3000. */
  readonly port?: number;
}

export interface HostxModuleOptions {
  /** Caps the entire teardown. Default: '30s'. */
  readonly shutdownTimeout?: Duration;
  /** Caps the wait for readiness. Default: unbounded. */
  readonly startTimeout?: Duration;
  /**
   * Caps the whole start: under `runHost` from `app.init()`, with a plain main from the tasks until
   * the app listens. Default: unbounded.
   */
  readonly bootTimeout?: Duration;
  /** Caps the stop of each service, which is abandoned then. Default: the shutdown timeout alone. */
  readonly stopTimeout?: Duration;
  /** Caps each reload hook, which is abandoned then. Default: '30s'. */
  readonly reloadTimeout?: Duration;
  /** Default: the value of the variable APP_ENVIRONMENT, or Production. */
  readonly environment?: Environment | string;
  /** `null` for silence. Default: that of LogxModule in the app, or else of Nest, named `Host`. */
  readonly logger?: HostLogger | null;
  /** Default: none. */
  readonly observers?: readonly Observer[];
  /** False for a process without an HTTP server. Only `runHost` listens. Default: {}. */
  readonly http?: NestHttpOptions | false;
  /** How the HTTP server and gRPC let go of their clients. Default: as there. */
  readonly drain?: DrainOptions;
  /**
   * How long after the end of a run the process may still be held by something, such as a timer
   * of the app; then it exits, with 1 after a failure. With a plain main only after a failure or
   * `HostRef.shutdown()`, never after `app.close()` and never in a testing module of Nest. False:
   * the process is left alone. Default: '1s'.
   */
  readonly linger?: Duration | false;
  /**
   * Whether the host follows and drains the work of `@nestjs/schedule`, `@nestjs/bullmq`,
   * `@nestjs/bull` and `@nestjs/microservices`. False leaves it to their modules. Default: true.
   */
  readonly background?: boolean;
  /**
   * Whether the host also runs under `NestFactory.createApplicationContext()`, for a worker with its own
   * main; `runHost` with `http: false` is the better way. Default: false, so that scripts and REPLs use the
   * app's providers and start no workers.
   */
  readonly applicationContext?: boolean;
  /** What happens on uncaught errors. Default: 'stop'. */
  readonly uncaught?: UncaughtPolicy;
}

/** How long the process may outlive a run with the linger unset. */
export const DEFAULT_LINGER = '1s';

const TIMEOUTS = [
  'shutdownTimeout',
  'bootTimeout',
  'startTimeout',
  'stopTimeout',
  'reloadTimeout',
] as const;

/**
 * All mistakes, including those in options that only later parts read, so that they are reported together
 * and before anything starts.
 *
 * @param listens whether the host listens, so that the variable PORT counts.
 */
export function hostxMistakes(
  options: HostxModuleOptions,
  { listens }: { readonly listens: boolean },
): readonly string[] {
  const { http = {}, drain = {}, uncaught, linger, background } = options;
  const { applicationContext = false } = options;
  const mistakes = new Mistakes();
  for (const name of TIMEOUTS) {
    const timeout = options[name];
    if (timeout !== undefined) mistakes.duration(name, timeout, { min: 1 });
  }
  if (http !== false) {
    if (http.port !== undefined) readPort('http.port', http.port, mistakes);
    else if (listens) portFromEnv(mistakes);
    readTimeouts('http.timeouts', http.timeouts ?? {}, mistakes);
  }
  readDrain('drain', drain, mistakes);
  mistakes.flag('applicationContext', applicationContext);
  if (uncaught !== undefined) mistakes.choice('uncaught', uncaught, ['stop', 'report', 'ignore']);
  if (background !== undefined) mistakes.flag('background', background);
  if (linger !== undefined && linger !== false) mistakes.duration('linger', linger);
  return mistakes.found;
}

/** The variable PORT, or 3000 where it is unset or empty; NaN, and a mistake, for anything but a port. */
export function portFromEnv(
  mistakes: Mistakes,
  env: Readonly<Record<string, string | undefined>> = process.env,
): number {
  const text = env['PORT']?.trim() ?? '';
  const port = text === '' ? 3000 : Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  mistakes.add('the variable PORT', `must be an integer from 0 to 65535, not ${shownValue(text)}`);
  return Number.NaN;
}

/** Applies the options that concern the builder. */
export function configureBuilder(
  builder: HostBuilder,
  options: HostxModuleOptions,
  defaultLogger: () => HostLogger,
): void {
  if (options.shutdownTimeout !== undefined) builder.withShutdownTimeout(options.shutdownTimeout);
  if (options.bootTimeout !== undefined) builder.withBootTimeout(options.bootTimeout);
  if (options.startTimeout !== undefined) builder.withStartTimeout(options.startTimeout);
  if (options.stopTimeout !== undefined) builder.withStopTimeout(options.stopTimeout);
  if (options.reloadTimeout !== undefined) builder.withReloadTimeout(options.reloadTimeout);
  if (options.environment !== undefined) builder.withEnvironment(options.environment);
  if (options.logger !== null) builder.withLogger(options.logger ?? defaultLogger());
  for (const observer of options.observers ?? []) builder.withObserver(observer);
}
