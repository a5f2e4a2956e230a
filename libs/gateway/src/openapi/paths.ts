import type { Binding, BoundVariable } from '../rules/binding.js';
import type { TemplateVariable } from '../template/path-template.js';
import { spellingOf } from '../template/route-table.js';

/** A path in OpenAPI's syntax, and the fields of its parameters. */
export interface OpenApiPath {
  readonly path: string;
  readonly parameters: readonly PathParameter[];
}

export interface PathParameter {
  readonly name: string;
  /** The variable that it belongs to; undefined for a wildcard without one. */
  readonly variable: BoundVariable | undefined;
  /** Whether it is the variable's whole value, not one segment of it. */
  readonly whole: boolean;
  /** Which segment of the template it is. */
  readonly index: number;
  /** True for `**`, which matches several segments; OpenAPI cannot express that. */
  readonly rest: boolean;
}

/**
 * A template as an OpenAPI path. A variable of several segments is spelt out, as `/v1/{name=orders/*}`
 * becomes `/v1/orders/{order}`: OpenAPI's parameters hold no slash.
 *
 * @param nameOf returns the name of a variable's field path.
 */
export function openApiPath(
  binding: Binding,
  nameOf: (variable: BoundVariable) => string,
): OpenApiPath {
  const { template, variables } = binding;
  const spelling = spellingOf(template);
  const parameters: PathParameter[] = [];
  const taken = new Set<string>();
  const parts = template.segments.map((segment, index) => {
    if (segment.kind === 'literal') return spelling.segments[index];
    const bound = variables.find(({ variable }) => covers(variable, index));
    const whole =
      bound !== undefined &&
      (isOneSegment(bound.variable) || bound.variable.start === template.segments.length - 1);
    const before = template.segments[index - 1];
    const literal = before?.kind === 'literal' ? singular(before.text) : 'segment';
    const wanted = whole && bound !== undefined ? nameOf(bound) : literal;
    const name = unusedName(wanted.replaceAll(/[^A-Za-z0-9_.-]/g, '_'), taken);
    parameters.push({ name, variable: bound, whole, index, rest: segment.kind === 'rest' });
    return `{${name}}`;
  });
  const verb = spelling.verb === undefined ? '' : `:${spelling.verb}`;
  return { path: `/${parts.join('/')}${verb}`, parameters };
}

function isOneSegment({ start, end }: TemplateVariable): boolean {
  return end - start === 1;
}

function covers(variable: TemplateVariable, index: number): boolean {
  return variable.start <= index && index < variable.end;
}

/** A name that is not taken, with a number where it needs one; it is taken now. */
export function unusedName(name: string, taken: Set<unknown>): string {
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name}_${count}`;
  taken.add(free);
  return free;
}

/** The singular of a collection's name: `order` for `orders`, `shelf` for `shelves`. */
function singular(collection: string): string {
  const endings: readonly (readonly [RegExp, string])[] = [
    [/ies$/, 'y'],
    [/lves$/, 'lf'],
    [/(s|x|ch|sh)es$/, '$1'],
    [/([^s])s$/, '$1'],
  ];
  const rule = endings.find(([ending]) => ending.test(collection));
  return rule === undefined ? collection : collection.replace(rule[0], rule[1]);
}
