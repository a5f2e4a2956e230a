import { type Duration, Mistakes, OptionsError } from '@apix/contracts';
import {
  arrayOf,
  choice,
  DURATION,
  type OptionTable,
  orFalse,
  readOptions,
  STRING,
  TEXT,
  withDefault,
} from '@apix/contracts/internal';
import { OsError } from '../errors.js';
import { commandLine } from './command-line.js';
import { addEventSource, removeEventSource } from './event-log.js';
import { type Handle, type WindowsApi, windowsApi } from './windows-api.js';

export interface InstallConfig {
  /** The name in the list of services. Default: the name. */
  readonly displayName?: string;
  /** One line for people. Default: none. */
  readonly description?: string;
  /** Arguments of the program: the script first. Default: none. */
  readonly args?: readonly string[];
  /** `automatic` starts it with Windows. Default: 'automatic'. */
  readonly startType?: 'automatic' | 'manual';
  /** How long after a failure it is started again; false: never. Default: '1s'. */
  readonly restartDelay?: Duration | false;
}

const INSTALL_CONFIG = {
  displayName: TEXT,
  description: STRING,
  args: withDefault(arrayOf(STRING), []),
  startType: withDefault(choice(['automatic', 'manual']), 'automatic'),
  restartDelay: withDefault(orFalse(DURATION), 1_000),
} satisfies OptionTable<InstallConfig>;

const SC_MANAGER_CONNECT_AND_CREATE = 0x3;
const SERVICE_ALL_ACCESS = 0xf01ff;
const DELETE = 0x10000;
const SERVICE_WIN32_OWN_PROCESS = 0x10;
const START = { automatic: 2, manual: 3 } as const;
const SERVICE_ERROR_NORMAL = 1;
const RESET_AFTER_SECONDS = 60;
/** Error codes of Windows with an explanation. */
const KNOWN: Readonly<Record<number, string>> = {
  5: 'access is denied; run the command as administrator',
  1060: 'there is no service with this name',
  1072: 'the service is being removed; close the list of services and try again',
  1073: 'a service with this name already exists',
};

/**
 * Installs a program as a service of Windows, with a source for the Event Log and a restart
 * after failures. Must run elevated.
 *
 * @param exePath the program by its absolute path, such as `process.execPath`.
 * @throws OptionsError that lists every wrong option.
 * @throws OsError that says what Windows refused.
 */
export function installWindowsService(
  name: string,
  exePath: string,
  config: InstallConfig = {},
): void {
  const mistakes = new Mistakes();
  TEXT.read(name, 'name', mistakes);
  TEXT.read(exePath, 'exePath', mistakes);
  const read = readOptions(INSTALL_CONFIG, config, '', mistakes);
  mistakes.throwIfAny((found) => new OptionsError(`hostx-os: service ${name}`, found));
  const { displayName = name, args, startType, description, restartDelay } = read;
  onWindows();
  const api = windowsApi();
  withManager(api, (manager) => {
    const service = api.CreateServiceW(
      manager,
      name,
      displayName,
      SERVICE_ALL_ACCESS,
      SERVICE_WIN32_OWN_PROCESS,
      START[startType],
      SERVICE_ERROR_NORMAL,
      commandLine(exePath, args),
      null,
      null,
      null,
      null,
      null,
    );
    if (service === null) throw refused(`install ${name}`, api);
    try {
      if (description !== undefined && !api.setDescription(service, description)) {
        throw refused(`describe ${name}`, api);
      }
      if (restartDelay !== false && !api.setRestart(service, restartDelay, RESET_AFTER_SECONDS)) {
        throw refused(`set the restart of ${name}`, api);
      }
      addEventSource(name);
    } catch (error) {
      // An incomplete service is worse than none.
      api.DeleteService(service);
      throw error;
    } finally {
      api.CloseServiceHandle(service);
    }
  });
}

/**
 * Removes a service and its source of the Event Log; a running one goes when it has stopped.
 * Must run elevated.
 *
 * @throws OsError that says what Windows refused.
 */
export function uninstallWindowsService(name: string): void {
  onWindows();
  const api = windowsApi();
  withManager(api, (manager) => {
    const service = api.OpenServiceW(manager, name, DELETE);
    if (service === null) throw refused(`uninstall ${name}`, api);
    try {
      if (!api.DeleteService(service)) throw refused(`uninstall ${name}`, api);
    } finally {
      api.CloseServiceHandle(service);
    }
    removeEventSource(name);
  });
}

function withManager(api: WindowsApi, work: (manager: Handle) => void): void {
  const manager = api.OpenSCManagerW(null, null, SC_MANAGER_CONNECT_AND_CREATE);
  if (manager === null) throw refused('reach the service control manager', api);
  try {
    work(manager);
  } finally {
    api.CloseServiceHandle(manager);
  }
}

function refused(what: string, api: WindowsApi): OsError {
  const code = api.GetLastError();
  return new OsError(`cannot ${what}: ${KNOWN[code] ?? `Windows error ${code}`}`, code);
}

function onWindows(): void {
  if (process.platform !== 'win32') {
    throw new OsError(`Windows services require Windows; this is ${process.platform}`);
  }
}
