import { loadKoffi } from '../load-koffi.js';
import type { WindowsServiceStatus } from './service-control.js';

/** A handle or a pointer of Windows; null where a call failed. */
export type Handle = object | null;

/** Called by Windows on its own thread; koffi brings the call to the event loop. */
export type ControlHandler = (control: number) => number;

/** The few functions of advapi32 and kernel32 that services need, each as Microsoft names it. */
export interface WindowsApi {
  /** Runs until the service has stopped; calls `main` once the manager wants it. */
  readonly dispatch: (name: string, main: () => void) => Promise<number>;
  readonly registerHandler: (name: string, handler: ControlHandler) => Handle;
  readonly SetServiceStatus: (service: Handle, status: WindowsServiceStatus) => boolean;
  readonly OpenSCManagerW: (machine: null, database: null, access: number) => Handle;
  readonly CreateServiceW: (
    manager: Handle,
    name: string,
    displayName: string,
    access: number,
    type: number,
    start: number,
    errorControl: number,
    path: string,
    group: null,
    tag: null,
    dependencies: null,
    account: string | null,
    password: string | null,
  ) => Handle;
  readonly OpenServiceW: (manager: Handle, name: string, access: number) => Handle;
  readonly setDescription: (service: Handle, text: string) => boolean;
  /** Restarts the service after each failure, an exit code other than 0 included. */
  readonly setRestart: (service: Handle, delayMs: number, resetSeconds: number) => boolean;
  readonly DeleteService: (service: Handle) => boolean;
  readonly CloseServiceHandle: (handle: Handle) => boolean;
  readonly RegisterEventSourceW: (server: null, name: string) => Handle;
  readonly ReportEventW: (
    source: Handle,
    type: number,
    category: number,
    id: number,
    user: null,
    count: number,
    size: number,
    texts: readonly string[],
    data: null,
  ) => boolean;
  readonly DeregisterEventSource: (source: Handle) => boolean;
  readonly OpenProcess: (access: number, inherit: boolean, pid: number) => Handle;
  readonly QueryFullProcessImageNameW: (
    process: Handle,
    flags: number,
    text: Buffer,
    size: number[],
  ) => boolean;
  readonly CloseHandle: (handle: Handle) => boolean;
  readonly GetLastError: () => number;
  readonly RegCreateKeyExW: (
    parent: bigint,
    path: string,
    reserved: number,
    type: null,
    options: number,
    access: number,
    security: null,
    key: Handle[],
    disposition: null,
  ) => number;
  readonly RegSetValueExW: (
    key: Handle,
    name: string,
    reserved: number,
    type: number,
    data: Buffer,
    size: number,
  ) => number;
  readonly RegCloseKey: (key: Handle) => number;
  readonly RegDeleteKeyW: (parent: bigint, path: string) => number;
}

const SERVICE_STATUS_FIELDS = [
  'dwServiceType',
  'dwCurrentState',
  'dwControlsAccepted',
  'dwWin32ExitCode',
  'dwServiceSpecificExitCode',
  'dwCheckPoint',
  'dwWaitHint',
];

const CONFIG_DESCRIPTION = 1;
const CONFIG_FAILURE_ACTIONS = 2;
const CONFIG_FAILURE_ACTIONS_FLAG = 4;
const SC_ACTION_RESTART = 1;

let api: WindowsApi | undefined;

/** Loads the bindings, once. Works on Windows only. */
export function windowsApi(): WindowsApi {
  return (api ??= bind());
}

