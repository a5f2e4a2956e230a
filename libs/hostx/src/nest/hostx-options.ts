import { type Duration, Mistakes, shownValue } from '@apix/contracts';
import {
  anyValue,
  type AnyTable,
  arrayOf,
  duration,
  DURATION,
  FLAG,
  foreignObject,
  type OptionTable,
  orFalse,
  readOptions,
  section,
} from '@apix/contracts/internal';
import type { Environment } from '../environment.js';
import type { HostBuilder } from '../host/host-builder.js';
import { UNCAUGHT, type UncaughtPolicy } from '../host/host-handle.js';
import type { HostLogger } from '../log/host-logger.js';
import {
  DRAIN,
  type DrainOptions,
  type HttpServiceOptions,
  LISTENING,
  PORT,
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
  /** Default: the variable APP_ENVIRONMENT, or else NODE_ENV, or Production. */
  readonly environment?: Environment | string;
  /** `null` for silence. Default: that of LogxModule in the app, or else of Nest, named `Host`. */
  readonly logger?: HostLogger | null;
  /** Default: none. */
  readonly observers?: readonly Observer[];
  /** False for a process without an HTTP server. Only `runHost` listens. Default: {}. */
  readonly http?: NestHttpOptions | false;
  /** How the HTTP server, gRPC and every other transport let go of their clients, unless their own options say it. Default: as there. */
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
   * Whether the host also runs services, tasks and hooks under `NestFactory.createApplicationContext()`, for a
   * worker with its own main; `runHost` with `http: false` is the better way. Default: false, so that scripts and
   * REPLs use the app's providers and start no workers; only the jobs of other modules run, and are waited for.
   */
  readonly applicationContext?: boolean;
  /** What happens on uncaught errors. Default: 'stop'. */
  readonly uncaught?: UncaughtPolicy;
}

/** How long the process may outlive a run with the linger unset. */
export const DEFAULT_LINGER = '1s';

const TIMEOUT = duration({ min: 1 });

const NEST_HTTP = { ...LISTENING, port: PORT } satisfies OptionTable<NestHttpOptions>;

/** The allowed values of the options of HostxModule. */
export const HOSTX_MODULE_OPTIONS = {
  shutdownTimeout: TIMEOUT,
  startTimeout: TIMEOUT,
  bootTimeout: TIMEOUT,
  stopTimeout: TIMEOUT,
  reloadTimeout: TIMEOUT,
  environment: anyValue<Environment | string>(),
  logger: anyValue<HostLogger | null>(),
  observers: arrayOf(foreignObject<Observer>('an observer')),
  http: orFalse(section(NEST_HTTP)),
  drain: section(DRAIN),
  linger: orFalse(DURATION),
  background: FLAG,
  applicationContext: FLAG,
  uncaught: UNCAUGHT,
} satisfies OptionTable<HostxModuleOptions>;

/**
 * All mistakes, including those in options that only later parts read, so that they are reported together
 * and before anything starts.
 *
 * @param table of HostxModule, or of what runs the host and has further options.
 * @param listens whether the host listens, so that the variable PORT counts.
 */
export function hostxMistakes(
  options: HostxModuleOptions,
  { table, listens }: { readonly table: AnyTable; readonly listens: boolean },
): readonly string[] {
  const mistakes = new Mistakes();
  readOptions(table, options, '', mistakes);
  const { http = {} } = options;
  if (listens && http !== false && http.port === undefined) portFromEnv(mistakes);
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
  if (options.drain !== undefined) {
    const { timeout: _, ...drain } = options.drain;
    builder.withDrain(drain);
  }
  if (options.environment !== undefined) builder.withEnvironment(options.environment);
  if (options.logger !== null) builder.withLogger(options.logger ?? defaultLogger());
  for (const observer of options.observers ?? []) builder.withObserver(observer);
}
