import { type Duration, type Mistakes, OptionsError, shownValue } from '@apix/contracts';
import {
  arrayOf,
  checkedOptions,
  choice,
  duration,
  FLAG,
  option,
  type OptionTable,
  type ReadOptions,
  recordOf,
  required,
  section,
  withDefault,
} from '@apix/contracts/internal';
import { LIMITS, limitLines, type UnitLimits } from './unit-limits.js';
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
   * The absolute path of a file of variables (`NAME=value` in each line), which systemd reads as root, so that
   * secrets are not in the unit; after a `-` it may be missing. They take precedence over `environment`. Default: none.
   */
  readonly environmentFile?: string;
  /** Units, such as `postgresql.service`, that start before it where they start at all. Default: none. */
  readonly after?: readonly string[];
  /**
   * Units without which it cannot run: they are started with it and before it, and it is stopped if one of
   * them is stopped. Default: none.
   */
  readonly requires?: readonly string[];
  /** Default: the group of the user. */
  readonly group?: string;
  /** What it may use of the machine. Default: as systemd has it. */
  readonly limits?: UnitLimits;
  /** When systemd starts it again after it has ended. Default: 'on-failure'. */
  readonly restart?: (typeof RESTARTS)[number];
  /** The pause before that. Default: '1s'. */
  readonly restartSec?: Duration;
  /**
   * `notify-reload` lets `systemctl reload` wait for the end of the reload, and needs systemd
   * 253; `notify` reloads by SIGHUP on any version. Default: 'notify'.
   */
  readonly type?: 'notify' | 'notify-reload';
  /**
   * What `systemctl reload` does: `'reload'` by SIGHUP, or, of an app in several processes, `'restart'` by SIGUSR2, which
   * replaces them one after the other by the build on the disk. Systemd does not wait for its end, so that it needs
   * the type `notify`. Default: 'reload'.
   */
  readonly onReload?: 'reload' | 'restart';
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

const ONE_LINE = option<string>('a string of one line', isOneLine);

const UNIT_NAME =
  /^[\w:.\\@-]+\.(?:service|socket|target|mount|automount|device|path|timer|slice|scope|swap)$/;

const DESCRIPTION = option<string>(
  'a non-empty string of one line',
  (value) => isOneLine(value) && value.trim() !== '',
);

const COMMAND = option<string>(
  'one line that starts with the absolute path of the program',
  (value) => isOneLine(value) && /^[@:+!-]*\//.test(value),
);

const TIME = duration({ min: 1 });

const RESTARTS = [
  'no',
  'always',
  'on-success',
  'on-failure',
  'on-abnormal',
  'on-abort',
  'on-watchdog',
] as const;

const UNITS = withDefault(
  arrayOf(
    option<string>(
      'the name of a unit, such as postgresql.service',
      (value) => typeof value === 'string' && UNIT_NAME.test(value),
    ),
  ),
  [],
);

