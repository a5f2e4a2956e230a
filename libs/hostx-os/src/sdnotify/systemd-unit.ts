import { type Duration, Mistakes, OptionsError, shownValue } from '@apix/contracts';
import { sandboxLines } from './unit-sandbox.js';

/** The settings of the unit file of a service. */
export interface UnitConfig {
  /** One line for people. Required. */
  readonly description: string;
  /** The command with its arguments; the program by its absolute path. Required. */
  readonly execStart: string;
  /** Default: root. */
  readonly user?: string;
  /** systemd kills and restarts the service if it was not pinged for this long. Default: none. */
  readonly watchdogSec?: Duration;
  /**
   * How long systemd waits for the stop before it kills; at least the host's shutdown timeout.
   * Default: 35 s, which is the default shutdown timeout and 5 s more.
   */
  readonly timeoutStopSec?: Duration;
  /** The folder that the service runs in. Default: `/`. */
  readonly workingDirectory?: string;
  /** A folder under /var/lib that systemd creates and gives to the user. Default: none. */
  readonly stateDirectory?: string;
  /** Variables of its environment. Default: none. */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * `notify-reload` lets `systemctl reload` wait for the end of the reload, and needs systemd
   * 253; `notify` reloads by SIGHUP on any version. Default: 'notify'.
   */
  readonly type?: 'notify' | 'notify-reload';
  /**
   * Whether the service runs in a sandbox: it reads the system and writes only to folders that systemd makes
   * for it, to {@link readWritePaths} and to a /tmp of its own; it gets no new privileges, and no devices. Default: true.
   */
  readonly sandbox?: boolean;
  /** Absolute paths, which must exist, that the service may write to in its sandbox. Default: none. */
  readonly readWritePaths?: readonly string[];
  /**
   * Capabilities of a user other than root, such as `CAP_NET_BIND_SERVICE` for a port below 1024. Default: none.
   */
  readonly capabilities?: readonly string[];
}

const DEFAULT_TIMEOUT_STOP = 35_000;

/**
 * The text of a systemd unit that restarts the service on failure.
 *
 * @throws OptionsError that lists every field that cannot be written into a unit.
 */
export function systemdUnit(config: UnitConfig): string {
  const { type = 'notify', environment = {}, timeoutStopSec = DEFAULT_TIMEOUT_STOP } = config;
  const { sandbox = true, readWritePaths = [], capabilities = [] } = config;
  const mistakes = new Mistakes();
  const line = (name: string, value: string): string => {
    if (typeof value === 'string' && !/[\r\n\0]/.test(value)) return value.replaceAll('%', '%%');
    mistakes.add(name, `must be a string of one line, not ${shownValue(value)}`);
    return '';
  };
  const seconds = (name: string, value: Duration): string =>
    `${mistakes.duration(name, value, { min: 1 }) / 1_000}s`;
  mistakes.choice('type', type, ['notify', 'notify-reload']);
  mistakes.flag('sandbox', sandbox);
  for (const name of capabilities) {
    if (!/^CAP_[A-Z_]+$/.test(name)) {
      mistakes.add(
        'capabilities',
        `${shownValue(name)} is not a name such as CAP_NET_BIND_SERVICE`,
      );
    }
  }
  if (capabilities.length > 0 && config.user === undefined) {
    mistakes.add('capabilities', 'must not be set without user: root has all of them');
  }
  for (const path of readWritePaths) {
    if (!/^\/[^\s"'\\]*$/.test(path)) {
      mistakes.add(
        'readWritePaths',
        `must be absolute paths without spaces and quotes, not ${shownValue(path)}`,
      );
    }
  }
  if (!sandbox && readWritePaths.length > 0) {
    mistakes.add(
      'readWritePaths',
      'must not be set without the sandbox: all paths are writable there',
    );
  }
  if (!/^[@:+!-]*\//.test(config.execStart)) {
    const shown = shownValue(config.execStart);
    mistakes.add('execStart', `must start with the absolute path of the program, not be ${shown}`);
  }
  if (typeof config.description === 'string' && config.description.trim() === '') {
    mistakes.add(
      'description',
      `must be a non-empty string, not ${shownValue(config.description)}`,
    );
  }
  const lines = [
    '[Unit]',
    `Description=${line('description', config.description)}`,
    'Wants=network-online.target',
    'After=network-online.target',
    '',
    '[Service]',
    `Type=${type}`,
    // systemctl and signals reach Node itself, and only Node may notify for the service.
    'NotifyAccess=main',
    `ExecStart=${line('execStart', config.execStart)}`,
    ...(type === 'notify' ? ['ExecReload=/bin/kill -HUP $MAINPID'] : []),
    ...optional(config.user, (user) => `User=${line('user', user)}`),
    ...optional(
      config.workingDirectory,
      (path) => `WorkingDirectory=${line('workingDirectory', path)}`,
    ),
    ...optional(config.stateDirectory, (path) => {
      if (!/^[\w.-]+(?:\/[\w.-]+)*$/.test(path) || /(?:^|\/)\.\.?(?:\/|$)/.test(path)) {
        mistakes.add(
          'stateDirectory',
          `must be a path relative to /var/lib, not ${shownValue(path)}`,
        );
      }
      return `StateDirectory=${path}`;
    }),
    ...Object.entries(environment).map(([name, value]) => {
      if (!/^[A-Za-z_]\w*$/.test(name)) {
        mistakes.add('environment', `${shownValue(name)} is not a valid name of a variable`);
      }
      return `Environment=${quote(line(`environment.${name}`, `${name}=${value}`))}`;
    }),
    ...optional(config.watchdogSec, (value) => `WatchdogSec=${seconds('watchdogSec', value)}`),
    `TimeoutStopSec=${seconds('timeoutStopSec', timeoutStopSec)}`,
    // The main process handles the stop; processes that it leaves behind are killed after it.
    'KillMode=mixed',
    'Restart=on-failure',
    'RestartSec=1s',
    ...(capabilities.length > 0 ? [`AmbientCapabilities=${capabilities.join(' ')}`] : []),
    ...(sandbox
      ? sandboxLines({
          user: config.user,
          capabilities,
          readWritePaths: readWritePaths.map((path) => line('readWritePaths', path)),
          reads: [config.execStart, config.workingDirectory ?? '', ...Object.values(environment)],
        })
      : []),
    '',
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ];
  mistakes.throwIfAny((found) => new OptionsError('hostx-os: unit', found));
  return lines.join('\n');
}

function optional<T>(value: T | undefined, text: (value: T) => string): string[] {
  return value === undefined ? [] : [text(value)];
}

function quote(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
