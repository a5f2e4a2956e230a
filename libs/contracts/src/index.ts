export { Code, codeName, isCode, codeOfHttpStatus, httpStatusOf } from './code.js';
export { StatusError, isStatusError } from './status-error.js';
export { formatDuration, parseDuration } from './duration.js';
export { deadlineAfter, systemClock } from './clock.js';
export { Mistakes, OptionsError } from './mistakes.js';
export { JsonError } from './json-document.js';
export { shownValue, thrownText } from './shown-value.js';
export type { Duration } from './duration.js';
export type { Deadline, DisposableDeadline, Clock } from './clock.js';
export type { StatusDetail, StatusErrorOptions } from './status-error.js';

export { onAbort, pause } from './abort.js';
export { endResponse, writePart } from './end-response.js';
export type { AnyResponse } from './end-response.js';
export { ACCESS_SOURCE, AccessSource } from './seams/access-source.js';
export { CALL_STAGE, CallStage, stagedCallOf } from './seams/call-stage.js';
export { CLOSE_LAST, CloseLast } from './seams/close-last.js';
export { FAILURE_OBSERVER, FailureObserver } from './seams/failure-observer.js';
export { HEALTH_SOURCE, HealthSource } from './seams/health-source.js';
export {
  INFRASTRUCTURE_ENDPOINT,
  InfrastructureEndpoint,
  markInfrastructureRequest,
  noteInfrastructurePath,
} from './seams/infrastructure-endpoint.js';
export { IN_PROCESS_SERVER } from './seams/in-process.js';
export { JOB_SOURCE, JobSource } from './seams/job-source.js';
export { LOG_SOURCE, LogSource } from './seams/log-source.js';
export { redactMessage } from './seams/message-redaction.js';
export { METRIC_SOURCE, MetricSource } from './seams/metric-source.js';
export { OUTGOING_STAGE } from './seams/outgoing-stage.js';
export { POLICY_REPORT, PolicyReport } from './seams/policy-report.js';
export type {
  ReportedDecision,
  ReportedExplanation,
  ReportedField,
  ReportedMethod,
  SupposedCaller,
} from './seams/policy-report.js';
export { POLICY_SOURCE, PolicySource } from './seams/policy-source.js';
export { ownProcessMark } from './seams/process-mark.js';
export { RELOADABLE, Reloadable } from './seams/reloadable.js';
export { SERVED_REQUESTS, ServedRequests } from './seams/served-requests.js';
export { TEMPLATE_LOG, TemplateLog } from './seams/template-log.js';
export { activeTrace } from './seams/trace-ids.js';
export { TRACE_SOURCE, TraceSource } from './seams/trace-source.js';
export { WORK_SCOPE, WorkScope } from './seams/work-scope.js';
export type { CallerAccess, MethodAccess } from './seams/access-source.js';
export type { CallUnderWay } from './seams/call-under-way.js';
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
export type { HealthAnswer, IndicatorResult, HealthCheck } from './seams/health-source.js';
export type { JobOutcome, JobPhase, JobState } from './seams/job-source.js';
export type { LogFollower, LogRecord, LogRecordLevel, TimedLogLevel } from './seams/log-source.js';
export type { MetricReading } from './seams/metric-source.js';
export type {
  BoundOutgoingStage,
  OutboundCall,
  OutgoingMetadata,
  OutgoingStage,
} from './seams/outgoing-stage.js';
export type { ConditionView, PolicyView, RuleView } from './seams/policy-source.js';
export type { RequestFollower, ServedOutcome } from './seams/served-requests.js';
export type { TemplateLogger } from './seams/template-log.js';
export type { TraceIds } from './seams/trace-ids.js';
export type {
  RecentSpan,
  RecentSpanKind,
  RecentTrace,
  RecentTraceSpans,
} from './seams/trace-source.js';
export type { WorkKind, WorkOrigin } from './seams/work-scope.js';