function bind(): WindowsApi {
  const koffi = loadKoffi();
  const advapi = koffi.load('advapi32.dll');
  const kernel = koffi.load('kernel32.dll');
  const fields = Object.fromEntries(SERVICE_STATUS_FIELDS.map((name) => [name, 'uint32']));
  koffi.struct('SERVICE_STATUS', fields);
  const mainType = koffi.proto('void __stdcall ServiceMain(uint32 argc, void *argv)');
  const handlerType = koffi.proto(
    'uint32 __stdcall HandlerEx(uint32 control, uint32 type, void *data, void *context)',
  );
  koffi.struct('SERVICE_TABLE_ENTRYW', {
    lpServiceName: 'str16',
    lpServiceProc: 'ServiceMain *',
  });
  const dispatcher = advapi.func(
    'bool __stdcall StartServiceCtrlDispatcherW(SERVICE_TABLE_ENTRYW *)',
  );
  const register = advapi.func(
    'void * __stdcall RegisterServiceCtrlHandlerExW(str16, HandlerEx *, void *)',
  );
  koffi.struct('SERVICE_DESCRIPTIONW', { text: 'str16' });
  koffi.struct('SC_ACTION', { type: 'int', delay: 'uint32' });
  koffi.struct('SERVICE_FAILURE_ACTIONSW', {
    resetPeriod: 'uint32',
    rebootText: 'str16',
    command: 'str16',
    count: 'uint32',
    actions: 'SC_ACTION *',
  });
  const configure = (info: string) =>
    advapi.func(`bool __stdcall ChangeServiceConfig2W(void *, uint32, ${info} *)`);
  const describe = configure('SERVICE_DESCRIPTIONW');
  const act = configure('SERVICE_FAILURE_ACTIONSW');
  const flag = configure('int');
  const functions = [
    [advapi, 'bool __stdcall SetServiceStatus(void *, SERVICE_STATUS *)'],
    [advapi, 'void * __stdcall OpenSCManagerW(str16, str16, uint32)'],
    [
      advapi,
      'void * __stdcall CreateServiceW(void *, str16, str16, uint32, uint32, uint32, uint32, str16, str16, void *, str16, str16, str16)',
    ],
    [advapi, 'void * __stdcall OpenServiceW(void *, str16, uint32)'],
    [advapi, 'bool __stdcall DeleteService(void *)'],
    [advapi, 'bool __stdcall CloseServiceHandle(void *)'],
    [advapi, 'void * __stdcall RegisterEventSourceW(str16, str16)'],
    [
      advapi,
      'bool __stdcall ReportEventW(void *, uint16, uint16, uint32, void *, uint16, uint32, str16 *, void *)',
    ],
    [advapi, 'bool __stdcall DeregisterEventSource(void *)'],
    [
      advapi,
      'long __stdcall RegCreateKeyExW(void *, str16, uint32, str16, uint32, uint32, void *, _Out_ void **, void *)',
    ],
    [advapi, 'long __stdcall RegSetValueExW(void *, str16, uint32, uint32, void *, uint32)'],
    [advapi, 'long __stdcall RegCloseKey(void *)'],
    [advapi, 'long __stdcall RegDeleteKeyW(void *, str16)'],
    [kernel, 'void * __stdcall OpenProcess(uint32, bool, uint32)'],
    [kernel, 'bool __stdcall QueryFullProcessImageNameW(void *, uint32, void *, _Inout_ uint32 *)'],
    [kernel, 'bool __stdcall CloseHandle(void *)'],
    [kernel, 'uint32 __stdcall GetLastError()'],
  ] as const;
  const bound = functions.map(
    ([library, text]) => [/(\w+)\(/.exec(text)![1]!, library.func(text)] as const,
  );
  return {
    ...(Object.fromEntries(bound) as unknown as WindowsApi),
    dispatch: (name, main) => {
      const lpServiceProc = koffi.register(() => main(), koffi.pointer(mainType));
      const table = [
        { lpServiceName: name, lpServiceProc },
        { lpServiceName: null, lpServiceProc: null },
      ];
      return new Promise((resolve, reject) => {
        dispatcher.async(table, (error: Error | null, isDone: boolean) => {
          if (error !== null) reject(error);
          else resolve(isDone ? 0 : koffi.errno());
        });
      });
    },
    registerHandler: (name, handler) => {
      const pointer = koffi.register(handler, koffi.pointer(handlerType));
      return register(name, pointer, null) as Handle;
    },
    setDescription: (service, text) => describe(service, CONFIG_DESCRIPTION, { text }) as boolean,
    setRestart: (service, delay, resetPeriod) =>
      (act(service, CONFIG_FAILURE_ACTIONS, {
        resetPeriod,
        rebootText: null,
        command: null,
        count: 1,
        actions: [{ type: SC_ACTION_RESTART, delay }],
      }) as boolean) && (flag(service, CONFIG_FAILURE_ACTIONS_FLAG, [1]) as boolean),
  };
}
