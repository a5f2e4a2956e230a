import type { Message } from '@bufbuild/protobuf';
import { verdictOf } from '../policy/compile-requirement.js';
import { failedTexts, findings, type RuleFinding } from '../policy/explain.js';
import { callerValues } from '../conditions/check-conditions.js';
import { describeParts, partValues } from '../conditions/condition-findings.js';
import type { Subject } from '../subject/subject.js';
import { type FieldVisibility, nameOfField } from './field-visibility.js';

/** Whether a caller sees a field, and why. */
export interface FieldFinding {
  readonly field: string;
  /** Undefined: a condition decides about each message, and there is none. */
  readonly shown: boolean | undefined;
  readonly findings: readonly RuleFinding[];
  /** The condition; undefined: there is none, or the rules hide the field anyway. */
  readonly condition?: string | undefined;
  /** The values that it reads in each message of an answer, in short. */
  readonly parts: readonly Readonly<Record<string, string>>[];
}

/** What conditions of fields read in addition to the message. */
export function factsOf(subject: Subject, method: string, now: number): Record<string, unknown> {
  return { ...callerValues(subject, method), now: new Date(now) };
}

/** @param messages those of an answer that have the field. */
export function fieldFinding(
  { field, requirement, evaluate, condition, parts }: FieldVisibility,
  caller: { readonly subject: Subject | null; readonly method: string; readonly now: number },
  messages: readonly Message[],
): FieldFinding {
  const { subject, method, now } = caller;
  const base = { field: nameOfField(field), parts: [] };
  if (subject === null) return { ...base, shown: false, findings: [] };
  const rules = findings(requirement, subject);
  const passes = verdictOf(evaluate, subject) === undefined;
  if (!passes || condition === undefined) return { ...base, shown: passes, findings: rules };
  const facts = factsOf(subject, method, now);
  const results = messages.map((message) => condition.evaluate({ ...facts, this: message }));
  const anyway = condition.evaluate(facts) === true;
  return {
    ...base,
    findings: rules,
    condition: condition.source,
    shown: anyway || (messages.length === 0 ? undefined : results.every((each) => each === true)),
    parts: messages.map((message) => partValues(parts, { ...facts, this: message })),
  };
}

/** The messages of a type in an answer, at any depth. */
export function messagesOf(typeName: string, answer: unknown): Message[] {
  if (typeof answer !== 'object' || answer === null || ArrayBuffer.isView(answer)) return [];
  const own = (answer as Partial<Message>).$typeName === typeName ? [answer as Message] : [];
  return [...own, ...Object.values(answer).flatMap((each) => messagesOf(typeName, each))];
}

/** A finding in words, such as `field shop.v1.Order.phone: is hidden (roles: has none of "staff")`. */
export function describeField({
  field,
  shown,
  findings: rules,
  condition,
  parts,
}: FieldFinding): string {
  const verdict = shown === undefined ? 'depends on the answer' : shown ? 'is shown' : 'is hidden';
  const conditions = condition === undefined ? [] : [condition];
  const why = [...failedTexts(rules), ...conditions, ...parts.map(describeParts)];
  return `field ${field}: ${verdict}${why.length === 0 ? '' : ` (${why.join('; ')})`}`;
}
