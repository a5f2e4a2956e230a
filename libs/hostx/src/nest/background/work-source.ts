import type { FollowedWork } from '../../background/followed-work.js';

/** A module of others that runs handlers of the app, as the host drains it. */
export interface WorkSource {
  /** Those of its handlers that are known by now. */
  readonly works: readonly FollowedWork[];
  /** Keeps new work from beginning. Must not wait for what is under way. */
  stopIntake(): Promise<unknown>;
  /** Called once what is under way has ended: waits for what is still to be written down. */
  finish(): Promise<unknown>;
  /** Called instead of {@link finish} when the time is up. */
  giveUp(): void;
}
