/** A file that this process alone has locked. */
export interface HeldFile {
  /** Replaces the content. */
  write(text: string): void;
  /** Unlocks and closes. */
  release(): void;
}

/** How careful the lock is with its folder. */
export interface LockOptions {
  /**
   * Whether the lock may lie in a folder in which other users can replace it, which lets a second
   * instance start: one that others own or can write to, or that lies in such a folder. The file
   * is checked in any case. On Windows nothing is checked. Default: 'refuse'.
   */
  readonly sharedFolder?: 'allow' | 'refuse' | undefined;
}

/** The result of an attempt to lock a file: `null` if another process holds it. Creates the folder. */
export type LockFile = (path: string, options: LockOptions) => HeldFile | null;
