import { type HandlerReached, type RouteHandler, rawRequestOf } from '@apix/calls/nest';
import { requestRecordOf } from '../request/request-record.js';
import { routeLogOf } from './request-log.decorator.js';

/** Records on each request the options of its handler for logging, also if guards deny it. */
export function noteRequestLog({
  controller,
  method,
  isInfrastructure,
}: RouteHandler): HandlerReached {
  const { level, sample } = routeLogOf(method, controller);
  return (request) => {
    const record = requestRecordOf(rawRequestOf(request));
    if (record === undefined) return;
    record.isProbe = isInfrastructure;
    record.routeLevel = level;
    record.routeSample = sample;
    record.takeContextFields();
  };
}
