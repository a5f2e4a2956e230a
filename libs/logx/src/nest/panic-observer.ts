import {
  FAILURE_OBSERVER,
  type Failure,
  type FailureObserver,
  stagedCallOf,
} from '@apix/contracts';
import { loggerInContext } from '../context/logger-context.js';
import { unitInContext } from '../context/work.js';
import type { Logger } from '../logger/logger.js';
import { writePanic } from '../request/panic.js';
import {
  recordInContext,
  requestRecordOf,
  recordOfCall,
  type RequestRecord,
} from '../request/request-record.js';
import { MessageRecord } from './message-record.js';

/**
 * The spec's Recover: called by the exception filter, it writes the event of an unexpected failure that no
 * filter of the app answers. All others are left to the event of the request.
 */
export class PanicObserver implements FailureObserver {
  readonly [FAILURE_OBSERVER] = true as const;

  constructor(private readonly root: Logger) {}

  onFailure({ error, expected, handled = false, carrier, door }: Failure): true | void {
    const record = carrier === undefined ? messageInContext(door) : recordAt(door, carrier);
    const failure = record?.fail(error);
    if (failure?.reported === true) return true;
    // An error that the app has a filter for may not be a failure: the status of its answer decides.
    if (expected || handled) return carrier === undefined ? undefined : true;
    // Why: docs/decisions/0256
    if (failure !== undefined && record?.isProbe === true && record.isLogged) {
      failure.isPanic = true;
      return true;
    }
    if (failure !== undefined) failure.reported = true;
    (record ?? unitInContext())?.flushBuffer();
    writePanic(record?.logger ?? loggerInContext() ?? this.root, error);
    return true;
  }
}

function messageInContext(door: Failure['door']): RequestRecord | undefined {
  const record = door === 'rpc' ? recordInContext() : undefined;
  return record instanceof MessageRecord ? record : undefined;
}

function recordAt(door: Failure['door'], carrier: object): RequestRecord | undefined {
  return door === 'http' ? requestRecordOf(carrier) : recordOfCall(stagedCallOf(carrier));
}
