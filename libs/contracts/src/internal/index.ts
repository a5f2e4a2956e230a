export { hasMark, markClass } from '../brand.js';
export { MAX_TIMER_MS } from '../clock.js';
export { drawChance } from '../draw-chance.js';
export { sendResponse } from '../end-response.js';
export { ENVIRONMENT_VARIABLE, environmentName } from '../environment-name.js';
export { findCycle } from '../graph.js';
export { headerValues } from '../header-values.js';
export { readJsonText } from '../json-document.js';
export { isPlainObject, isPromiseLike, isReadableError } from '../kind-of-value.js';
export { isTemplateFirst, surplusArguments } from '../log-arguments.js';
export { isLoopback } from '../loopback.js';
export { nearestName } from '../nearest-name.js';
export {
  anyValue,
  arrayOf,
  callable,
  choice,
  CLOCK,
  duration,
  DURATION,
  finiteNumber,
  FLAG,
  foreignObject,
  HEADER_VALUE,
  limit,
  objectWith,
  orFalse,
  recordOf,
  shaped,
  STRING,
  TEXT,
  wholeNumber,
} from '../options/option-kinds.js';
export {
  checkedOptions,
  filledSection,
  readOptions,
  refuseUnknown,
  schemaOf,
  schemasOf,
  section,
} from '../options/option-table.js';
export type { AnyTable, OptionTable, ReadOptions } from '../options/option-table.js';
export {
  isRecord,
  option,
  optionPath,
  parsedOption,
  required,
  textInPath,
  withDefault,
} from '../options/option.js';
export type { FilledOption, Option } from '../options/option.js';
export { acceptedRequestId, givenRequestId, giveRequestId, requestIdOf } from '../request-id.js';
export { authorityOf, normalisedPath, readTarget, targetOf } from '../request-target.js';
export { beginWork, isAwaitedByWork, workUnderWay } from '../seams/awaited-work.js';
export { FORWARDED_KEY } from '../seams/call-context.js';
export { STAGED_CALL } from '../seams/call-stage.js';
export { followCalls, isFollowingCalls, runInCall } from '../seams/call-under-way.js';
export { healthChecksOf } from '../seams/health-checks-of.js';
export type { CallersContext } from '../seams/in-process.js';
export { messageReplacer, offerMessageRedaction } from '../seams/message-redaction.js';
export { isLeadingProcess, leadWhile } from '../seams/process-mark.js';
export { noteHandler, reachedHandler } from '../seams/reached-handler.js';
export type { ReachedHandler } from '../seams/reached-handler.js';
export { notedRequestError, noteRequestError } from '../seams/request-error.js';
export { runHealthCheck } from '../seams/run-health-check.js';
export { offerRequestWatch } from '../seams/sent-request.js';
export type { RequestWatch } from '../seams/sent-request.js';
export { sourceName } from '../seams/source-name.js';
export { offerActiveTrace } from '../seams/trace-ids.js';
export type { ActiveTrace } from '../seams/trace-ids.js';
export { runInScopes } from '../seams/work-scope.js';
export { cutText } from '../shown-value.js';
export { yamlFaultText } from '../yaml-fault.js';
