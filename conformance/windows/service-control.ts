import koffi from 'koffi';
import { setTimeout as sleep } from 'node:timers/promises';

const STATES = ['', 'STOPPED', 'START_PENDING', 'STOP_PENDING', 'RUNNING'];
const CODES = { stop: 1, paramchange: 6 } as const;
const SERVICE_ALL_ACCESS = 0xf01ff;
const STATUS_PROCESS_BYTES = 36;
const FIELDS = [
  'type',
  'state',
  'accepts',
  'exitCode',
  'specificExitCode',
  'checkpoint',
  'waitHint',
];
const uints = (names: readonly string[]) =>
  Object.fromEntries(names.map((field) => [field, 'uint32']));
koffi.struct('STATUS', uints(FIELDS));
koffi.struct('STATUS_PROCESS', uints([...FIELDS, 'pid', 'flags']));
const advapi = koffi.load('advapi32.dll');
const openManager = advapi.func('void * __stdcall OpenSCManagerW(str16, str16, uint32)');
const openService = advapi.func('void * __stdcall OpenServiceW(void *, str16, uint32)');
const closeHandle = advapi.func('bool __stdcall CloseServiceHandle(void *)');
const startService = advapi.func('bool __stdcall StartServiceW(void *, uint32, void *)');
const controlService = advapi.func('bool __stdcall ControlService(void *, uint32, _Out_ STATUS *)');
const query = advapi.func(
  'bool __stdcall QueryServiceStatusEx(void *, int, _Out_ STATUS_PROCESS *, uint32, _Out_ uint32 *)',
);

type Status = Record<string, number>;

/** An installed service, as its manager shows it; every new status is said. */
export class ServiceControl {
  #last = '';

  private constructor(
    private readonly handle: object,
    private readonly say: (text: string) => void,
  ) {}

  static open(name: string, say: (text: string) => void): ServiceControl {
    const handle: unknown = openService(openManager(null, null, 1), name, SERVICE_ALL_ACCESS);
    return new ServiceControl(handle as object, say);
  }

  /** Tries again while the process of the last start is still on its way out. */
  async start(): Promise<void> {
    for (const end = Date.now() + 20_000; startService(this.handle, 0, null) !== true;) {
      if (Date.now() > end) throw new Error('StartService failed');
      await sleep(50);
    }
  }

  control(verb: keyof typeof CODES): void {
    if (controlService(this.handle, CODES[verb], {}) !== true) throw new Error(`${verb} failed`);
  }

  status(): Status {
    const seen: Status = {};
    query(this.handle, 0, seen, STATUS_PROCESS_BYTES, [0]);
    return seen;
  }

  async until(state: string): Promise<Status> {
    for (const end = Date.now() + 180_000; ;) {
      const seen = this.status();
      const { checkpoint, waitHint, accepts, exitCode, specificExitCode } = seen;
      const text =
        `${STATES[seen['state']!]} checkpoint=${checkpoint} waitHint=${waitHint} ` +
        `accepts=${accepts} exit=${exitCode}/${specificExitCode}`;
      if (text !== this.#last) this.say((this.#last = text));
      if (STATES[seen['state']!] === state) return seen;
      if (Date.now() > end) throw new Error(`waited in vain for ${state}: ${text}`);
      await sleep(20);
    }
  }

  /** A service with open handles is only marked when it is removed. */
  close(): void {
    closeHandle(this.handle);
  }
}
