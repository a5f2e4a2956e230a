import { isInfrastructure, rawRequestOf } from '@apix/calls/nest';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { recordOf } from '../request/request-record.js';
import { routeLevelOf } from './request-log.decorator.js';

/**
 * Lets every request pass and notes what its handler says about logging. A guard, for it is the first
 * thing of Nest that knows the handler, and sees requests that other guards deny.
 */
export class HandlerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = rawRequestOf(context);
    const record = request && recordOf(request);
    if (record === undefined) return true;
    record.isProbe = isInfrastructure(context);
    record.routeLevel = routeLevelOf(context);
    record.takeContextFields();
    return true;
  }
}
