/** The phrase of an HTTP status, such as `Not Found`. */
export function reasonPhrase(status: number): string {
  const { STATUS_CODES } = process.getBuiltinModule('node:http');
  return STATUS_CODES[status] ?? (status === 499 ? 'Client Closed Request' : 'Error');
}
