import { type Clock, Mistakes, OptionsError, shownValue, systemClock } from '@apix/contracts';
import type { HostBuilder } from '@apix/hostx/core';
import { HostPicture } from './host-picture.js';
import { Notifier } from './notifier.js';
import { repeat } from './repeat.js';

export interface BindSystemdOptions {
  /**
   * Asked before each ping of the watchdog; no ping is sent while it is false, rejects or has
   * not answered, and systemd then kills the process. A blocked event loop pings nothing anyway.
   * Default: always true.
   */
  readonly healthy?: () => boolean | Promise<boolean>;
  /**
   * Whether a slow start and a slow stop ask systemd for more time, as long as the event loop
   * turns; the host's own timeouts are what ends them. Default: true.
   */
  readonly extendTimeouts?: boolean;
  /** Default: {@link Notifier.fromEnv}. */
  readonly notifier?: Notifier;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

/** How often more time is asked for, and how much; the first time at once. In milliseconds. */
const EXTEND_EVERY = 1_000;
const EXTEND_BY = 10_000;

/**
 * Tells systemd what the host does: READY when it is started, STOPPING when it stops, RELOADING
 * and READY around a reload, STATUS all along, and WATCHDOG where the unit sets `WatchdogSec`.
 * Bind it before other reload hooks are added. Without `NOTIFY_SOCKET` it adds nothing.
 *
 * @throws OptionsError that lists every wrong option, also where systemd did not start the process.
 */
export function bindSystemd(builder: HostBuilder, options: BindSystemdOptions = {}): Notifier {
  const { healthy = () => true, extendTimeouts = true, clock = systemClock } = options;
  const mistakes = new Mistakes();
  mistakes.callable('healthy', healthy);
  mistakes.flag('extendTimeouts', extendTimeouts);
  if (options.notifier !== undefined && typeof options.notifier?.isEnabled !== 'boolean') {
    mistakes.add('notifier', `must be a Notifier, not ${shownValue(options.notifier)}`);
  }
  mistakes.throwIfAny((found) => new OptionsError('hostx-os: systemd', found));
  const notifier = options.notifier ?? Notifier.fromEnv();
  if (!notifier.isEnabled) return notifier;

  let endWatchdog = (): void => {};
  let endExtending = (): void => {};
  const extend = (): void => {
    endExtending();
    if (extendTimeouts) {
      endExtending = repeat(clock, EXTEND_EVERY, () => notifier.extendTimeout(EXTEND_BY));
    }
  };
  const ping = async (): Promise<void> => {
    if (await healthy()) notifier.watchdog();
  };
  const picture = new HostPicture(({ text }) => notifier.status(text));
  builder.withObserver(picture.observer);
  builder.withObserver({
    hostPhaseChanged({ to }) {
      switch (to) {
        case 'starting':
          extend();
          // Twice as often as systemd wants it.
          if (notifier.watchdogMs !== null) {
            endWatchdog = repeat(clock, notifier.watchdogMs / 2, ping);
          }
          break;
        case 'running':
          endExtending();
          notifier.ready();
          break;
        case 'stopping':
          notifier.stopping();
          extend();
          break;
        case 'stopped':
          endExtending();
          endWatchdog();
          notifier.close();
          break;
        case 'idle':
      }
    },
    reloadDone: () => notifier.ready(),
  });
  builder.onReload(() => notifier.reloading(), 'systemd');
  return notifier;
}
