import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { OsError } from '../errors.js';
import { loadKoffi } from '../load-koffi.js';
import type { HeldFile } from './held-file.js';

const GENERIC_READ_WRITE = 0xc0000000;
const FILE_SHARE_READ_WRITE = 3;
const OPEN_ALWAYS = 4;
const FILE_ATTRIBUTE_NORMAL = 0x80;
const LOCKFILE_FAIL_IMMEDIATELY = 1;
const LOCKFILE_EXCLUSIVE_LOCK = 2;
const ERROR_LOCK_VIOLATION = 33;
/** Locks are mandatory on Windows: a byte far behind the text leaves the text readable. */
const FAR_AWAY = 0x4000_0000;

type Handle = unknown;

interface Kernel32 {
  readonly CreateFileW: (
    path: string,
    access: number,
    share: number,
    security: null,
    disposition: number,
    flags: number,
    template: null,
  ) => Handle;
  readonly LockFileEx: (
    file: Handle,
    flags: number,
    reserved: number,
    low: number,
    high: number,
    overlapped: Buffer,
  ) => boolean;
  readonly SetFilePointerEx: (
    file: Handle,
    distance: number,
    position: null,
    method: number,
  ) => boolean;
  readonly SetEndOfFile: (file: Handle) => boolean;
  readonly WriteFile: (
    file: Handle,
    bytes: Buffer,
    size: number,
    written: Buffer,
    overlapped: null,
  ) => boolean;
  readonly CloseHandle: (file: Handle) => boolean;
  readonly GetLastError: () => number;
}

let kernel: Kernel32 | undefined;

/**
 * Locks a file with LockFileEx, which Windows releases when the process ends. The access rights of the
 * file, and so who may hold it, are inherited from its folder: its access control list is not checked.
 */
export function lockWindowsFile(path: string): HeldFile | null {
  mkdirSync(dirname(path), { recursive: true });
  const { CreateFileW, LockFileEx, CloseHandle, GetLastError, ...file } = (kernel ??= bind());
  const handle = CreateFileW(
    path,
    GENERIC_READ_WRITE,
    FILE_SHARE_READ_WRITE,
    null,
    OPEN_ALWAYS,
    FILE_ATTRIBUTE_NORMAL,
    null,
  );
  if (isInvalid(handle)) {
    const code = GetLastError();
    throw new OsError(`cannot open ${path}: Windows error ${code}`, code);
  }
  // OVERLAPPED: two unused words of 8 bytes, the offset, an event.
  const overlapped = Buffer.alloc(32);
  overlapped.writeUInt32LE(FAR_AWAY, 20);
  const flags = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
  if (!LockFileEx(handle, flags, 0, 1, 0, overlapped)) {
    const code = GetLastError();
    CloseHandle(handle);
    if (code === ERROR_LOCK_VIOLATION) return null;
    throw new OsError(`cannot lock ${path}: Windows error ${code}`, code);
  }
  return {
    write(text) {
      const bytes = Buffer.from(text);
      file.SetFilePointerEx(handle, 0, null, 0);
      file.SetEndOfFile(handle);
      file.WriteFile(handle, bytes, bytes.length, Buffer.alloc(4), null);
    },
    release: () => void CloseHandle(handle),
  };
}

function isInvalid(handle: Handle): boolean {
  // INVALID_HANDLE_VALUE is -1, as an address.
  const address = BigInt.asIntN(64, loadKoffi().address(handle));
  return address === -1n || address === 0n;
}

function bind(): Kernel32 {
  const lib = loadKoffi().load('kernel32.dll');
  const signatures = [
    'void * __stdcall CreateFileW(str16, uint32, uint32, void *, uint32, uint32, void *)',
    'bool __stdcall LockFileEx(void *, uint32, uint32, uint32, uint32, void *)',
    'bool __stdcall SetFilePointerEx(void *, int64, void *, uint32)',
    'bool __stdcall SetEndOfFile(void *)',
    'bool __stdcall WriteFile(void *, void *, uint32, void *, void *)',
    'bool __stdcall CloseHandle(void *)',
    'uint32 __stdcall GetLastError()',
  ];
  const functions = signatures.map((text) => [/(\w+)\(/.exec(text)![1]!, lib.func(text)] as const);
  return Object.fromEntries(functions) as unknown as Kernel32;
}
