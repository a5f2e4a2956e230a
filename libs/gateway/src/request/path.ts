import type { Message } from '@bufbuild/protobuf';
import { badRequest, quotedInput } from '../errors.js';
import type { Binding } from '../rules/binding.js';
import { captureVariables } from '../template/capture.js';
import { assignField, openMessage } from './assign.js';

/**
 * Sets the fields that the path binds; they take precedence over the body.
 *
 * @param segments the raw path segments that the route table matched.
 * @throws HttpRefusal that names the variable.
 */
export function applyPath(binding: Binding, segments: readonly string[], message: Message): void {
  const texts = capture(binding, segments);
  binding.variables.forEach(({ fields, parse }, index) => {
    const text = texts[index] ?? '';
    let parent = message;
    for (const field of fields.slice(0, -1)) parent = openMessage(parent, field);
    const leaf = fields.at(-1);
    if (leaf === undefined) return;
    try {
      assignField(parent, leaf, parse(text));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const path = fields.map((field) => field.name).join('.');
      throw badRequest(
        `path variable "${path}" has the value ${quotedInput(text)}, which is ${error.message}`,
        path,
        error,
      );
    }
  });
}

function capture(binding: Binding, segments: readonly string[]): string[] {
  try {
    return captureVariables(binding.template, segments);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    const reason = error.message.startsWith('the segment') ? error.message : 'malformed escape';
    throw badRequest(`path ${quotedInput(`/${segments.join('/')}`)}: ${reason}`, '', error);
  }
}
