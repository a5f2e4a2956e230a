import { thrownError } from '@apix/contracts/internal';
import { windowsApi } from './windows-api.js';

const EVENTLOG_ERROR_TYPE = 1;
/** The text that the message file {@link EVENT_MESSAGE_FILE} shows unchanged, for the ids 1 to 1000. */
const EVENT_ID = 1;
/** An insertion string has at most 31,839 characters. */
const MAX_CHARS = 31_000;

/** Part of Windows; its messages consist only of the reported text. */
export const EVENT_MESSAGE_FILE = '%SystemRoot%\\System32\\EventCreate.exe';

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
