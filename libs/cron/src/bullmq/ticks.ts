import type { RunRecord } from '../job/job-status.js';

/** What a replica does for the ticks of a job. */
export interface TickHandlers {
  /**
   * Runs the work here, and resolves when it has really ended. The signal aborts when another
   * replica may have taken the run over.
   */
  run(scheduled: Date | null, signal: AbortSignal): Promise<RunRecord>;
  /** The replicas cannot reach each other, or a run was lost. May be told again and again. */
  onTrouble(error: unknown): void;
}

/** Where the ticks of one job are shared out among replicas. */
export interface Ticks {
  /**
   * Has one of the replicas run a tick, whichever of them gives it first; the others' are no
   * further run. False when the run before is unfinished, and the tick so dropped. Rejects while
   * the replicas cannot reach each other.
   */
  give(scheduled: Date): Promise<boolean>;
  /** As soon as the replicas can reach each other, has one of them run, unless one runs. */
  giveFirst(): Promise<void>;
  /** Has one of them run now, and resolves with how that went; null when a run is unfinished. */
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
