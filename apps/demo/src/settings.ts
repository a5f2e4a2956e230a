/** An environment variable; undefined also when it is empty or blank, as in a form left open. */
export function setting(name: string): string | undefined {
  const value = process.env[name];
  return value === undefined || value.trim() === '' ? undefined : value;
}

/** Whether NODE_ENV or APP_ENVIRONMENT says production: nothing that only serves trying is accepted or shown. */
export function isProduction(): boolean {
  return ['NODE_ENV', 'APP_ENVIRONMENT'].some(
    (name) => setting(name)?.trim().toLowerCase() === 'production',
  );
}

/** The address to listen on, BIND_ADDRESS. Nothing is encrypted, so other machines are served only where asked. */
export function bindAddress(): string {
  return setting('BIND_ADDRESS') ?? '127.0.0.1';
}
