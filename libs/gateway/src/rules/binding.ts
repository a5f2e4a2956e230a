import type { DescField, DescMethod } from '@bufbuild/protobuf';
import type { PathTemplate, TemplateVariable } from '../template/path-template.js';
import { dottedName } from '../request/fields.js';
import type { TextParser } from '../request/text-value.js';

/** What the request body is: nothing, the whole request message, or one of its fields. */
export type BodyRule =
  | { readonly kind: 'none' }
  | { readonly kind: 'whole' }
  | { readonly kind: 'field'; readonly field: DescField };

/** A path variable and the field that it sets. */
export interface BoundVariable {
  readonly variable: TemplateVariable;
  /** From the request message down; the last one is set. */
  readonly fields: readonly DescField[];
  readonly parse: TextParser;
}

/** One HTTP method and path of an RPC: a compiled google.api.HttpRule. */
export interface Binding {
  readonly method: DescMethod;
  /** The method's full name, `/<package>.<Service>/<Method>`. */
  readonly fullName: string;
  /** `GET`, `POST`, …; `*` for any. */
  readonly httpMethod: string;
  readonly template: PathTemplate;
  /** In the order of the template's variables. */
  readonly variables: readonly BoundVariable[];
  readonly body: BodyRule;
  /** The response field that is the HTTP body; undefined: the whole response. */
  readonly responseField: DescField | undefined;
  /**
   * The field mask that a PATCH without one gets, from the members of its body; undefined if there is no
   * such field.
   */
  readonly maskField: DescField | undefined;
}

/** How error messages call a binding. */
export function describeBinding(
  binding: Pick<Binding, 'fullName' | 'httpMethod' | 'template'>,
): string {
  return `${binding.fullName.slice(1)} (${binding.httpMethod} ${binding.template.source})`;
}

/** Whether the method takes more than one message, which plain HTTP cannot express. */
export function takesRequestStream({ method: { methodKind } }: Binding): boolean {
  return methodKind === 'client_streaming' || methodKind === 'bidi_streaming';
}

/** Fields from the request message down, of which the last one is set. */
type FieldPath = readonly DescField[];

type Bound = Pick<Binding, 'variables' | 'body'>;

/**
 * The fields that no request of a binding may have, by their dotted names in the .proto file: other members
 * of the oneofs of which path and body set one. Nothing below them can be set either.
 */
export function oneofRivals(bound: Bound): ReadonlySet<string> {
  return new Set(boundPaths(bound).flatMap(({ fields }) => rivalsOf(fields)));
}

/** The mistakes of a rule whose variables and body set several members of one oneof: it can never work. */
export function oneofMistakes(bound: Bound): string[] {
  const paths = boundPaths(bound);
  return paths.flatMap(({ noun, fields }, index) => {
    const prefixes = fields.map((_, level) => dottedName(fields.slice(0, level + 1)));
    const other = paths
      .slice(0, index)
      .find((it) => rivalsOf(it.fields).some((name) => prefixes.includes(name)));
    if (other === undefined) return [];
    return [
      `${noun} and ${other.noun} set two members of one oneof, of which one alone can be set`,
    ];
  });
}

/** The dotted names of the fields that the path sets. */
export function boundNames({ variables }: Pick<Binding, 'variables'>): string[] {
  return variables.map(({ fields }) => dottedName(fields));
}

function boundPaths({ variables, body }: Bound): { noun: string; fields: FieldPath }[] {
  const paths: { noun: string; fields: FieldPath }[] = variables.map(({ fields }) => ({
    noun: `path variable "${dottedName(fields)}"`,
    fields,
  }));
  if (body.kind === 'field')
    paths.push({ noun: `body "${body.field.name}"`, fields: [body.field] });
  return paths;
}

function rivalsOf(fields: FieldPath): string[] {
  return fields.flatMap((field, level) => {
    const others = field.oneof?.fields.filter((other) => other !== field) ?? [];
    return others.map((other) => dottedName([...fields.slice(0, level), other]));
  });
}

/** Of dotted names those below a field, without its own name. */
export function namesBelow(names: ReadonlySet<string>, field: string): ReadonlySet<string> {
  const inside = [...names].filter((name) => name.startsWith(`${field}.`));
  return new Set(inside.map((name) => name.slice(field.length + 1)));
}
