/** An environment variable; undefined also when it is empty or blank, as in a form left open. */
export function setting(name: string): string | undefined {
  const value = process.env[name];
  return value === undefined || value.trim() === '' ? undefined : value;
}
