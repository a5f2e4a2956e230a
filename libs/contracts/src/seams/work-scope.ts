import { markClass } from '../brand.js';

/** Offered by logx and otel; used by hosted services, cron runs and message handlers. */
export const WORK_SCOPE = Symbol.for('apix.WorkScope');

export type WorkKind = 'service' | 'task' | 'cron' | 'message';

/** What has started a unit of work, as far as that is known. */
export interface WorkOrigin {
  /** What has delivered it, as OpenTelemetry's conventions call it, such as `kafka` or `bullmq`. */
  readonly system?: string | undefined;
  /** The queue, topic, subject or pattern that it came by. */
  readonly destination?: string | undefined;
  /** What identifies it among others of that destination. */
  readonly messageId?: string | undefined;
  /** What headers may be found on: Nest's context of the transport, or the job of BullMQ. */
  readonly carrier?: unknown;
}

/** Gives a unit of work its logger and its span. */
export interface WorkScope {
  readonly [WORK_SCOPE]?: true;
  /**
   * Runs `fn` inside the scope and returns its result; never fails by itself.
   *
   * @param origin for work that something else has started. Default: unknown.
   */
  run<T>(kind: WorkKind, name: string, fn: () => T, origin?: WorkOrigin): T;
}

/** Runs `fn` inside every scope, the first one outermost. */
export function runInScopes<T>(
  scopes: readonly WorkScope[],
  kind: WorkKind,
  name: string,
  fn: () => T,
  origin?: WorkOrigin,
): T {
  const enter = (inner: () => T, scope: WorkScope) => () => scope.run(kind, name, inner, origin);
  return scopes.reduceRight<() => T>(enter, fn)();
}

/**
 * Marks a provider that runs every unit of work in its own scope. The same as a property
 * `[WORK_SCOPE] = true`.
 */
export function WorkScope(): ClassDecorator {
  return markClass(WORK_SCOPE);
}
