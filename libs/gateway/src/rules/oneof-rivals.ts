import type { DescField } from '@bufbuild/protobuf';
import type { Binding } from './binding.js';

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
    const names = prefixesOf(fields);
    const other = paths.slice(0, index).find((it) => {
      const rivals = rivalsOf(it.fields);
      return names.some((name) => rivals.includes(name));
    });
    if (other === undefined) return [];
    return [
      `${noun} and ${other.noun} set two members of one oneof, of which one alone can be set`,
    ];
  });
}

function boundPaths({ variables, body }: Bound): { noun: string; fields: FieldPath }[] {
  const inPath = variables.map(({ fields }) => ({
    noun: `path variable "${dotted(fields)}"`,
    fields,
  }));
  if (body.kind !== 'field') return inPath;
  return [...inPath, { noun: `body "${body.field.name}"`, fields: [body.field] }];
}

function rivalsOf(fields: FieldPath): string[] {
  return fields.flatMap((field, level) => {
    const others = field.oneof?.fields.filter((other) => other !== field) ?? [];
    return others.map((other) => dotted([...fields.slice(0, level), other]));
  });
}

function prefixesOf(fields: FieldPath): string[] {
  return fields.map((_, level) => dotted(fields.slice(0, level + 1)));
}

function dotted(fields: FieldPath): string {
  return fields.map(({ name }) => name).join('.');
}
