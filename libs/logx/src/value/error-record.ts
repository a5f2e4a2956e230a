import { safely, unreadable } from './safely.js';

/** The form of a field with an error: its own members, the important ones first. */
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
