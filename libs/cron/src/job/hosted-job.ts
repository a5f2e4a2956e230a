import type { Service, ServiceContext } from '@apix/hostx/core';
import type { JobControl } from './job-control.js';

/** A job that the host runs and that can be handled from outside. */
export interface HostedJob extends Service, JobControl {
  readonly name: string;
  /** Runs until the signal aborts, and then until the run under way has ended. */
  start(signal: AbortSignal, context?: ServiceContext): Promise<void>;
  /** The host is about to stop: no further run begins, and the one under way continues. */
  beginDrain(): void;
}
