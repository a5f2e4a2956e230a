import type { DescMessage, JsonReadOptions, Message } from '@bufbuild/protobuf';
import type { Authorizer } from '../decide/authorizer.js';
import type { PolicyCase } from './cases.js';
import { UsageError } from './command.js';
import { messageIn, readOptionsOf } from './given-record.js';

/** The policies before and after a change. */
export interface Versions {
  readonly before: Authorizer;
  readonly after: Authorizer;
}

const PARTS = ['request', 'resource', 'listed', 'answer'] as const;
type CasePart = (typeof PARTS)[number];
/** The messages that a case gives. */
export type CaseMessages = Readonly<Partial<Record<CasePart, Message>>>;

/** One method of a case, with its messages as each set has their types. Undefined: the set has no such method. */
export interface GivenCase {
  readonly method: string;
  readonly before: CaseMessages | undefined;
  readonly after: CaseMessages | undefined;
}

/**
 * The messages of a case as both sets read them. A set ignores fields that it does not have, as a server ignores those
 * of a newer client; one of the two must know them all.
 */
export function givenCase(
  versions: Versions,
  method: string,
  row: PolicyCase,
  place: string,
): GivenCase {
  if (row.resource !== undefined && row.request === undefined) {
    throw new UsageError(`${place}: resource: needs a request`);
  }
  const [old, now] = [typesIn(versions.before, method), typesIn(versions.after, method)];
  const given = PARTS.filter((part) => row[part] !== undefined);
  for (const part of given) checkPart([now, old], part, row[part], place);
  const messagesIn = (types: PartTypes | undefined): CaseMessages | undefined => {
    if (types === undefined) return undefined;
    const options = { ...types.options, ignoreUnknownFields: true };
    const read = given.flatMap((part) => {
      const desc = types[part];
      return desc ? [[part, messageIn(`${place}: ${part}`, desc, row[part], options)]] : [];
    });
    return Object.fromEntries(read) as CaseMessages;
  };
  return { method, before: messagesIn(old), after: messagesIn(now) };
}

/** The types of what a case of a method gives. */
type PartTypes = Readonly<Partial<Record<CasePart, DescMessage>>> & {
  readonly options: Partial<JsonReadOptions>;
};

function typesIn(authorizer: Authorizer, method: string): PartTypes | undefined {
  const types = authorizer.methods.typesOf(method);
  if (types === undefined) return undefined;
  const { input: request, resource, listed } = types;
  return {
    request,
    ...(resource && { resource }),
    ...(listed && { listed }),
    answer: authorizer.methods.outputOf(method)!,
    options: readOptionsOf(authorizer),
  };
}

/** @throws UsageError for what no set knows, or can read as it is. */
function checkPart(
  sets: readonly (PartTypes | undefined)[],
  part: CasePart,
  json: unknown,
  place: string,
): void {
  let failure: unknown = new UsageError(`${place}: ${part}: the policies of the method read none`);
  for (const types of sets) {
    const desc = types?.[part];
    if (desc === undefined) continue;
    try {
      messageIn(`${place}: ${part}`, desc, json, types!.options);
      return;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
