import {
  type JobState,
  type MetricReading,
  type WorkKind,
  type WorkOrigin,
  type WorkScope,
  systemClock,
  thrownText,
} from '@apix/contracts';
import { beginWork, isPromiseLike, runInScopes } from '@apix/contracts/internal';
import type { Outcome } from '../outcome.js';

/** The name and the origin of one kind of background work. */
export interface WorkAbout {
  /** Unique in the app, such as `Reports.nightly` or `queue mail`. */
  readonly name: string;
  /** For work scopes: `cron` for work started by a clock, `message` for work sent by others. */
  readonly kind: WorkKind;
  /** For people, such as `cron 0 2 * * *` or `BullMQ`. */
  readonly schedule: string;
  /** When it begins next, where that is known. Default: unknown. */
  readonly next?: () => Date | null;
}

/** One run that has begun and not ended. */
export interface WorkUnit {
  /** For people, such as `queue mail (job 17)`. */
  readonly label: string;
  /** Resolves, whatever the outcome. */
  readonly ended: Promise<void>;
  /** Resolves when it has ended, or continues only to emit further values. */
  readonly answered: Promise<void>;
  /** Ends what only gives further values; does nothing for anything else. */
  close(): void;
}

/** The callbacks through which a run reports its progress. */
export interface RunEvents {
  /** It has ended. Later calls are ignored. */
  readonly end: (outcome: Outcome) => void;
  /** It has emitted a first value, and may be asked to emit no more. */
  readonly streams: (close: () => void) => void;
}

/** One handler of the app that something else than the host calls, and its runs. */
export class FollowedWork {
  readonly about: WorkAbout;
  readonly #scopes: () => readonly WorkScope[];
  readonly #units = new Set<WorkUnit>();
  #done = 0;
  #failed = 0;
  #lastStart: number | null = null;
  #last: { readonly durationMs: number; readonly outcome: Outcome } | null = null;

  constructor(about: WorkAbout, scopes: () => readonly WorkScope[]) {
    this.about = about;
    this.#scopes = scopes;
  }

  /** Those that have begun and not ended. */
  get underWay(): readonly WorkUnit[] {
    return [...this.#units];
  }

  /** Runs that have ended without an error. */
  get done(): number {
    return this.#done;
  }

  get failed(): number {
    return this.#failed;
  }

  /** Null before the first run has ended. */
  get lastDurationMs(): number | null {
    return this.#last?.durationMs ?? null;
  }

  /** Runs `fn` inside the scopes and returns its result; a promise is followed to its end. */
  run<T>(label: string, fn: () => T, origin?: WorkOrigin): T {
    const body = ({ end }: RunEvents): T => {
      const result = beginWork(fn);
      if (isPromiseLike(result)) {
        result.then(
          () => end({ ok: true }),
          (error: unknown) => end({ ok: false, error }),
        );
      } else end({ ok: true });
      return result;
    };
    return this.follow(label, body, origin);
  }

  /** Runs `body` inside the scopes; the run lasts until `end` is called, or `body` throws. */
  follow<T>(label: string, body: (run: RunEvents) => T, origin?: WorkOrigin): T {
    const startedAt = systemClock.now();
    let resolve = (): void => {};
    let reject = (_error: unknown): void => {};
    const ended = new Promise<void>((...settle) => ([resolve, reject] = settle));
    let close = (): void => {};
    let answer = (): void => {};
    const unit: WorkUnit = {
      label: label === '' ? this.about.name : `${this.about.name} (${label})`,
      ended: ended.catch(() => {}),
      answered: new Promise((settle) => (answer = settle)),
      close: () => close(),
    };
    const streams = (end: () => void): void => {
      close = end;
      answer();
    };
    this.#units.add(unit);
    let hasEnded = false;
    const end = (outcome: Outcome): void => {
      if (hasEnded) return;
      hasEnded = true;
      this.#units.delete(unit);
      answer();
      this.#lastStart = startedAt;
      this.#last = { durationMs: Math.max(0, systemClock.now() - startedAt), outcome };
      if (outcome.ok) {
        this.#done += 1;
        resolve();
      } else {
        this.#failed += 1;
        reject(outcome.error);
      }
    };
    let result: { readonly value: T } | { readonly thrown: unknown } | undefined;
    const begin = (): Promise<void> => {
      try {
        result = { value: body({ end, streams }) };
      } catch (error) {
        end({ ok: false, error });
        result = { thrown: error };
      }
      return ended;
    };
    const { kind, name } = this.about;
    const scoped = runInScopes(this.#scopes(), kind, name, begin, origin);
    // A scope may return its own promise; a failure in it, which `body` reports, must not end the process.
    void Promise.resolve(scoped).catch(() => {});
    if (result !== undefined && 'value' in result) return result.value;
    throw result?.thrown;
  }

  state(isStopped: boolean): JobState {
    const { name, schedule, next } = this.about;
    const idle = isStopped ? 'stopped' : 'waiting';
    const last = this.#last;
    const failed = last?.outcome.ok === false ? last.outcome.error : undefined;
    return {
      name,
      schedule,
      phase: this.#units.size > 0 ? 'running' : idle,
      next: isStopped ? null : (next?.() ?? null),
      lastStart: this.#lastStart === null ? null : new Date(this.#lastStart),
      lastDurationMs: this.lastDurationMs,
      lastOutcome: last === null ? null : last.outcome.ok ? 'ok' : 'failed',
      lastError: last?.outcome.ok === false ? thrownText(failed) : null,
      runs: this.#done + this.#failed,
      failures: this.#failed,
    };
  }
}

/** The figures of background work for meters. */
export function* readingsOfWork(work: FollowedWork): Iterable<MetricReading> {
  const attributes = { work: work.about.name };
  yield {
    name: 'hostx.work.running',
    kind: 'gauge',
    value: work.underWay.length,
    description: 'Runs of background work that are under way',
    attributes,
  };
  for (const [outcome, value] of [
    ['ok', work.done],
    ['failed', work.failed],
  ] as const) {
    yield {
      name: 'hostx.work.runs',
      kind: 'counter',
      value,
      description: 'Runs of background work that have ended',
      attributes: { ...attributes, outcome },
    };
  }
  if (work.lastDurationMs === null) return;
  yield {
    name: 'hostx.work.last_duration',
    kind: 'gauge',
    value: work.lastDurationMs / 1_000,
    unit: 's',
    description: 'How long the last run of background work took',
    attributes,
  };
}
