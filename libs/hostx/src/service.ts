import type { Deadline, MetricReading } from '@apix/contracts';
import type { DrainBegin } from './drain-delay.js';
import type { HostLogger } from './log/host-logger.js';

/** What a host passes to the services that it runs. */
export interface ServiceContext {
  /** The host's own log: for messages of a service to its operator. */
  readonly log: HostLogger;
}

/** What a hosted class implements; its name comes from `@HostedService`. */
export interface Hosted {
  /**
   * Does the work, until `signal` aborts. Returning earlier, with or without an error, is a
   * premature end: the host restarts the service if it has a restart policy, and stops if not.
   * So a `start` that only begins something and returns is wrong; wait for the signal. After the
   * abort it may reject with the signal's reason.
   *
   * @param context of the host; undefined where something else starts the service.
   */
  start(signal: AbortSignal, context?: ServiceContext): void | Promise<void>;
  /**
   * Called once for each `start`, right after the signal has aborted, with the rest of the shutdown timeout, or the
   * time that a restart by `restartService` allows. The service has
   * stopped when both `start` and `stop` have returned; whichever has not by the deadline is abandoned.
   * Default: only the signal stops the service.
   */
  stop?(deadline: Deadline): void | Promise<void>;
  /**
   * Called when the shutdown has begun, before the stopping hooks and before anything stops. A service with
   * callers begins here to send them elsewhere and continues to serve, so that several services wait for
   * their load balancers at the same time. Must not throw.
   *
   * @returns the minimum time for which it continues to serve, in milliseconds, for the host's log
   */
  beginDrain?(drain: DrainBegin): unknown;
  /**
   * Resolves once the service can be used; asked again after each start. The services after it are not
   * started before. Rejecting is a failure of the service. Default: ready at once.
   */
  ready?(): Promise<void>;
}

/** A long-lived part of the process that the host starts, supervises and stops. */
export interface Service extends Hosted {
  /** Unique in the host; used in messages, states and metrics. */
  readonly name: string;
  /** Where it listens once it is ready, such as `0.0.0.0:3000`, for the host's log. Default: it does not listen. */
  readonly addr?: string;
  /**
   * Figures that the host passes on with its own (`Host.metrics()`), such as those of its connections. Read
   * often, so it should be quick; left out if it throws, which is logged once, and if the service is marked as
   * a metric source, which is found automatically. Default: none.
   */
  // Why: docs/decisions/0074
  metrics?(): Iterable<MetricReading>;
}

/** Where a service listens, if it says so; one of an app may have a field of that name for something else. */
export function listeningAddress(service: Service): string | undefined {
  try {
    const addr: unknown = service.addr;
    return typeof addr === 'string' && addr !== '' ? addr : undefined;
  } catch {
    return undefined;
  }
}

/** A service of one function, which only the signal stops. */
export function serviceFunc(
  name: string,
  fn: (signal: AbortSignal) => void | Promise<void>,
): Service {
  return { name, start: fn };
}
