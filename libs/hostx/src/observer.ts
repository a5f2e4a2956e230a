import type { HostPhase } from './state/transitions.js';

/**
 * Callbacks for code that measures or reports, all optional. Several observers are called in the order of
 * their registration. They cannot influence the host: their errors and rejections are only logged.
 * Durations are in milliseconds.
 */
export interface Observer {
  hostPhaseChanged?(event: { readonly from: HostPhase; readonly to: HostPhase }): void;
  /** Before `start` is called; `attempt` is 0, or the number of the restart. */
  serviceStarting?(event: { readonly service: string; readonly attempt: number }): void;
  /** After `start` was called; the service may not be ready yet. */
  serviceStarted?(event: { readonly service: string; readonly attempt: number }): void;
  serviceReady?(event: {
    readonly service: string;
    readonly attempt: number;
    readonly durationMs: number;
    /** Where it listens; undefined for a service that does not. */
    readonly addr?: string | undefined;
  }): void;
  /** It has returned from `start` and was allowed to. */
  serviceCompleted?(event: { readonly service: string; readonly durationMs: number }): void;
  serviceStopping?(event: { readonly service: string }): void;
  /** Not called for a service that was abandoned. */
  serviceStopped?(event: {
    readonly service: string;
    readonly durationMs: number;
    readonly error?: Error | undefined;
  }): void;
  /** A restart after a failure has been scheduled. */
  serviceRestarting?(event: {
    readonly service: string;
    readonly attempt: number;
    readonly delayMs: number;
    readonly error: Error;
  }): void;
  /** Somebody asked for a restart, by `restartService`; the stop and the start follow as events of their own. */
  serviceRestartAsked?(event: { readonly service: string }): void;
  /** It ended early and is not restarted: the host stops. */
  serviceFailed?(event: { readonly service: string; readonly error: Error }): void;
  /** It had not stopped by the deadline. */
  serviceAbandoned?(event: { readonly service: string; readonly afterMs: number }): void;
  /** Before a startup task is called. */
  taskStarting?(event: { readonly task: string }): void;
  taskDone?(event: {
    readonly task: string;
    readonly durationMs: number;
    readonly error?: Error | undefined;
  }): void;
  /** `done` has the names of the hooks that have not failed. */
  reloadDone?(event: {
    readonly durationMs: number;
    readonly errors: readonly Error[];
    readonly done: readonly string[];
  }): void;
}

export type ObserverEvent<K extends keyof Observer> = Parameters<NonNullable<Observer[K]>>[0];

/** Calls every observer, in order, and contains their errors. */
export type Notify = <K extends keyof Observer>(kind: K, event: ObserverEvent<K>) => void;
