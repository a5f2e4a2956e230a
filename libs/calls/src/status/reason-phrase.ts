import { STATUS_CODES } from 'node:http';

/** The phrase of an HTTP status, such as `Not Found`. */
export function reasonPhrase(status: number): string {
  return STATUS_CODES[status] ?? (status === 499 ? 'Client Closed Request' : 'Error');
}
