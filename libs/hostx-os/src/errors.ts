/** Another instance holds the lock. */
export class AlreadyRunningError extends Error {
  override readonly name = 'AlreadyRunningError';

  constructor(
    /** The lock's path. */
    readonly path: string,
    /** The holder's process id as it wrote it down; for people only. Null when not readable. */
    readonly pid: number | null,
  ) {
    const holder = pid === null ? 'another process' : `process ${pid}`;
    super(`hostx-os: another instance is running: ${holder} holds the lock ${path}`);
  }
}

/** The operating system refused something. */
export class OsError extends Error {
  override readonly name = 'OsError';

  constructor(
    message: string,
    /** `errno`, or Windows' GetLastError. */
    readonly errno?: number,
    options?: ErrorOptions,
  ) {
    super(`hostx-os: ${message}`, options);
  }
}
