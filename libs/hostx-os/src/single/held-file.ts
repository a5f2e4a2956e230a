/** A file that this process alone has locked. */
export interface HeldFile {
  /** Replaces the content. */
  write(text: string): void;
  /** Unlocks and closes. */
  release(): void;
}

/** What became of a try to lock a file: `null` when somebody else holds it. */
export type LockFile = (path: string) => HeldFile | null;