/** The allowed values of the settings of a unit. */
const UNIT_CONFIG = {
  description: required(DESCRIPTION, ''),
  execStart: required(COMMAND, ''),
  user: ONE_LINE,
  watchdogSec: TIME,
  // That of the host's shutdown timeout, and 5 s more.
  timeoutStopSec: withDefault(TIME, 35_000),
  workingDirectory: ONE_LINE,
  stateDirectory: option<string>('a path relative to /var/lib', isBelowVarLib),
  environment: withDefault(recordOf(ONE_LINE), {}),
  environmentFile: option<string>(
    'an absolute path without spaces and quotes, or one after "-"',
    (value) => typeof value === 'string' && /^-?\/[^\s"'\\]*$/.test(value),
  ),
  after: UNITS,
  requires: UNITS,
  group: option<string>(
    'the name or the number of a group',
    (value) => typeof value === 'string' && /^(?:[A-Za-z_][\w.-]*|\d+)$/.test(value),
  ),
  limits: section(LIMITS),
  restart: withDefault(choice(RESTARTS), 'on-failure'),
  restartSec: withDefault(TIME, 1_000),
  type: withDefault(choice(['notify', 'notify-reload']), 'notify'),
  onReload: withDefault(choice(['reload', 'restart']), 'reload'),
  sandbox: withDefault(FLAG, true),
  readWritePaths: withDefault(
    arrayOf(
      option<string>(
        'an absolute path without spaces and quotes',
        (value) => typeof value === 'string' && /^\/[^\s"'\\]*$/.test(value),
      ),
    ),
    [],
  ),
  capabilities: withDefault(
    arrayOf(
      option<string>(
        'a name such as CAP_NET_BIND_SERVICE',
        (value) => typeof value === 'string' && /^CAP_[A-Z_]+$/.test(value),
      ),
    ),
    [],
  ),
} satisfies OptionTable<UnitConfig>;

/**
 * The text of a systemd unit, which restarts the service on failure unless told otherwise.
 *
 * @throws OptionsError that lists every field that cannot be written into a unit.
 */
export function systemdUnit(config: UnitConfig): string {
  const unit = checkedOptions(
    UNIT_CONFIG,
    config,
    (found) => new OptionsError('hostx-os: unit', found),
    checkCombinations,
  );
  const { type, environment, sandbox, readWritePaths, capabilities, user, requires } = unit;
  const signal = unit.onReload === 'restart' ? 'USR2' : 'HUP';
  const after = [...new Set(['network-online.target', ...requires, ...unit.after])];
  return [
    '[Unit]',
    `Description=${escaped(unit.description)}`,
    'Wants=network-online.target',
    ...(requires.length > 0 ? [`Requires=${requires.map(escaped).join(' ')}`] : []),
    `After=${after.map(escaped).join(' ')}`,
    '',
    '[Service]',
    `Type=${type}`,
    // systemctl and signals reach Node itself, and only Node may notify for the service.
    'NotifyAccess=main',
    `ExecStart=${escaped(unit.execStart)}`,
    ...(type === 'notify' ? [`ExecReload=/bin/kill -${signal} $MAINPID`] : []),
    ...optional(user, (name) => `User=${escaped(name)}`),
    ...optional(unit.group, (name) => `Group=${name}`),
    ...optional(unit.workingDirectory, (path) => `WorkingDirectory=${escaped(path)}`),
    ...optional(unit.stateDirectory, (path) => `StateDirectory=${path}`),
    ...Object.entries(environment).map(
      ([name, value]) => `Environment=${quote(escaped(`${name}=${value}`))}`,
    ),
    ...optional(unit.environmentFile, (path) => `EnvironmentFile=${escaped(path)}`),
    ...optional(unit.watchdogSec, (ms) => `WatchdogSec=${ms / 1_000}s`),
    `TimeoutStopSec=${unit.timeoutStopSec / 1_000}s`,
    // The main process handles the stop; processes that it leaves behind are killed after it.
    'KillMode=mixed',
    `Restart=${unit.restart}`,
    `RestartSec=${unit.restartSec / 1_000}s`,
    ...limitLines(unit.limits ?? {}),
    ...(capabilities.length > 0 ? [`AmbientCapabilities=${capabilities.join(' ')}`] : []),
    ...(sandbox
      ? sandboxLines({
          user,
          capabilities,
          readWritePaths: readWritePaths.map(escaped),
          reads: [unit.execStart, unit.workingDirectory ?? '', ...Object.values(environment)],
        })
      : []),
    '',
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ].join('\n');
}

function checkCombinations(unit: ReadOptions<typeof UNIT_CONFIG>, mistakes: Mistakes): void {
  for (const name of Object.keys(unit.environment)) {
    if (/^[A-Za-z_]\w*$/.test(name)) continue;
    mistakes.add('environment', `${shownValue(name)} is not a valid name of a variable`);
  }
  if (unit.capabilities.length > 0 && unit.user === undefined) {
    mistakes.add('capabilities', 'must not be set without user: root has all of them');
  }
  if (unit.onReload === 'restart' && unit.type === 'notify-reload') {
    mistakes.add('onReload', 'must not be "restart" with the type notify-reload, which reloads');
  }
  if (!unit.sandbox && unit.readWritePaths.length > 0) {
    mistakes.add(
      'readWritePaths',
      'must not be set without the sandbox: all paths are writable there',
    );
  }
}

function isOneLine(value: unknown): value is string {
  return typeof value === 'string' && !/[\r\n\0]/.test(value);
}

function isBelowVarLib(path: unknown): boolean {
  return (
    typeof path === 'string' &&
    /^[\w.-]+(?:\/[\w.-]+)*$/.test(path) &&
    !/(?:^|\/)\.\.?(?:\/|$)/.test(path)
  );
}

/** systemd expands `%`. */
function escaped(text: string): string {
  return text.replaceAll('%', '%%');
}

function optional<T>(value: T | undefined, text: (value: T) => string): string[] {
  return value === undefined ? [] : [text(value)];
}

function quote(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
