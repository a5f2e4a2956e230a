/** What an error says of itself; errors of another realm have no `instanceof`. */
export function reasonOf(error: unknown): string {
  const message = (error as { message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' ? message : String(error);
}
