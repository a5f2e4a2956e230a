export { Code, codeName, isCode } from './code.js';
export { StatusError, isStatusError } from './status-error.js';
export { codeOfHttpStatus, httpStatusOf } from './http-status.js';
export { formatDuration, parseDuration } from './duration.js';
export { deadlineAfter } from './deadline.js';
export { Mistakes, OptionsError, mistakesText } from './mistakes.js';
export { JsonError } from './json-document.js';
export { shownValue } from './shown-value.js';
export { thrownError, thrownText } from './thrown-text.js';
export type { Bounds } from './mistakes.js';
export type { Duration } from './duration.js';
export type { Deadline, DisposableDeadline } from './deadline.js';
export type { StatusDetail, StatusErrorOptions } from './status-error.js';

export { systemClock } from './clock.js';
export { reachable, reaches } from './graph.js';
export type { NextNodes } from './graph.js';
export { isAbortOf, linkAbort, onAbort, orAborted, pause, untilAborted } from './abort.js';
export type { LinkedAbort } from './abort.js';
export { endResponse, writePart } from './end-response.js';
export { LINGER_BYTES, LINGER_MS, dropRest, leaveRequest } from './leave-request.js';
export type { AnyResponse } from './leave-request.js';
export { onceForText, TextCache } from './text-cache.js';
export type { TextCacheLimits } from './text-cache.js';
export { headerList } from './header-list.js';
export type { HeaderListForm } from './header-list.js';
export { isKnownEtag } from './known-etag.js';
export { codingQuality, refusesType, typePreference } from './accepted.js';
export type { Preference } from './accepted.js';
export { replaceOn } from './replace-on.js';
export { ACCESS_SOURCE, AccessSource } from './seams/access-source.js';
export { CALL_STAGE, CallStage, isCallStage, stagedCallOf } from './seams/call-stage.js';
export { callUnderWay } from './seams/call-under-way.js';
export type { CallUnderWay } from './seams/call-under-way.js';
export { CLOSE_LAST, CloseLast } from './seams/close-last.js';
export { FAILURE_OBSERVER, FailureObserver } from './seams/failure-observer.js';
export { HEALTH_SOURCE, HealthSource } from './seams/health-source.js';
export {
  INFRASTRUCTURE_ENDPOINT,
  InfrastructureEndpoint,
  markInfrastructureRequest,
} from './seams/infrastructure-endpoint.js';
export { isInfrastructurePath, noteInfrastructurePath } from './seams/infrastructure-paths.js';
export { IN_PROCESS_SERVER } from './seams/in-process.js';
export { JOB_SOURCE, JobSource } from './seams/job-source.js';
export { LOG_SOURCE, LogSource } from './seams/log-source.js';
export { REDACTED, redactMessage } from './seams/message-redaction.js';
export { METHOD_SAMPLES, MethodSamples } from './seams/method-samples.js';
export { METRIC_SOURCE, MetricSource } from './seams/metric-source.js';
export { OUTGOING_STAGE } from './seams/outgoing-stage.js';
export { POLICY_REPORT, PolicyReport } from './seams/policy-report.js';
export { POLICY_SOURCE, PolicySource } from './seams/policy-source.js';
export {
  becomeProcessParent,
  isProcessParent,
  markedEnvironment,
  ownProcessMark,
} from './seams/process-mark.js';
export { RELOADABLE, Reloadable } from './seams/reloadable.js';
export { SERVED_REQUESTS, ServedRequests } from './seams/served-requests.js';
export { sendWatched } from './seams/sent-request.js';
export { STAGED_PART, stagedPartOf } from './seams/staged-part.js';
export { TEMPLATE_LOG, TemplateLog } from './seams/template-log.js';
export { activeTrace } from './seams/trace-ids.js';
export { TRACE_SOURCE, TraceSource } from './seams/trace-source.js';
export { UPGRADE_OBSERVER } from './seams/upgrade-observer.js';
export { WORK_SCOPE, WorkScope } from './seams/work-scope.js';
export type { Clock } from './clock.js';
export type { CallerAccess, MethodAccess } from './seams/access-source.js';
export type {
  CallContext,
  CallDoor,
  CallMetadata,
  CallMethod,
  CallPeer,
  MethodKind,
  PeerCertificate,
} from './seams/call-context.js';
export type { BoundCallStage, CallOutcome, StagedCall } from './seams/call-stage.js';
export type { ProcessMark } from './seams/process-mark.js';
export type { Failure } from './seams/failure-observer.js';
export type { HealthAnswer, IndicatorResult } from './seams/health-answer.js';
export type { HealthCheck } from './seams/health-source.js';
export type { JobOutcome, JobPhase, JobState } from './seams/job-source.js';
export type { LogFollower, LogRecord, LogRecordLevel, TimedLogLevel } from './seams/log-source.js';
export type { MessageRedaction } from './seams/message-redaction.js';
export type { SampleCall, SampledMethod } from './seams/method-samples.js';
export type { MetricReading } from './seams/metric-source.js';
export type {
  BoundOutgoingStage,
  OutboundCall,
  OutgoingMetadata,
  OutgoingStage,
} from './seams/outgoing-stage.js';
export type {
  ReportedDecision,
  ReportedExplanation,
  ReportedField,
  ReportedMethod,
  SupposedCaller,
} from './seams/policy-report.js';
export type { ConditionView, PolicyView, RuleView } from './seams/policy-source.js';
export type { RequestFollower, ServedOutcome } from './seams/served-requests.js';
export type { SentRequest } from './seams/sent-request.js';
export type { HandlerOfCall, StagedPart } from './seams/staged-part.js';
export type { TemplateLogger } from './seams/template-log.js';
export type { TraceIds } from './seams/trace-ids.js';
export type {
  RecentSpan,
  RecentSpanKind,
  RecentTrace,
  RecentTraceSpans,
} from './seams/trace-source.js';
export type { WorkKind, WorkOrigin } from './seams/work-scope.js';
