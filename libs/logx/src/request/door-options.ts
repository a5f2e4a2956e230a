/** What the doors have in common. */
export interface DoorOptions {
  /** Name of the field that holds the request's id. Default: `'RequestId'`. */
  readonly field?: string | undefined;
  /**
   * Makes an id where a request brings none that can be used. What it throws, and an id that is
   * not 1 to 128 visible ASCII characters, is replaced by `newId()`. Default: `newId`.
   */
  readonly idGenerator?: (() => string) | undefined;
  /**
   * Leaves out successful and failed probes: requests that infrastructure endpoints (health,
   * metrics, docs) answer, the gRPC health service, and the HTTP paths given here. Default:
   * false, all are logged.
   */
  readonly skipProbes?: boolean | readonly string[] | undefined;
}

/** The field that holds a request's id, unless options say otherwise. */
export const DEFAULT_ID_FIELD = 'RequestId';
