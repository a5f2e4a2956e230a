import { missingField } from '@apix/proto/core';
import type { Message } from '@bufbuild/protobuf';
import { badRequest } from '../errors.js';
import type { Binding } from '../rules/binding.js';
import { bodyError } from './body.js';

const PROBLEM = 'the required field is not set';

/**
 * Refuses a request message that lacks a required field, after all parts of the request had their say.
 *
 * @throws HttpRefusal that names the place of the field.
 */
export function assertRequired({ method, body }: Binding, form: boolean, message: Message): void {
  const place = missingField(method.input, message);
  if (place === undefined) return;
  if (body.kind === 'whole' && !form) throw bodyError(place, PROBLEM);
  throw badRequest(`${place}: ${PROBLEM}`, place.replace(/^\$\.?/, ''));
}
