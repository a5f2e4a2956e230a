import { safely, unreadable } from './safely.js';

/** What a field that holds an error shows: its own members, and those that matter first. */
export function errorRecord(error: Error): Record<string, unknown> {
  const record: Record<string, unknown> = { name: error.name, message: error.message };
  for (const name of Object.keys(error)) {
    const member = safely(() => (error as unknown as Record<string, unknown>)[name], unreadable);
    if (name !== '__proto__') record[name] = member;
  }
  if (Array.isArray((error as AggregateError).errors)) {
    record['errors'] = (error as AggregateError).errors;
  }
  if (error.cause !== undefined) record['cause'] = error.cause;
  if (typeof error.stack === 'string') record['stack'] = error.stack;
  return record;
}
