import { WORK_SCOPE, type WorkKind, type WorkScope } from '@apix/contracts';
import { isPromiseLike } from '@apix/contracts/internal';
import { requestInContext, runWork } from '../context/logger-context.js';
import { newId } from '../context/new-id.js';
import { unitInContext, UnitOfWork, type WorkName } from '../context/work.js';
import { keepsEvents } from '../levels/level-tree.js';
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
    const unit = new JobUnit(logger, { kind, name });
    if (!keepsEvents(this.root.levels)) return runWork(unit, fn);
    unit.open();
    unit.join(unitInContext());
    return runWork(unit, () => unit.follow(fn));
  }
}

/** A run of a job. */
class JobUnit extends UnitOfWork {
  readonly #started = performance.now();

  constructor(
    logger: Logger,
    private readonly job: WorkName,
  ) {
    super(logger, requestInContext());
  }

  protected override get named(): WorkName {
    return this.job;
  }

  /** Runs forever: what runs in it is not a part of it. */
  protected override get holdsParts(): boolean {
    return this.job.kind !== 'service' && super.holdsParts;
  }

  /** Runs `fn`, and reports how it ends. */
  follow<T>(fn: () => T): T {
    try {
      const result = fn();
      if (isPromiseLike(result)) {
        result.then(
          () => this.#end(false),
          () => this.#end(true),
        );
      } else this.#end(false);
      return result;
    } catch (error) {
      this.#end(true);
      throw error;
    }
  }

  #end(hasFailed: boolean): void {
    const isStream = (): boolean => this.job.kind === 'service';
    this.settle({ hasFailed, durationMs: performance.now() - this.#started, isStream });
  }
}

/**
 * Gives each unit of work of a host its logger, for `Host.builder().withWorkScope(…)` and `workScopes` of
 * cron jobs. `LogxModule` provides it automatically.
 */
export function workScope(logger: Logger): WorkScope {
  return new LoggerScope(logger);
}
