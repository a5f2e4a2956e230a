import { windowsApi } from './windows-api.js';

const PROCESS_QUERY_LIMITED_INFORMATION = 0x1000;
const MAX_PATH_CHARS = 1_024;

/**
 * Whether the service control manager started this process: its parent is `services.exe`. Asking
 * the dispatcher instead takes ten seconds to fail elsewhere.
 */
export function isStartedByManager(): boolean {
  if (process.platform !== 'win32') return false;
  const api = windowsApi();
  const parent = api.OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, false, process.ppid);
  if (parent === null) return false;
  const text = Buffer.alloc(MAX_PATH_CHARS * 2);
  const size = [MAX_PATH_CHARS];
  const isKnown = api.QueryFullProcessImageNameW(parent, 0, text, size);
  api.CloseHandle(parent);
  return isKnown && /(?:^|\\)services\.exe$/i.test(text.toString('utf16le', 0, size[0]! * 2));
}
