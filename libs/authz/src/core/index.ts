export { Authorizer } from '../decide/authorizer.js';
export { authzStage, currentFilter } from '../decide/authz-stage.js';
export { AuthzReport } from '../report/authz-report.js';
export type { WordedRoute } from '../report/worded-routes.js';
export { certificateSubject } from '../subject/certificate-subject.js';
export { firstSubject } from '../subject/first-subject.js';
export { prepareSubject } from '../subject/checked-subject.js';
export type { Subject, SubjectFunc } from '../subject/subject.js';
export type { AuthorizerOptions } from '../decide/authorizer-options.js';
export type { Decision, DecisionObserver, AllowReason, DenyReason } from '../decide/decision.js';
export type {
  Admission,
  BegunCall,
  Explanation,
  GivenRecord,
  ListFinding,
} from '../decide/admission.js';
export type { ConditionFinding } from '../conditions/condition-findings.js';
export type { ConditionLanguage } from '../conditions/condition-language.js';
export type { ListFilter } from '../cel/filter/list-filter.js';
export type { LoadContext, ResourceLoad } from '../conditions/resource-load.js';
export type {
  CertificateIdSource,
  CertificateSubjectOptions,
} from '../subject/certificate-subject.js';

export { PolicyError } from '../errors.js';
export { describeFinding } from '../policy/explain.js';
export {
  default_requires,
  definitions,
  lists,
  requires,
  resource,
} from '../gen/apix/authz/authz_pb.js';
export type { RuleFinding } from '../policy/explain.js';
export type { Requirement, RequirementInput, Rule, RuleInput } from '../policy/requirement.js';
