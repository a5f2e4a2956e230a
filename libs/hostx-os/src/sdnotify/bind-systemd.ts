import {
  type Clock,
  type Duration,
  OptionsError,
  parseDuration,
  systemClock,
} from '@apix/contracts';
import {
  callable,
  checkedOptions,
  CLOCK,
  duration,
  FLAG,
  option,
  type OptionTable,
  type ReadOptions,
  withDefault,
  isProcessParent,
} from '@apix/contracts/internal';
import type { HostBuilder } from '@apix/hostx/core';
import { HostPicture } from './host-picture.js';
import { Notifier } from './notifier.js';
import { DEFAULT_START_LIMIT } from '../start-limit.js';
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
  /**
   * For how long a start asks for more time if the host has no `bootTimeout`; after that, systemd ends it
   * when `TimeoutStartSec` and the extra time are over. Default: '10m'.
   */
  readonly extendStartFor?: Duration;
  /** Default: {@link Notifier.fromEnv}. */
  readonly notifier?: Notifier;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

const SYSTEMD_OPTIONS = {
  healthy: withDefault(callable<() => boolean | Promise<boolean>>(), () => true),
  extendTimeouts: withDefault(FLAG, true),
  extendStartFor: withDefault(duration({ min: 1 }), parseDuration(DEFAULT_START_LIMIT)),
  notifier: option<Notifier>(
    'a Notifier',
    (value) => typeof (value as Partial<Notifier> | null)?.isEnabled === 'boolean',
  ),
  clock: withDefault(CLOCK, systemClock),
} satisfies OptionTable<BindSystemdOptions>;

/** @throws OptionsError that lists every wrong option. */
export function readSystemdOptions(
  options: BindSystemdOptions,
): ReadOptions<typeof SYSTEMD_OPTIONS> {
  return checkedOptions(
    SYSTEMD_OPTIONS,
    options,
    (found) => new OptionsError('hostx-os: systemd', found),
  );
}

/** The variable with the socket of systemd. */
export const NOTIFY_VARIABLE = 'NOTIFY_SOCKET';

/** How often more time is asked for, and how much; the first time at once. In milliseconds. */
const EXTEND_EVERY = 1_000;
const EXTEND_BY = 10_000;

/**
 * Reports to systemd what the host does: READY when it is started, STOPPING when it stops, RELOADING and
 * READY around a reload, STATUS at every change, and WATCHDOG if the unit sets `WatchdogSec`. Bind it
 * before other reload hooks are added. Without `NOTIFY_SOCKET` it adds nothing.
 *
 * @throws OptionsError that lists every wrong option, also if systemd did not start the process.
 */
export function bindSystemd(builder: HostBuilder, options: BindSystemdOptions = {}): Notifier {
  const { healthy, extendTimeouts, extendStartFor, clock } = readSystemdOptions(options);
  const notifier = options.notifier ?? Notifier.fromEnv();
  // Of several processes, systemd listens to the parent alone.
  if (isProcessParent()) delete process.env[NOTIFY_VARIABLE];
  if (!notifier.isEnabled) return notifier;

  let endWatchdog = (): void => {};
  let endExtending = (): void => {};
  // A boot timeout ends a start itself.
  let startLimitMs = extendStartFor;
  builder.onBuilt(({ bootTimeout }) => {
    if (bootTimeout !== Infinity) startLimitMs = Infinity;
  });
  const extend = (limitMs: number): void => {
    endExtending();
    if (!extendTimeouts) return;
    const begun = clock.now();
    endExtending = repeat(clock, EXTEND_EVERY, () => {
      if (clock.now() - begun < limitMs) notifier.extendTimeout(EXTEND_BY);
      else endExtending();
    });
  };
  const ping = async (): Promise<void> => {
    // Callers in JavaScript may return the result of an indicator, which is true as a condition.
    const isHealthy: unknown = await healthy();
    if (isHealthy === true) notifier.watchdog();
  };
  const picture = new HostPicture(({ text }) => notifier.status(text));
  builder.withObserver(picture.observer);
  builder.withObserver({
    hostPhaseChanged({ to }) {
      switch (to) {
        case 'starting':
          extend(startLimitMs);
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
          extend(Infinity);
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
