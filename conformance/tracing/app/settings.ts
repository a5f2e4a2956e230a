/** What the harness has set for this process. */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

export const HOST = '127.0.0.1';

/** Tells the harness that everything has started. */
export function sayReady(): void {
  process.stdout.write('ready\n');
}
