import { offerMessageRedaction } from '@apix/contracts/internal';
import type { DescFile, DescMessage } from '@bufbuild/protobuf';
import { extensionsOf, isRedacted, withImports } from './redacted-field.js';
import {
  redactByTypes,
  HIDDEN_TYPES,
  type HiddenMembers,
  OPEN_TYPES,
  SECRET_TYPES,
} from './redact-message.js';

const noted = new WeakSet<DescFile>();
/** The types that have a field of a type. */
const holdersOf = new Map<string, Set<string>>();
let isOffered = false;

/**
 * Makes logs, error texts and pages hide the fields of these files and their imports that have `debug_redact`.
 * What was hidden once stays so for the whole process.
 */
export function noteTypes(files: Iterable<DescFile>): void {
  const found = new Set<DescFile>();
  for (const file of files) if (!noted.has(file)) withImports(file, found);
  const added = [...found].filter((file) => !noted.has(file));
  if (added.length === 0) return;
  const types = added.flatMap(({ messages }) => messages.flatMap(withNested));
  for (const desc of types) noteMembers(desc);
  noteSecretTypes(types);
  for (const file of added) noted.add(file);
  if (isOffered) return;
  const isNeeded =
    HIDDEN_TYPES.size > 0 || added.some((file) => extensionsOf(file).some(isRedacted));
  if (!isNeeded) return;
  isOffered = true;
  offerMessageRedaction(redactByTypes);
}

/** Whether a message of this type may contain, at any depth, a value that is not shown. */
export function mayHoldRedacted({ typeName }: DescMessage): boolean {
  return isOffered && SECRET_TYPES.has(typeName);
}

function withNested(desc: DescMessage): readonly DescMessage[] {
  return [desc, ...desc.nestedMessages.flatMap(withNested)];
}

function noteMembers(desc: DescMessage): void {
  const hidden = desc.fields.filter(isRedacted);
  if (hidden.length === 0) return;
  const { members, cases }: HiddenMembers = HIDDEN_TYPES.get(desc.typeName) ?? {
    members: new Set(),
    cases: new Map(),
  };
  for (const { oneof, localName } of hidden) {
    if (oneof === undefined) members.add(localName);
    else cases.set(oneof.localName, (cases.get(oneof.localName) ?? new Set()).add(localName));
  }
  HIDDEN_TYPES.set(desc.typeName, { members, cases });
}

/** By the types that have a field of it, from those with something to hide to those that may hold them. */
function noteSecretTypes(types: readonly DescMessage[]): void {
  for (const { fields, typeName } of types) {
    for (const { message } of fields) {
      if (message === undefined) continue;
      const holders = holdersOf.get(message.typeName) ?? new Set();
      holdersOf.set(message.typeName, holders.add(typeName));
    }
  }
  const open = types.filter(mayHoldAnything).map(({ typeName }) => typeName);
  const queue = [...HIDDEN_TYPES.keys(), ...SECRET_TYPES, ...open];
  const seen = new Set<string>();
  for (const name of queue) {
    if (seen.has(name)) continue;
    seen.add(name);
    SECRET_TYPES.add(name);
    queue.push(...(holdersOf.get(name) ?? []));
  }
  for (const { typeName } of types) if (!SECRET_TYPES.has(typeName)) OPEN_TYPES.add(typeName);
  for (const name of SECRET_TYPES) OPEN_TYPES.delete(name);
}

/** An Any may hold a message of any type, and extensions may be fields with `debug_redact`. */
function mayHoldAnything({ typeName, proto }: DescMessage): boolean {
  return typeName === 'google.protobuf.Any' || proto.extensionRange.length > 0;
}
