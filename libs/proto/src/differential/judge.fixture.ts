import {
  type DescMessage,
  type JsonValue,
  type Message,
  fromBinary,
  toBinary,
} from '@bufbuild/protobuf';
import { thrownText } from '@apix/contracts';
import { JsonDecodeError } from '../json/json-decode-error.js';
import { typesFirst } from '../json/json-forms.fixture.js';
import { type Given, REFUSALS, givenIn } from './refusals.fixture.js';
import { repairsOf } from './repairs.fixture.js';
import { type SeenDifference, differenceOf } from './same.fixture.js';
import { wireCauseIn } from './wire-causes.fixture.js';
import { wireCodec } from '../wire/wire-codec.js';
import type { Sides, Way, Ways } from './ways.fixture.js';

/** What goes on a way. */
export type Input = string | Uint8Array | Message;

export interface Case {
  readonly way: Way;
  readonly desc: DescMessage;
  readonly input: Input;
}

/** How a case ended: alike, refused by one side for a reason in the table, or wrong. */
export type Verdict =
  | { readonly kind: 'both read' | 'both refused' }
  | { readonly kind: 'refusal'; readonly name: string }
  | { readonly kind: 'wrong'; readonly problem: string };

const ROUNDED = 'a float is read as the wire would have it, with 32 bits';
const UNKNOWN_KEPT = 'unknown values of closed enums are kept beside other unknown fields';

type Outcome = { readonly value: unknown } | { readonly error: Error };

/** Sends a case on the same way through both. */
export function judge(one: Case, sides: Sides): Verdict {
  const ours = outcomeOf(one, sides.compiled);
  const theirs = outcomeOf(one, sides.reference);
  const unlikeWire =
    one.way === 'readJson' && 'value' in ours ? changeOnWire(one, ours.value) : null;
  if (unlikeWire !== null) return { kind: 'wrong', problem: unlikeWire };
  if ('value' in ours && 'value' in theirs) {
    const verdict = judgeValues(one, ours.value, theirs.value);
    return verdict.kind === 'wrong' ? (repaired(one, ours.value, sides) ?? verdict) : verdict;
  }
  if ('error' in ours) {
    const complaint = unfitError(one, ours.error);
    if (complaint !== null) return { kind: 'wrong', problem: complaint };
    if ('error' in theirs) return { kind: 'both refused' };
  }
  const by = 'error' in ours ? 'us' : 'protobuf-es';
  const error = 'error' in ours ? ours.error : (theirs as { readonly error: Error }).error;
  const given = givenOf(one);
  const known = REFUSALS.find(
    (refusal) =>
      refusal.by === by &&
      refusal.ways.includes(one.way) &&
      refusal.says.test(error.message) &&
      refusal.isIn(given, error.message),
  );
  if (known !== undefined) return { kind: 'refusal', name: known.name };
  return { kind: 'wrong', problem: `only ${by} refuses it: ${error.message.slice(0, 200)}` };
}

function judgeValues(one: Case, ours: unknown, theirs: unknown): Verdict {
  const seen: SeenDifference = { unknownKept: false, rounded: false };
  const problem = different(one, ours, theirs, seen);
  if (problem !== null) return { kind: 'wrong', problem };
  if (seen.unknownKept) return { kind: 'refusal', name: UNKNOWN_KEPT };
  if (seen.rounded) return { kind: 'refusal', name: ROUNDED };
  return { kind: 'both read' };
}

/** Where protobuf-es makes the same of other words for what the document says. */
function repaired(one: Case, ours: unknown, { registry, reference }: Sides): Verdict | undefined {
  if (typeof one.input !== 'string') return undefined;
  for (const { name, json } of repairsOf(one.input, registry)) {
    const theirs = outcomeOf({ ...one, input: json }, reference);
    if (!('value' in theirs)) continue;
    if (judgeValues(one, ours, theirs.value).kind !== 'wrong') return { kind: 'refusal', name };
  }
  return undefined;
}

function outcomeOf({ way, desc, input }: Case, ways: Ways): Outcome {
  const run = ways[way] as (desc: DescMessage, input: Input) => unknown;
  try {
    return { value: run(desc, input) };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(`threw ${String(error)}`) };
  }
}

/** What is read from JSON goes to a handler of the same process as it is: docs/decisions/0201. */
function changeOnWire({ desc }: Case, read: unknown): string | null {
  try {
    const codec = wireCodec(desc);
    return differenceOf(read, codec.decode(codec.encode(read as Message)), '$, and over the wire');
  } catch (error) {
    // JSON of a part of a message may lack what is required of the whole.
    return thrownText(error).includes('a required field') ? null : `no wire: ${thrownText(error)}`;
  }
}

function different(
  { way, desc }: Case,
  ours: unknown,
  theirs: unknown,
  seen: SeenDifference,
): string | null {
  switch (way) {
    case 'readJson':
    case 'readWire':
    case 'transfer':
      return differenceOf(ours, theirs, '$', seen);
    case 'writeJson':
    case 'wireToJson':
      return textDifference(ours as string, theirs as string);
    case 'writeWire':
    case 'jsonToWire':
      return wireDifference(desc, ours as Uint8Array, theirs as Uint8Array);
  }
}

/** Map entries may be in any order. */
function wireDifference(desc: DescMessage, ours: Uint8Array, theirs: Uint8Array): string | null {
  if (Buffer.compare(ours, theirs) === 0) return null;
  if (ours.length !== theirs.length) return `${ours.length} bytes are not ${theirs.length}`;
  return differenceOf(fromBinary(desc, plain(ours)), fromBinary(desc, plain(theirs)));
}

/** protobuf-es would make Buffers of the bytes in a Buffer. */
function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

/** An Any begins with its type here, and ends with it there: docs/decisions/0200. */
function textDifference(ours: string, theirs: string): string | null {
  if (ours === theirs) return null;
  const [a, b] = [ours, theirs].map((text) => JSON.parse(text) as JsonValue);
  const difference = differenceOf(a, b);
  if (difference !== null) return difference;
  if (ours.length === theirs.length && typesFirst(a!) === typesFirst(b!)) return null;
  let at = 0;
  while (ours[at] === theirs[at]) at++;
  const [mine, other] = [ours, theirs].map((text) => text.slice(Math.max(0, at - 20), at + 40));
  return `written otherwise: ${mine} is not ${other}`;
}

/** A document that is refused gets an error with its place; no input may break the code. */
function unfitError({ way }: Case, error: Error): string | null {
  const isFromJson = way === 'readJson' || way === 'jsonToWire';
  const isMissing = way === 'jsonToWire' && error.message.includes('required');
  if (isFromJson && !isMissing && !(error instanceof JsonDecodeError))
    return `refused by ${String(error)}`;
  const isBroken = /undefined|null \(|is not a function|is not iterable|call stack/.test(
    error.message,
  );
  return isBroken && error instanceof TypeError ? `broke: ${error.stack ?? error.message}` : null;
}

function isUnwritable(desc: DescMessage, wire: Uint8Array): boolean {
  try {
    toBinary(desc, fromBinary(desc, wire));
    return false;
  } catch (error) {
    return thrownText(error).includes('required field not set');
  }
}

function givenOf({ desc, input }: Case): Given {
  if (input instanceof Uint8Array) {
    const wireCause = wireCauseIn(desc, input);
    const lacksRequired = isUnwritable(desc, input);
    return { texts: [], numbers: [], isMessage: true, wireCause, lacksRequired };
  }
  if (typeof input === 'string') return givenIn(input);
  const json = JSON.stringify(input, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return { ...givenIn(json), isMessage: true };
}
