import type { Message } from '@bufbuild/protobuf';
import { badRequest } from '../errors.js';
import type { Binding } from '../rules/binding.js';
import type { RawBody } from './body.js';
import { type ParameterOptions, applyParameters, parseParameters } from './query.js';

/** True for the media type that HTML forms send. */
export function isForm(contentType: string): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType);
}

/**
 * Sets the fields that a form as the body names like query parameters, relative to the body: in the body's
 * field or in the whole message.
 *
 * @throws HttpRefusal that names the form field.
 */
export function applyForm(
  binding: Binding,
  body: RawBody,
  message: Message,
  { unknownFields, maxDepth }: Pick<ParameterOptions, 'unknownFields' | 'maxDepth'>,
): void {
  const options: ParameterOptions = { unknownFields, maxDepth, noun: 'form field' };
  const fields = parseParameters(Buffer.from(body.bytes).toString('latin1'), options.noun);
  if (binding.body.kind === 'field' && binding.body.field.fieldKind !== 'message') {
    throw badRequest(`request body: a form cannot be read as the field ${binding.body.field.name}`);
  }
  const prefix = binding.body.kind === 'field' ? `${binding.body.field.name}.` : '';
  const named = fields.map(([name, value]) => [prefix + name, value] as const);
  // Nothing is bound elsewhere but by the path.
  applyParameters({ ...binding, body: { kind: 'none' } }, named, message, options);
}
