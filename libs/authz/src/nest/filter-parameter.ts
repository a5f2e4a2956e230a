import type { ExecutionContext } from '@nestjs/common';
import type { ListFilter } from '../cel/filter/list-filter.js';
import { admissionIn } from './admissions.js';

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
