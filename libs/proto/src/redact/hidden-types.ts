/** The members of a message type that are not shown. */
export interface HiddenMembers {
  readonly members: Set<string>;
  /** The fields of oneofs, by the name of the oneof. */
  readonly cases: Map<string, Set<string>>;
}

/** The types that have fields with `debug_redact`, by name. */
export const HIDDEN_TYPES = new Map<string, HiddenMembers>();

/** The types whose bytes may contain such a field, at any depth. */
export const SECRET_TYPES = new Set<string>();

/** The types whose bytes contain none. */
export const OPEN_TYPES = new Set<string>();
