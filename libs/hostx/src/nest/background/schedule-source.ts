import { replaceOn } from '@apix/contracts/internal';
import type { Logger } from '@nestjs/common';
import type { FollowedWork, WorkAbout } from '../../background/followed-work.js';
import type { WorkLedger } from '../../background/work-ledger.js';
import { isLeader } from '../../processes/parent-link.js';
import { hasMethods, isNamed } from '../optional-provider.js';
import type { WorkSource } from './work-source.js';

type ScheduledHandler = (this: unknown, ...args: unknown[]) => unknown;

/** The part of `ScheduleExplorer` that is used: it wraps each handler before passing it to its timer. */
interface Explorer {
  wrapFunctionInTryCatchBlocks(handler: ScheduledHandler, instance: object): ScheduledHandler;
}

/** The part of `SchedulerOrchestrator` that is used: the wrapped handlers, and their jobs once they run. */
interface Orchestrator {
  readonly cronJobs: Readonly<
    Record<string, { readonly target: ScheduledHandler; readonly ref?: Cron }>
  >;
  readonly intervals: Readonly<Record<string, unknown>>;
  readonly timeouts: Readonly<Record<string, unknown>>;
}

/** The part of `SchedulerRegistry` that is used. */
interface Registry {
  getCronJobs(): ReadonlyMap<string, Cron>;
  getIntervals(): readonly string[];
  getInterval(name: string): NodeJS.Timeout;
  getTimeouts(): readonly string[];
  getTimeout(name: string): NodeJS.Timeout;
}

/** A CronJob of the package cron; jobs of @apix/cron in the registry have no `cronTime`. */
interface Cron {
  readonly cronTime?: object;
  readonly onComplete?: unknown;
  nextDate(): { toJSDate(): Date };
  stop(): unknown;
}

/** The handlers of `@Cron`, `@Interval` and `@Timeout` of `@nestjs/schedule`. */
export class ScheduleSource implements WorkSource {
  readonly works: FollowedWork[] = [];
  readonly #ledger: WorkLedger;
  readonly #orchestrator: Orchestrator | undefined;
  readonly #registry: Registry | undefined;

  /**
   * Null if the app has no such module, one of an unknown version, or one that registered its handlers before
   * the host; the last two are logged.
   */
  static find(
    instances: readonly object[],
    ledger: WorkLedger,
    logger: Logger,
  ): ScheduleSource | null {
    const explorer = instances.find((one) => isNamed(one, 'ScheduleExplorer'));
    if (explorer === undefined) return null;
    const orchestrator = instances.find((one) => isNamed(one, 'SchedulerOrchestrator'));
    if (!hasMethods(explorer, 'wrapFunctionInTryCatchBlocks') || !isOrchestrator(orchestrator)) {
      logger.warn(
        'the host does not know this version of @nestjs/schedule and does not wait for its handlers',
      );
      return null;
    }
    const { cronJobs, intervals, timeouts } = orchestrator;
    if (Object.keys({ ...cronJobs, ...intervals, ...timeouts }).length > 0) {
      logger.warn(
        'the handlers of @nestjs/schedule were registered before the host: they are not waited ' +
          'for; import HostxModule before ScheduleModule',
      );
      return null;
    }
    const registry = instances.find((one) => isNamed(one, 'SchedulerRegistry'));
    return new ScheduleSource(explorer as unknown as Explorer, orchestrator, registry, ledger);
  }

  private constructor(
    explorer: Explorer,
    orchestrator: Orchestrator,
    registry: object | undefined,
    ledger: WorkLedger,
  ) {
    this.#ledger = ledger;
    this.#orchestrator = orchestrator;
    this.#registry = registry as Registry | undefined;
    // Why: docs/decisions/0230
    replaceOn(explorer, 'wrapFunctionInTryCatchBlocks', (wrap) => (handler, instance) => {
      return this.#wrapped((tracked) => wrap.call(explorer, tracked, instance), handler, instance);
    });
  }

  async stopIntake(): Promise<void> {
    const registry = this.#registry;
    if (registry === undefined) return;
    for (const name of registry.getIntervals()) clearInterval(registry.getInterval(name));
    for (const name of registry.getTimeouts()) clearTimeout(registry.getTimeout(name));
    for (const job of registry.getCronJobs().values()) {
      // Nest stops it again, and a second stop calls onComplete again.
      if (job.cronTime !== undefined && typeof job.onComplete !== 'function') job.stop();
    }
  }

  #wrapped(
    wrap: (tracked: ScheduledHandler) => ScheduledHandler,
    handler: ScheduledHandler,
    instance: object,
  ): ScheduledHandler {
    const ledger = this.#ledger;
    const next = (): Date | null => this.#nextOf(target);
    const work = ledger.add({ ...aboutOf(handler, instance), next });
    this.works.push(work);
    const target = wrap(function tracked(this: unknown, ...args) {
      // A cron job whose timer was due already, or that waits for its initial delay.
      if (ledger.isStopping || !isLeader()) return undefined;
      return work.run('', () => handler.apply(this, args));
    });
    return target;
  }

  #nextOf(target: ScheduledHandler): Date | null {
    const entries = Object.values(this.#orchestrator?.cronJobs ?? {});
    const job = entries.find((entry) => entry.target === target)?.ref;
    try {
      return job?.nextDate().toJSDate() ?? null;
    } catch {
      // A fixed date that has passed.
      return null;
    }
  }
}

function isOrchestrator(instance: object | undefined): instance is Orchestrator & object {
  return ['cronJobs', 'intervals', 'timeouts'].every(
    (name) => typeof (instance as Record<string, unknown> | undefined)?.[name] === 'object',
  );
}

function aboutOf(handler: ScheduledHandler, instance: object): WorkAbout {
  return {
    name: `${instance.constructor.name}.${handler.name}`,
    kind: 'cron',
    schedule: scheduleOf(handler),
  };
}

/** From the metadata of the decorators, whose keys are the same since version 1. */
function scheduleOf(handler: ScheduledHandler): string {
  const read = (key: string): Readonly<Record<string, unknown>> | undefined =>
    Reflect.getMetadata(key, handler) as Readonly<Record<string, unknown>> | undefined;
  const cron = read('SCHEDULE_CRON_OPTIONS');
  if (cron !== undefined) {
    const zone = cron['timeZone'];
    return `cron ${String(cron['cronTime'])}${typeof zone === 'string' ? ` (${zone})` : ''}`;
  }
  const interval = read('SCHEDULE_INTERVAL_OPTIONS');
  if (interval !== undefined) return `every ${String(interval['timeout'])} ms`;
  const timeout = read('SCHEDULE_TIMEOUT_OPTIONS');
  return timeout === undefined ? 'schedule' : `once after ${String(timeout['timeout'])} ms`;
}
