import { REDACTED } from '@apix/contracts/internal';

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

type Members = Record<string, unknown>;

/**
 * A message without the values of its fields with `debug_redact`; anything else as it is. Hidden as well are
 * fields that the type does not know, and the bytes of an Any or a status detail, unless the type in it is
 * known to have no such field.
 */
export function redactByTypes(value: object): object {
  const given = value as Members;
  const { $typeName: typeName } = given;
  if (typeof typeName !== 'string') return isPacked(given) ? withoutBytes(given) : value;
  const known = typeName === 'google.protobuf.Any' ? withoutBytes(given) : value;
  const hidden = HIDDEN_TYPES.get(typeName);
  const hasUnknown = given['$unknown'] !== undefined;
  if (hidden === undefined && !hasUnknown) return known;
  const shown: Members = { ...known };
  if (hasUnknown) shown['$unknown'] = REDACTED;
  if (hidden !== undefined) hideMembers(shown, hidden);
  return shown;
}

function hideMembers(shown: Members, { members, cases }: HiddenMembers): void {
  for (const name of members) if (shown[name] !== undefined) shown[name] = REDACTED;
  for (const [oneof, names] of cases) {
    const chosen = shown[oneof];
    if (chosen === undefined || chosen === null) continue;
    const { case: name } = chosen as { readonly case?: unknown };
    if (name === undefined || (typeof name === 'string' && !names.has(name))) continue;
    shown[oneof] = { case: name, value: REDACTED };
  }
}

/** The shape of an Any outside of protobuf-es, such as a detail of a status. */
function isPacked({ typeUrl, value }: Members): boolean {
  return typeof typeUrl === 'string' && value instanceof Uint8Array;
}

function withoutBytes(any: Members): object {
  const { typeUrl } = any;
  const typeName = typeof typeUrl === 'string' ? typeUrl.slice(typeUrl.lastIndexOf('/') + 1) : '';
  return OPEN_TYPES.has(typeName) ? any : { ...any, value: REDACTED };
}
