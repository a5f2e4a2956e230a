import 'reflect-metadata';
import type { ExecutionContext } from '@nestjs/common';
import type { ListFilter } from '../cel/filter/list-filter.js';
import { admissionIn } from './admissions.js';
import type { ControllerClass } from './policy-metadata.js';

/** Under which Nest keeps the decorators of a handler's parameters. */
const PARAMETERS = '__routeArguments__';

/** What `@CurrentFilter()` injects; throws where there is no filter, which ends the call. */
export function injectedFilter(_: unknown, context: ExecutionContext): ListFilter {
  const filter = admissionIn(context)?.filter;
  if (filter === undefined) {
    throw new Error(
      'authz: @CurrentFilter() is for handlers of RPCs with the option (apix.authz.lists), called through @apix/grpc',
    );
  }
  return filter;
}

/** Whether a method of a controller has a parameter with `@CurrentFilter()`. */
export function hasFilterParameter(controller: ControllerClass, key: string): boolean {
  const parameters: unknown = Reflect.getMetadata(PARAMETERS, controller, key);
  return Object.values(Object(parameters) as object).some(
    (parameter: unknown) =>
      typeof parameter === 'object' &&
      parameter !== null &&
      'factory' in parameter &&
      parameter.factory === injectedFilter,
  );
}
