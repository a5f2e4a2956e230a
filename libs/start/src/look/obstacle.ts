/** Why a part cannot be added to an app, and what changes that. */
export interface Obstacle {
  readonly why: string;
  readonly remedy?: string;
  /** Whether the app has the part already. */
  readonly isThere?: boolean;
}
