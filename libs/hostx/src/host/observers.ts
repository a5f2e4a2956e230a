import { thrownText } from '@apix/contracts';
import type { HostLogger } from '../log/host-logger.js';
import type { Notify, Observer } from '../observer.js';

/** Writes events to the log, then calls the observers in order. */
export function notifyObservers(others: readonly Observer[], logger: HostLogger): Notify {
  const observers = [logObserver(logger), ...others];
  return (kind, event) => {
    const complain = (error: unknown): void =>
      logger.error(error, 'Observer failed on {Event}', kind);
    for (const observer of observers) {
      try {
        const callback = observer[kind] as ((event: unknown) => unknown) | undefined;
        const result = callback?.call(observer, event);
        if (result instanceof Promise) result.catch(complain);
      } catch (error) {
        complain(error);
      }
    }
  };
}

/** Writes the events that an operator wants to read. */
function logObserver(logger: HostLogger): Observer {
  const failures = new LikeFailures();
  return {
    hostPhaseChanged: ({ to }) => {
      // Logged where the drains begin, with the time for which it keeps serving.
      if (to !== 'stopping') logger.information('Host is {Phase}', to);
    },
    serviceReady: ({ service, durationMs, addr }) => {
      const ready = 'Service {Service} is ready after {ElapsedMs} ms';
      if (addr === undefined) logger.information(ready, service, durationMs);
      else logger.information(`${ready} at {Address}`, service, durationMs, addr);
    },
    serviceCompleted: ({ service, durationMs }) =>
      logger.information('Service {Service} completed after {ElapsedMs} ms', service, durationMs),
    serviceStopped: ({ service, durationMs }) =>
      logger.information('Service {Service} stopped after {ElapsedMs} ms', service, durationMs),
    serviceRestarting: ({ service, attempt, delayMs, error }) => {
      // Why: docs/decisions/0215
      if (failures.isNews(service, attempt, error)) {
        logger.error(
          error,
          'Service {Service} ended early and restarts in {DelayMs} ms, attempt {Attempt}',
          service,
          delayMs,
          attempt,
        );
        return;
      }
      logger.warning(
        'Service {Service} ended early as before and restarts in {DelayMs} ms, attempt {Attempt}: {Reason}',
        service,
        delayMs,
        attempt,
        thrownText(error),
      );
    },
    serviceRestartAsked: ({ service }) =>
      logger.information('Service {Service} was asked to restart', service),
    serviceAbandoned: ({ service, afterMs }) =>
      logger.warning('Service {Service} abandoned after {ElapsedMs} ms', service, afterMs),
    taskDone: ({ task, durationMs, error }) => {
      if (error === undefined) {
        logger.information('Startup task {Task} done after {ElapsedMs} ms', task, durationMs);
      }
    },
    reloadDone: ({ durationMs, errors, done }) => {
      for (const error of errors) logger.error(error, 'Reload hook failed');
      if (errors.length > 0) logger.warning('Reload failed after {ElapsedMs} ms', durationMs);
      else if (done.length === 0) logger.warning('Nothing was reloaded: there is no reload hook');
      else logger.information('Reloaded in {ElapsedMs} ms: {Hooks}', durationMs, done.join(', '));
    },
  };
}

/** After this many failures of a kind the stack is logged again. */
const EVERY = 10;

/** Sees whether a service fails as it did the last time. */
export class LikeFailures {
  readonly #last = new Map<string, { readonly text: string; count: number }>();

  /**
   * Whether this failure is worth a stack: the first of its kind in a row, and each tenth.
   *
   * @param attempt since the last stable run; after one, what fails is new again.
   */
  isNews(service: string, attempt: number, error: unknown): boolean {
    const text = thrownText(error);
    const last = this.#last.get(service);
    if (last === undefined || last.text !== text || attempt <= 1) {
      this.#last.set(service, { text, count: 1 });
      return true;
    }
    last.count += 1;
    return last.count % EVERY === 0;
  }
}
