import { shownValue, type Mistakes } from '@apix/contracts';
import type { DescMessage, FileRegistry } from '@bufbuild/protobuf';
import { type RequestShape, shapeMessage } from './request-shape.js';

/** Under which option, or by which decorator, types of records are declared. */
const WHERE = 'recordTypes';

/**
 * The types of records that are not messages of the descriptors, by name. One that has the name of a message is a mistake:
 * conditions would be about something else than they seem to be.
 */
// Why: docs/decisions/0538
export function readRecordTypes(
  shapes: Readonly<Record<string, RequestShape>>,
  messages: FileRegistry | undefined,
  mistakes: Mistakes,
): ReadonlyMap<string, DescMessage> {
  const types = new Map<string, DescMessage>();
  for (const [name, shape] of Object.entries(shapes)) {
    if (messages?.getMessage(name) !== undefined) {
      mistakes.add(
        WHERE,
        `${shownValue(name)} is a message of the descriptors, which has its types; remove it`,
      );
      continue;
    }
    const desc = shapeMessage(name, shape, WHERE, mistakes);
    if (desc?.fields.length === 0) mistakes.add(WHERE, `${shownValue(name)} has no members`);
    if (desc !== undefined) types.set(name, desc);
  }
  return types;
}
