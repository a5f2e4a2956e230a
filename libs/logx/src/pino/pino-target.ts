/** One call of a pino logger, before pino encodes it as a line. */
export interface PinoEntry {
  /** The value of the level; with custom levels, any number. */
  readonly level: number;
  readonly message: string;
  /** The merging object, serialisers applied; without `error`. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly error: unknown;
  /** The bindings of the logger; the same object for every call of the same logger. */
  readonly bindings: Readonly<Record<string, unknown>>;
}

/** Receives the entries of a pino logger. It never throws. */
export interface PinoTarget {
  enabled(level: number): boolean;
  write(entry: PinoEntry): void;
  flush(): Promise<void>;
  flushSync(): void;
}
