import { thrownText } from '@apix/contracts';
import { LikeFailures } from './like-failures.js';
import type { HostLogger } from '../log/host-logger.js';
import type { Observer } from '../observer.js';

/** Writes the events that an operator wants to read. */
export function logObserver(logger: HostLogger): Observer {
  const failures = new LikeFailures();
  return {
    hostPhaseChanged: ({ to }) => {
      // Logged where the drains begin, with the time for which it keeps serving.
      if (to !== 'stopping') logger.information('Host is {Phase}', to);
    },
    serviceReady: ({ service, durationMs }) =>
      logger.information('Service {Service} is ready after {ElapsedMs} ms', service, durationMs),
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
