export { isAbortOf, linkAbort, orAborted, untilAborted } from '../abort.js';
export type { LinkedAbort } from '../abort.js';
export {
  codingQuality,
  refusesType,
  typePreference,
  headerList,
  headerValues,
  isKnownEtag,
} from '../request-headers.js';
export type { Preference, HeaderListForm } from '../request-headers.js';
export { hasMark, markClass } from '../brand.js';
export { MAX_TIMER_MS } from '../clock.js';
export { drawChance } from '../draw-chance.js';
export { sendResponse, LINGER_BYTES, LINGER_MS, dropRest, leaveRequest } from '../end-response.js';
export { ENVIRONMENT_VARIABLE, environmentName } from '../environment-name.js';
export { findCycle, reachable, reaches } from '../graph.js';
export type { NextNodes } from '../graph.js';
export { readJsonText } from '../json-document.js';
export { isPlainObject, isPromiseLike, isReadableError } from '../kind-of-value.js';
export { isTemplateFirst, surplusArguments } from '../log-arguments.js';
export { isLoopback } from '../loopback.js';
export { mistakesText } from '../mistakes.js';
export type { Bounds } from '../mistakes.js';
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
export { replaceOn } from '../replace-on.js';
export {
  acceptedRequestId,
  givenRequestId,
  giveRequestId,
  requestIdOf,
  authorityOf,
  normalisedPath,
  readTarget,
  targetOf,
} from '../http-request.js';
export { beginWork, isAwaitedByWork, workUnderWay } from '../seams/awaited-work.js';
export { FORWARDED_KEY } from '../seams/call-context.js';
export { STAGED_CALL, isCallStage } from '../seams/call-stage.js';
export { followCalls, isFollowingCalls, runInCall, callUnderWay } from '../seams/call-under-way.js';
export { healthChecksOf, runHealthCheck } from '../seams/health-source.js';
export type { CallersContext } from '../seams/in-process.js';
export { isInfrastructurePath } from '../seams/infrastructure-endpoint.js';
export { messageReplacer, offerMessageRedaction, REDACTED } from '../seams/message-redaction.js';
export type { MessageRedaction } from '../seams/message-redaction.js';
export { METHOD_SAMPLES, MethodSamples } from '../seams/method-samples.js';
export type { SampleCall, SampledMethod } from '../seams/method-samples.js';
export {
  isLeadingProcess,
  leadWhile,
  becomeProcessParent,
  isProcessParent,
  markedEnvironment,
} from '../seams/process-mark.js';
export {
  noteHandler,
  reachedHandler,
  notedRequestError,
  noteRequestError,
} from '../seams/request-notes.js';
export type { ReachedHandler } from '../seams/request-notes.js';
export { offerRequestWatch, sendWatched } from '../seams/sent-request.js';
export type { RequestWatch, SentRequest } from '../seams/sent-request.js';
export { sourceName } from '../seams/source-name.js';
export { STAGED_PART, stagedPartOf } from '../seams/staged-part.js';
export type { HandlerOfCall, StagedPart } from '../seams/staged-part.js';
export { offerActiveTrace } from '../seams/trace-ids.js';
export type { ActiveTrace } from '../seams/trace-ids.js';
export { UPGRADE_OBSERVER } from '../seams/upgrade-observer.js';
export { runInScopes } from '../seams/work-scope.js';
export { cutText, thrownError } from '../shown-value.js';
export { onceForText, TextCache } from '../text-cache.js';
export type { TextCacheLimits } from '../text-cache.js';
export { yamlFaultText } from '../yaml-fault.js';
