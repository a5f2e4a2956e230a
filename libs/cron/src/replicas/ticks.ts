import type { RunRecord } from '../job/job-status.js';

/** A tick that this replica has got. */
export interface OwnedTick {
  /** Null for a run outside of the schedule. */
  readonly scheduled: Date | null;
  /** That of the run, where the server numbers them. */
  readonly fence?: number;
}

/** What a replica does for the ticks of a job. */
export interface TickHandlers {
  /**
   * Runs the work here, and resolves when it has really ended. The signal aborts when another
   * replica may have taken the run over.
   */
  run(owned: OwnedTick, signal: AbortSignal): Promise<RunRecord>;
  /** The replicas cannot reach each other, or a run was lost. May be called repeatedly. */
  onTrouble(error: unknown): void;
}

/** Where the ticks of one job are shared out among replicas. */
export interface Ticks {
  /**
   * Makes one of the replicas run a tick: the first one that gives it; the same tick of the others starts
   * no further run. False if the previous run is unfinished, so that the tick is dropped. Rejects while the
   * replicas cannot reach each other.
   */
  give(scheduled: Date): Promise<boolean>;
  /** As soon as the replicas can reach each other, has one of them run, unless one runs. */
  giveFirst(): Promise<void>;
  /** Makes one of them run now, and resolves with the result; null if a run is unfinished. */
  giveNow(): Promise<RunRecord | null>;
  /** This replica begins no further run. */
  hold(): void;
  /** Ends a hold. */
  take(): void;
  /** Waits for the run under way. */
  close(): Promise<void>;
}

/** Begins to take part in the ticks of a job. */
export type OpenTicks = (job: string, handlers: TickHandlers) => Ticks;

/** A server through which replicas share ticks. */
export interface SharedTicks {
  /** Its name, for errors. */
  readonly server: string;
  /** Matches the errors after which nothing works until the server can be reached again. */
  readonly unreachable: RegExp;
  readonly open: OpenTicks;
}
