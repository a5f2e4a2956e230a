import type { DescField, DescMethod } from '@bufbuild/protobuf';
import { FieldMaskSchema } from '@bufbuild/protobuf/wkt';
import type { HttpRule } from '../gen/google/api/http_pb.js';
import { followPath } from '../request/fields.js';
import { isEmptyMessage, textParserOf } from '../request/text-value.js';
import { type PathTemplate, parsePathTemplate } from '../template/path-template.js';
import { type Binding, type BodyRule, type BoundVariable, oneofMistakes } from './binding.js';

/** Collects mistakes, each with its method. */
export type Report = (mistake: string) => void;

/**
 * Compiles a rule and its additional bindings against the method's messages. Mistakes are
 * reported, all of them; a rule with a mistake yields no binding.
 */
export function compileRule(method: DescMethod, rule: HttpRule, report: Report): Binding[] {
  const bindings = [compileOne(method, rule, report)];
  for (const additional of rule.additionalBindings) {
    if (additional.additionalBindings.length > 0) {
      report('an additional binding must not have additional_bindings itself');
    }
    bindings.push(compileOne(method, additional, report));
  }
  return bindings.filter((binding) => binding !== undefined);
}

function compileOne(method: DescMethod, rule: HttpRule, report: Report): Binding | undefined {
  const pattern = patternOf(rule);
  if (pattern === undefined) {
    report('the rule has no pattern: set get, put, post, delete, patch or custom');
    return undefined;
  }
  const { httpMethod, path } = pattern;
  let sound = true;
  const complain: Report = (mistake) => {
    sound = false;
    report(`${httpMethod} ${path}: ${mistake}`);
  };
  const { METHODS } = process.getBuiltinModule('node:http');
  if (httpMethod !== '*' && !METHODS.includes(httpMethod)) {
    complain(`custom kind ${JSON.stringify(httpMethod)} is not an HTTP method that Node can serve`);
  }
  const template = parseTemplate(path, complain);
  const variables = template === undefined ? [] : bindVariables(method, template, complain);
  const body = compileBody(method, rule.body, httpMethod, complain);
  if (body !== undefined) oneofMistakes({ variables, body }).forEach(complain);
  const responseField = topLevelField(method, 'output', rule.responseBody, complain);
  if (!sound || template === undefined || body === undefined) return undefined;
  const fullName = `/${method.parent.typeName}/${method.name}`;
  const maskField = httpMethod === 'PATCH' ? maskFieldOf(method, body) : undefined;
  return { method, fullName, httpMethod, template, variables, body, responseField, maskField };
}

/** `update_mask`, as AIP-134 calls it, or else the request's only field mask. */
function maskFieldOf(method: DescMethod, body: BodyRule): DescField | undefined {
  if (body.kind !== 'field' || body.field.fieldKind !== 'message') return undefined;
  const masks = method.input.fields.filter(
    ({ fieldKind, message }) =>
      fieldKind === 'message' && message.typeName === FieldMaskSchema.typeName,
  );
  return masks.find((field) => field.name === 'update_mask') ?? onlyOne(masks);
}

function onlyOne<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined;
}

function patternOf(rule: HttpRule): { httpMethod: string; path: string } | undefined {
  const { pattern } = rule;
  if (pattern.case === undefined) return undefined;
  if (pattern.case === 'custom') {
    return { httpMethod: pattern.value.kind, path: pattern.value.path };
  }
  return { httpMethod: pattern.case.toUpperCase(), path: pattern.value };
}

function parseTemplate(path: string, complain: Report): PathTemplate | undefined {
  try {
    return parsePathTemplate(path);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    complain(error.message);
    return undefined;
  }
}

/** "Each field is a non-repeated field with a primitive (non-message) type" (http.proto). */
function bindVariables(
  method: DescMethod,
  template: PathTemplate,
  complain: Report,
): BoundVariable[] {
  const bound: BoundVariable[] = [];
  for (const variable of template.variables) {
    const name = variable.path.join('.');
    const { fields, problem } = followPath(method.input, variable.path);
    const leaf = fields.at(-1);
    const parse = leaf === undefined ? undefined : textParserOf(leaf);
    if (problem !== undefined) complain(`path variable "${name}": ${problem}`);
    else if (leaf?.fieldKind === 'list' || leaf?.fieldKind === 'map') {
      complain(`path variable "${name}" must not refer to a repeated or map field`);
    } else if (parse === undefined || isEmptyMessage(leaf?.message)) {
      complain(`path variable "${name}" must refer to a primitive field, not a message`);
    } else bound.push({ variable, fields, parse });
  }
  return bound;
}

const BODILESS = new Set(['GET', 'HEAD']);

function compileBody(
  method: DescMethod,
  body: string,
  httpMethod: string,
  complain: Report,
): BodyRule | undefined {
  if (body === '') return { kind: 'none' };
  if (BODILESS.has(httpMethod)) complain(`${httpMethod} has no request body: remove body`);
  if (body === '*') return { kind: 'whole' };
  const field = topLevelField(method, 'input', body, complain);
  return field === undefined ? undefined : { kind: 'field', field };
}

/** "The referred field must be present at the top-level" of the message (http.proto). */
function topLevelField(
  method: DescMethod,
  side: 'input' | 'output',
  name: string,
  complain: Report,
): DescField | undefined {
  if (name === '') return undefined;
  const option = side === 'input' ? 'body' : 'response_body';
  const desc = method[side];
  const field = desc.fields.find((candidate) => candidate.name === name);
  if (field === undefined) {
    complain(`${option} ${JSON.stringify(name)}: ${desc.typeName} has no such top-level field`);
  }
  return field;
}
