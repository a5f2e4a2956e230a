import { type Clock, formatDuration } from '@apix/contracts';
import type { HostPhase, Observer } from '@apix/hostx';
import type { HealthReport } from '@apix/hostx/core';
import { History } from './history.js';
import type { PageEvent } from './page-view.js';

const MARK_OF: Readonly<Partial<Record<HostPhase, PageEvent['mark']>>> = {
  starting: 'start',
  running: 'start',
  stopping: 'drain',
};

/** Keeps the last events that a host reported to its observers, as sentences. */
export class EventLog {
  readonly history: History<PageEvent>;
  #failing: ReadonlySet<string> = new Set();
  /** Called after each event. */
  onEvent = (): void => {};

  constructor(
    capacity: number,
    private readonly clock: Clock,
  ) {
    this.history = new History(capacity);
  }

  /** The observer to register. */
  readonly observer: Observer = {
    hostPhaseChanged: ({ from, to }) =>
      this.#add('information', 'host', `${from} → ${to}`, MARK_OF[to]),
    serviceStarting: ({ service, attempt }) =>
      this.#add(
        'information',
        service,
        attempt === 0 ? 'starting' : `starting, restart ${attempt}`,
      ),
    serviceReady: ({ service, durationMs }) =>
      this.#add('information', service, `ready after ${ms(durationMs)}`),
    serviceCompleted: ({ service, durationMs }) => this.#end(service, 'completed', durationMs),
    serviceStopping: ({ service }) => this.#add('information', service, 'stopping'),
    serviceStopped: ({ service, durationMs, error }) =>
      this.#end(service, error ? 'stopped with an error' : 'stopped', durationMs, [error]),
    serviceRestarting: ({ service, attempt, delayMs, error }) =>
      this.#add(
        'warning',
        service,
        `restart ${attempt} in ${ms(delayMs)}: ${error.message}`,
        'restart',
      ),
    serviceRestartAsked: ({ service }) =>
      this.#add('information', service, 'was asked to restart', 'restart'),
    serviceFailed: ({ service, error }) =>
      this.#add('error', service, `failed for good: ${error.message}`),
    serviceAbandoned: ({ service, afterMs }) =>
      this.#add('error', service, `did not stop within ${ms(afterMs)}; abandoned`),
    taskDone: ({ task, durationMs, error }) =>
      this.#end(task, error ? 'startup task failed' : 'startup task done', durationMs, [error]),
    reloadDone: ({ durationMs, errors, done }) => {
      const reloaded = done.length === 0 ? 'nothing to reload' : `reloaded ${done.join(', ')}`;
      const what = errors.length > 0 ? 'reload failed' : reloaded;
      this.#end('host', what, durationMs, errors, 'reload');
    },
  };

  /** Adds that all processes are to be replaced. */
  addRestart(text: string): void {
    this.#add('information', 'host', text, 'restart');
  }

  /** Adds what a viewer has done. */
  addNote(subject: string, text: string): void {
    this.#add('warning', subject, text);
  }

  /** Adds an event that is not of the host. */
  addError(subject: string, text: string): void {
    this.#add('error', subject, text);
  }

  /** Adds that a process of the app ended by itself, at that time. */
  addCrash(subject: string, text: string, at: number): void {
    this.history.add({ at, level: 'error', subject, text });
    this.onEvent();
  }

  /** Adds each check that has begun to fail or to pass since the report before. */
  // Why: docs/decisions/0561
  addChecks({ checks }: HealthReport): void {
    const before = this.#failing;
    this.#failing = new Set(Object.keys(checks).filter((name) => checks[name] !== 'ok'));
    // The checks need not run again because of them.
    const add = (level: PageEvent['level'], subject: string, text: string): void => {
      this.history.add({ at: this.clock.now(), level, subject, text });
    };
    for (const name of this.#failing) {
      if (!before.has(name)) add('error', name, `the check fails: ${checks[name]!}`);
    }
    for (const name of before) {
      if (!this.#failing.has(name)) add('information', name, 'the check passes again');
    }
  }

  #end(
    subject: string,
    what: string,
    durationMs: number,
    errors: readonly (Error | undefined)[] = [],
    mark?: PageEvent['mark'],
  ): void {
    const messages = errors.flatMap((error) => (error === undefined ? [] : [error.message]));
    const text = `${what} after ${ms(durationMs)}`;
    if (messages.length === 0) this.#add('information', subject, text, mark);
    else this.#add('error', subject, `${text}: ${messages.join('; ')}`, mark);
  }

  #add(level: PageEvent['level'], subject: string, text: string, mark?: PageEvent['mark']): void {
    this.history.add({ at: this.clock.now(), level, subject, text, ...(mark && { mark }) });
    this.onEvent();
  }
}

function ms(duration: number): string {
  return formatDuration(Math.round(duration));
}
