/** Sequences of a seed, from one to another. */
export interface Batch {
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  /** Whether they are for our server alone, and memory is what is looked at. */
  readonly isForGrowth?: boolean;
}

export interface BatchReport {
  /** Ends of connections and streams at our server, by kind. */
  readonly ends: Readonly<Record<string, number>>;
  /** By their place in the table: how many sequences each row accounts for. */
  readonly rows: Readonly<Record<number, number>>;
  readonly mistakes: readonly string[];
}
