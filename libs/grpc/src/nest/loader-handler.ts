import { thrownText } from '@apix/contracts';
import { fullMethodName } from '@apix/proto/core';
import type { DescMethod, Message } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { isObservable, map, throwError } from 'rxjs';
import type { LoaderForm } from '../loader/loader-options.js';
import { messageFrom } from '../loader/message-from.js';
import { objectOf } from '../loader/object-of.js';
import type { NestHandler } from './prepared-handler.js';
import { settledValues } from './settled-values.js';

/**
 * A handler of one of Nest's decorators, with its guards and pipes, that gets and answers objects as proto-loader
 * has them. What it answers with for nothing (`null`, `undefined`) is left as it is.
 */
// Why: docs/decisions/0543
export function withLoaderObjects(
  handler: NestHandler,
  method: DescMethod,
  form: LoaderForm,
): NestHandler {
  const { input, output } = method;
  const objectFrom = (message: unknown): unknown =>
    objectOf(reflect(input, message as Message), form);
  const answer = (value: unknown): unknown => {
    if (value === undefined || value === null) return value;
    try {
      return messageFrom(output, value, form);
    } catch (error) {
      const path = fullMethodName(method);
      const what = `grpc: what the handler of ${path} returned cannot be sent`;
      throw new Error(`${what}: ${thrownText(error)}`, { cause: error });
    }
  };
  return async (request, ...others) => {
    const given = isObservable(request) ? request.pipe(map(objectFrom)) : objectFrom(request);
    const value = await handler(given, ...others);
    if (isObservable(value)) return settledValues(value).pipe(map(answer));
    try {
      return answer(value);
    } catch (error) {
      // Nest does not catch the rejection of a handler.
      return throwError(() => error);
    }
  };
}
