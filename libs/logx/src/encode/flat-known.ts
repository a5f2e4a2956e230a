import type { Event, EventShape, KnownEventFields, KnownValue } from '../event/event.js';
import type { Scope } from '../event/scope.js';
import { Prepared } from '../template/prepared.js';
import type { FlatDialect } from './flat-dialect.js';
import { writeJson } from './json-bytes.js';
import { type Fragment, fragmentOf, type LineBuffer } from './line-buffer.js';

/** The parts of a format that {@link knownFormat} needs. */
export interface KnownFormatParts {
  readonly keyOf: (field: string) => Fragment;
  /** The fields of a scope. */
  readonly scopeText: (scope: Scope) => string;
}

/** The parts of an encoder that {@link KnownWriter} needs. */
export interface KnownParts {
  /** Level and time. */
  readonly headOf: (event: Event) => Fragment;
  /** Whether lines contain the message. */
  readonly message: boolean;
}

/**
 * Writes the line of an event with known fields; returns false, with nothing written, for an event that does not
 * have the shape of its fields.
 */
export type KnownWriter = (event: Event, known: KnownEventFields, line: LineBuffer) => boolean;

/** The parts of a format for a shape. */
interface KnownPlan {
  readonly shape: EventShape;
  readonly start: Fragment;
  readonly holeKeys: readonly Fragment[];
  /** The texts before the values in the message; the first begins with the message's name. */
  readonly texts: readonly Fragment[];
  readonly fieldKeys: readonly Fragment[];
  readonly kinds: readonly string[];
  readonly names: ReadonlySet<string>;
  /** Whether a scope has a field of the same name as one of the event. */
  readonly meets: (scope: Scope) => boolean;
}

const MESSAGE_END = fragmentOf('"}\n');
const END = fragmentOf('}\n');

/**
 * Creates writers of events whose shape is known, from prepared parts: they write the same bytes as for any
 * other event. Formats that rename fields or put the message first do not have one.
 */
// Why: docs/decisions/0092
export function knownFormat(
  dialect: FlatDialect,
  { keyOf, scopeText }: KnownFormatParts,
): (parts: KnownParts) => KnownWriter {
  const { style, messageFirst, additions, constant } = dialect;
  if (style.special !== undefined || messageFirst || additions !== undefined) {
    return () => () => false;
  }
  const scopeBytes = Prepared.by((scope: Scope) => fragmentOf(constant + scopeText(scope)));
  const plans = new Map<EventShape, KnownPlan>();
  let last: KnownPlan | undefined;
  const planOf = (shape: EventShape): KnownPlan => {
    if (last?.shape === shape) return last;
    last = plans.get(shape) ?? planFor(shape, dialect, keyOf);
    plans.set(shape, last);
    return last;
  };
  const writeScope = (scope: Scope, line: LineBuffer): void => {
    const { parent, names, values } = scope;
    // A request's scope is used only once.
    if (parent === undefined || hidesAny(parent, names)) return line.add(scopeBytes(scope));
    line.add(scopeBytes(parent));
    for (let i = 0; i < names.length; i++) {
      line.add(keyOf(names[i]!));
      writeJson(values[i]!, line);
    }
  };
  return ({ headOf, message }) => {
    /** Where the values of the holes begin and end in the line. */
    const starts: number[] = [];
    const ends: number[] = [];
    return (event, known, line) => {
      const plan = planOf(known.shape);
      if (!hasShape(event, plan)) return false;
      const { values, scope } = event;
      const { holeKeys, texts } = plan;
      line.begin(headOf(event));
      writeScope(scope, line);
      line.add(plan.start);
      for (let i = 0; i < holeKeys.length; i++) {
        const value = values[i]!;
        line.add(holeKeys[i]!);
        if (typeof value === 'string') {
          starts[i] = line.end + 1;
          line.addQuoted(value);
          ends[i] = line.end - 1;
        } else {
          starts[i] = line.end;
          line.addNumber(value as number);
          ends[i] = line.end;
        }
      }
      writeFields(plan, known.values, line);
      if (!message) {
        line.add(END);
        return true;
      }
      for (let i = 0; i < texts.length; i++) {
        line.add(texts[i]!);
        line.addAgain(starts[i]!, ends[i]!);
      }
      line.add(MESSAGE_END);
      return true;
    };
  };
}

function planFor(
  shape: EventShape,
  { template, message }: FlatDialect,
  keyOf: (field: string) => Fragment,
): KnownPlan {
  const { fields } = shape;
  const { holes, textsJson, json } = shape.template;
  const names = new Set([...holes.map(({ field }) => field), ...fields.map(([name]) => name)]);
  return {
    shape,
    start: fragmentOf(template + json),
    holeKeys: holes.map(({ field }) => keyOf(field)),
    texts: holes.map((_, i) => fragmentOf(`${i === 0 ? `${message}"` : ''}${textsJson[i]!}`)),
    fieldKeys: fields.map(([name]) => keyOf(name)),
    kinds: fields.map(([, kind]) => kind),
    names,
    meets: Prepared.by((scope: Scope) => [...names].some((name) => scope.has(name))),
  };
}

function hasShape({ scope, values, parsed }: Event, { shape, names, meets }: KnownPlan): boolean {
  const { holes } = shape;
  for (let i = 0; i < holes.length; i++) {
    if (typeof values[i] !== holes[i]) return false;
  }
  if (parsed.text !== shape.template.text) return false;
  for (let i = 0; i < scope.names.length; i++) if (names.has(scope.names[i]!)) return false;
  return scope.parent === undefined || !meets(scope.parent);
}

function writeFields(
  { kinds, fieldKeys }: KnownPlan,
  values: readonly KnownValue[],
  line: LineBuffer,
): void {
  for (let i = 0; i < fieldKeys.length; i++) {
    const value = values[i];
    if (value === undefined) continue;
    line.add(fieldKeys[i]!);
    if (typeof value === 'string') line.addQuoted(value);
    else if (kinds[i] === 'ms') line.addThousandths(value);
    else line.addNumber(value);
  }
}

function hidesAny(parent: Scope, names: readonly string[]): boolean {
  for (let i = 0; i < names.length; i++) if (parent.has(names[i]!)) return true;
  return false;
}
