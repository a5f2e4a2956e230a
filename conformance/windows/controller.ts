// Runs under Wine: installs a service, starts, reloads, stops, crashes and removes it, and writes
// down every status that the service control manager shows.
import { install, uninstall } from '@apix/hostx-os/winsvc';
import koffi from 'koffi';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const [, , name, script, log, out] = process.argv as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const say = (text: string): void => appendFileSync(out, `${text}\n`);

const STATES = ['', 'STOPPED', 'START_PENDING', 'STOP_PENDING', 'RUNNING'];
const [STOP, PARAMCHANGE] = [1, 6];
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
const close = advapi.func('bool __stdcall CloseServiceHandle(void *)');
const start = advapi.func('bool __stdcall StartServiceW(void *, uint32, void *)');
const control = advapi.func('bool __stdcall ControlService(void *, uint32, _Out_ STATUS *)');
const query = advapi.func(
  'bool __stdcall QueryServiceStatusEx(void *, int, _Out_ STATUS_PROCESS *, uint32, _Out_ uint32 *)',
);

type Status = Record<string, number>;

async function main(): Promise<void> {
  install(name, process.execPath, {
    displayName: 'apix conformance',
    description: 'A service that is put through its paces',
    args: [script, name, log],
    startType: 'manual',
    restartDelay: false,
  });
  say('installed');
  expectRefusal(() => install(name, process.execPath), 'a service of that name exists');

  const service = openService(openManager(null, null, 1), name, 0xf01ff) as object;
  const status = (): Status => {
    const seen: Status = {};
    query(service, 0, seen, 36, [0]);
    return seen;
  };
  let last = '';
  const until = async (state: string): Promise<Status> => {
    for (const end = Date.now() + 40_000; ;) {
      const seen = status();
      const { checkpoint, waitHint, accepts, exitCode, specificExitCode } = seen;
      const text =
        `${STATES[seen['state']!]} checkpoint=${checkpoint} waitHint=${waitHint} ` +
        `accepts=${accepts} exit=${exitCode}/${specificExitCode}`;
      if (text !== last) say((last = text));
      if (STATES[seen['state']!] === state) return seen;
      if (Date.now() > end) throw new Error(`waited in vain for ${state}: ${text}`);
      await sleep(20);
    }
  };

  for (const end of ['stop', 'crash'] as const) {
    say(`# start, reload, ${end}`);
    if (start(service, 0, null) !== true) throw new Error('StartService failed');
    await until('RUNNING');
    if (control(service, PARAMCHANGE, {}) !== true) throw new Error('PARAMCHANGE failed');
    await sleep(500);
    control(service, end === 'stop' ? STOP : PARAMCHANGE, {});
    await until('STOPPED');
  }
  // A service with open handles is only marked.
  close(service);
  uninstall(name);
  say('uninstalled');
  // It goes with its last process.
  for (const end = Date.now() + 20_000; refusal(() => uninstall(name)).includes('being removed');) {
    if (Date.now() > end) throw new Error('the service is never removed');
    await sleep(100);
  }
  expectRefusal(() => uninstall(name), 'there is no such service');
}

function expectRefusal(work: () => void, text: string): void {
  const refused = refusal(work);
  if (!refused.includes(text)) throw new Error(`refused with "${refused}", not "${text}"`);
}

function refusal(work: () => void): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

main().then(
  () => say('done'),
  (error: Error) => {
    say(`FAILED ${error.stack}`);
    process.exitCode = 1;
  },
);
