import type { FollowedWork } from '../../background/followed-work.js';

/** A module of others that runs handlers of the app, as the host drains it. */
export interface WorkSource {
  /** Those of its handlers that are known by now. */
  readonly works: readonly FollowedWork[];
  /** Keeps new work from beginning. Must not wait for work under way. */
  stopIntake(): Promise<unknown>;
  /** Called once the work under way has ended: waits for records that are still to be written. */
  finish(): Promise<unknown>;
  /** Called instead of {@link finish} when the time is up. */
  giveUp(): void;
}
