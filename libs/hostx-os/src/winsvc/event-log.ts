import { thrownError } from '@apix/contracts/internal';
import { OsError } from '../errors.js';
import { type Handle, windowsApi } from './windows-api.js';

const EVENTLOG_ERROR_TYPE = 1;
/** The text that the message file {@link EVENT_MESSAGE_FILE} shows unchanged, for the ids 1 to 1000. */
const EVENT_ID = 1;
/** An insertion string has at most 31,839 characters. */
const MAX_CHARS = 31_000;

/** Part of Windows; its messages consist only of the reported text. */
const EVENT_MESSAGE_FILE = '%SystemRoot%\\System32\\EventCreate.exe';

/** Writes an error to the Application log, under the service's name. Never throws. */
export function reportError(service: string, error: unknown): void {
  const api = windowsApi();
  const source = api.RegisterEventSourceW(null, service);
  if (source === null) return;
  const { stack, message } = thrownError(error);
  const text = (stack ?? message).slice(0, MAX_CHARS);
  api.ReportEventW(source, EVENTLOG_ERROR_TYPE, 0, EVENT_ID, null, 1, 0, [text], null);
  api.DeregisterEventSource(source);
}

/** As an address: the sign bit of the 32-bit number is extended. */
const HKEY_LOCAL_MACHINE = 0xffff_ffff_8000_0002n;
const KEY_WRITE = 0x20006;
const REG_EXPAND_SZ = 2;
const REG_DWORD = 4;
/** Errors, warnings and information. */
const TYPES_SUPPORTED = 7;

const keyOf = (name: string): string =>
  `SYSTEM\\CurrentControlSet\\Services\\EventLog\\Application\\${name}`;

/** Registers the service as a source of the Application log, so that its messages are readable. */
export function addEventSource(name: string): void {
  const api = windowsApi();
  const found: Handle[] = [null];
  const code = api.RegCreateKeyExW(
    HKEY_LOCAL_MACHINE,
    keyOf(name),
    0,
    null,
    0,
    KEY_WRITE,
    null,
    found,
    null,
  );
  const [key = null] = found;
  if (code !== 0 || key === null) {
    throw new OsError(`cannot add ${name} to the Event Log: Windows error ${code}`, code);
  }
  const file = Buffer.from(`${EVENT_MESSAGE_FILE}\0`, 'utf16le');
  api.RegSetValueExW(key, 'EventMessageFile', 0, REG_EXPAND_SZ, file, file.length);
  const types = Buffer.alloc(4);
  types.writeUInt32LE(TYPES_SUPPORTED);
  api.RegSetValueExW(key, 'TypesSupported', 0, REG_DWORD, types, types.length);
  api.RegCloseKey(key);
}

/** A missing key counts as removed. */
export function removeEventSource(name: string): void {
  windowsApi().RegDeleteKeyW(HKEY_LOCAL_MACHINE, keyOf(name));
}
