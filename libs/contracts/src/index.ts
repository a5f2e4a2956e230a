export { Code, codeName, isCode } from './code.js';
export { StatusError, isStatusError } from './status-error.js';
export { codeOfHttpStatus, httpStatusOf } from './http-status.js';
export { encodeBadRequest } from './bad-request.js';
export { PROBLEM_MEDIA_TYPE, problemOf } from './problem.js';
export { formatDuration, parseDuration } from './duration.js';
export { deadlineAfter } from './deadline.js';
export type { Duration } from './duration.js';
export type { Deadline, DisposableDeadline } from './deadline.js';
export type { FieldViolation } from './bad-request.js';
export type { Problem, ProblemError, ProblemOptions } from './problem.js';
export type { StatusDetail, StatusErrorOptions } from './status-error.js';

export { carriedStatus, isGrpcClientError } from './carried-status.js';
export { generalText, isServerStatus } from './server-status.js';
export { decodeStatusDetails } from './decode-status.js';
export { MAX_TIMER_MS, systemClock } from './clock.js';
export { hasMark } from './brand.js';
export { cutText } from './cut-text.js';
export { FORWARDED_KEY } from './seams/call-context.js';
export { peerCertificate } from './peer-certificate.js';
export {
  CALL_STAGE,
  CALL_STAGE_ORDER,
  isCallStage,
  STAGED_CALL,
  stagedCallOf,
} from './seams/call-stage.js';
export { CLOSE_LAST } from './seams/close-last.js';
export { FAILURE_OBSERVER } from './seams/failure-observer.js';
export { HEALTH_SOURCE } from './seams/health-source.js';
export {
  INFRASTRUCTURE_ENDPOINT,
  InfrastructureEndpoint,
  markInfrastructureRequest,
} from './seams/infrastructure-endpoint.js';
export { CALLERS_CONTEXT, IN_PROCESS_SERVER } from './seams/in-process.js';
export { JOB_SOURCE } from './seams/job-source.js';
export { METRIC_SOURCE } from './seams/metric-source.js';
export { POLICY_SOURCE } from './seams/policy-source.js';
export { RELOADABLE } from './seams/reloadable.js';
export { UPGRADE_OBSERVER } from './seams/upgrade-observer.js';
export { WORK_SCOPE, runInScopes } from './seams/work-scope.js';
export type { CarriedStatus, ServiceErrorLike } from './carried-status.js';
export type { EndedCall, ReceivedMetadata } from './server-status.js';
export type { Clock } from './clock.js';
export type {
  CallContext,
  CallDoor,
  CallMetadata,
  CallMethod,
  CallPeer,
  MethodKind,
  PeerCertificate,
} from './seams/call-context.js';
export type {
  BoundCallStage,
  CallOutcome,
  CallStage,
  CallStageName,
  StagedCall,
} from './seams/call-stage.js';
export type { CloseLast } from './seams/close-last.js';
export type { Failure, FailureObserver } from './seams/failure-observer.js';
export type { HealthCheck, HealthSource } from './seams/health-source.js';
export type {
  CallersContext,
  InProcessClientOptions,
  InProcessServer,
} from './seams/in-process.js';
export type { JobOutcome, JobPhase, JobSource, JobState } from './seams/job-source.js';
export type { MetricReading, MetricSource } from './seams/metric-source.js';
export type { PolicySource, PolicyView, RuleView } from './seams/policy-source.js';
export type { Reloadable } from './seams/reloadable.js';
export type { WorkKind, WorkScope } from './seams/work-scope.js';
