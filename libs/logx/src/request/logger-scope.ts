import { WORK_SCOPE, type WorkKind, type WorkScope } from '@apix/contracts';
import { requestInContext, runWork } from '../context/logger-context.js';
import { newId } from '../context/new-id.js';
import { UnitOfWork } from '../context/work.js';
import type { Logger } from '../logger/logger.js';
import { DEFAULT_ID_FIELD } from './door-options.js';

/**
 * Gives hosted services, tasks, cron runs and messages their logger, with the field `work` such as
 * `cron outbox-sweep`. Repeated work has an id for each run.
 */
export class LoggerScope implements WorkScope {
  readonly [WORK_SCOPE] = true as const;

  constructor(private readonly root: Logger) {}

  run<T>(kind: WorkKind, name: string, fn: () => T): T {
    const work = `${kind} ${name}`;
    const id = kind === 'service' ? undefined : newId();
    const logger = this.root.forContextValues({ work, [DEFAULT_ID_FIELD]: id });
    return runWork(new UnitOfWork(logger, requestInContext()), fn);
  }
}

/**
 * Gives each unit of work of a host its logger, for `Host.builder().withWorkScope(…)` and `workScopes` of
 * cron jobs. `LogxModule` provides it automatically.
 */
export function workScope(logger: Logger): WorkScope {
  return new LoggerScope(logger);
}
