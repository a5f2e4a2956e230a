/** Computes when a job runs next. */
export interface Schedule {
  /** For messages and lists. Default: `custom`. */
  readonly description?: string;
  /**
   * Whether its times may occur again when the clock is set back by up to three hours, as those of an
   * interval may; the others wait until the clock is past the last time that was due. Default: false.
   */
  readonly isRepeatable?: boolean;
  /** The first time strictly after `after`; null if there are no more. */
  next(after: Date): Date | null;
}

/**
 * A schedule of one function, which gets the previous time, or the present, and returns the
 * next. It must move on: a time that is not later is an error of the job.
 */
export function scheduleFunc(fn: (previous: Date) => Date | null): Schedule {
  return { next: fn };
}
