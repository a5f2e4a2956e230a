import { markClass } from '../brand.js';

/** Offered by logx and logx-otel; used by hosted services, cron runs and message handlers. */
export const WORK_SCOPE = Symbol.for('apix.WorkScope');

export type WorkKind = 'service' | 'task' | 'cron' | 'message';

/** Gives a unit of work its logger and its span. */
export interface WorkScope {
  readonly [WORK_SCOPE]?: true;
  /** Runs `fn` inside the scope and returns what it returns; adds no failure of its own. */
  run<T>(kind: WorkKind, name: string, fn: () => T): T;
}

/** Runs `fn` inside every scope, the first one outermost. */
export function runInScopes<T>(
  scopes: readonly WorkScope[],
  kind: WorkKind,
  name: string,
  fn: () => T,
): T {
  return scopes.reduceRight<() => T>((inner, scope) => () => scope.run(kind, name, inner), fn)();
}

/** Marks a provider that runs every unit of work in a scope of its own. The same as a property `[WORK_SCOPE] = true`. */
export function WorkScope(): ClassDecorator {
  return markClass(WORK_SCOPE);
}
