import {
  CALL_STAGE,
  type CallStage,
  Code,
  Mistakes,
  StatusError,
  thrownText,
} from '@apix/contracts';
import { FLAG, type OptionTable, readOptions, withDefault } from '@apix/contracts/internal';
import { type ProtoRegistry } from '@apix/proto/core';
import { mayHoldRedacted } from '@apix/proto/internal';
import {
  type DescMessage,
  type Message,
  type Registry,
  create,
  hasOption,
  isMessage,
} from '@bufbuild/protobuf';
import type { Validator } from '@bufbuild/protovalidate';
import { setupError } from '@apix/grpc-client/internal';
import {
  createValidator,
  fieldRules,
  messageRules,
  oneofRules,
} from '../npm-install/@bufbuild/protovalidate.js';
import { sampleMessages } from './sample-messages.js';
import { withoutDoubtful } from './doubtful-values.js';
import { unevaluableError, violationError } from './violations.js';

/** The options of {@link validationStage}. */
export interface ValidationStageOptions {
  /** Stop at the first violation of a message instead of reporting all of them. Default: false. */
  readonly failFast?: boolean;
}

const VALIDATION_STAGE_OPTIONS = {
  failFast: withDefault(FLAG, false),
} satisfies OptionTable<ValidationStageOptions>;

/**
 * A call stage that holds every request message against its `buf.validate` rules, those of a
 * stream one by one, after authorization and before the handler.
 *
 * All rules are compiled and tried out here, so that the first call is as fast as any other.
 *
 * @throws GrpcSetupError that lists every rule that cannot work: one that does not compile, and
 * one that fails on a message that any caller could send, such as the empty one.
 */
export function validationStage(
  protos: ProtoRegistry,
  options: ValidationStageOptions = {},
): CallStage {
  const mistakes = new Mistakes();
  const { failFast } = readOptions(VALIDATION_STAGE_OPTIONS, options, '', mistakes);
  const { registry } = protos;
  const validator = createValidator({ registry, failFast });
  const rules: RuleCheck = { registry, validator };
  const inputs = new Set(Array.from(protos.methods.values(), ({ input }) => input));
  for (const desc of reachableMessages(inputs)) tryOut(validator, desc, mistakes);
  mistakes.throwIfAny(setupError);
  return {
    [CALL_STAGE]: true,
    name: 'validation',
    bind({ fullName }) {
      const input = protos.method(fullName)?.input;
      if (input === undefined || ![...reachableMessages([input])].some(hasRules)) return null;
      return { onMessage: (_, message) => validate(rules, input, message) };
    },
  };
}

interface RuleCheck {
  readonly registry: Registry;
  readonly validator: Validator;
}

function validate(rules: RuleCheck, desc: DescMessage, received: unknown): void {
  const message = messageFrom(desc, received);
  const result = rules.validator.validate(desc, message);
  switch (result.kind) {
    case 'valid':
      return;
    case 'invalid':
      throw violationError(result.violations, desc);
    case 'error':
      throw failedRule(rules, desc, message, shownError(desc, result.error));
  }
}

/** CEL's errors may repeat values. */
function shownError(desc: DescMessage, error: Error): Error {
  if (!mayHoldRedacted(desc)) return error;
  return new Error(
    `grpc: a rule of ${desc.typeName} failed with an error, which is not shown because of debug_redact or visible`,
  );
}

/** The caller's mistake, if the rules can be evaluated without what only a caller can know; else ours. */
function failedRule(
  { validator, registry }: RuleCheck,
  desc: DescMessage,
  message: Message,
  cause: Error,
): Error {
  // Why: docs/decisions/0152
  for (const { rest, paths } of withoutDoubtful(desc, message, registry)) {
    if (validator.validate(desc, rest).kind !== 'error') return unevaluableError(paths, cause);
  }
  return new StatusError(Code.INTERNAL, 'internal error', { cause });
}

/** Calls from the network bring messages; a caller in this process may pass a plain object. */
function messageFrom(desc: DescMessage, received: unknown): Message {
  return isMessage(received, desc)
    ? received
    : create(desc, received as Readonly<Record<string, unknown>>);
}

function tryOut(validator: Validator, desc: DescMessage, mistakes: Mistakes): void {
  if (!hasRules(desc)) return;
  // Why: docs/decisions/0152
  for (const sample of sampleMessages(desc)) {
    const { error, kind } = validator.validate(desc, sample);
    if (kind !== 'error') continue;
    mistakes.add(`validation: rules of ${desc.typeName}`, thrownText(error));
    return;
  }
}

function hasRules(desc: DescMessage): boolean {
  return (
    hasOption(desc, messageRules) ||
    desc.fields.some((field) => hasOption(field, fieldRules)) ||
    desc.oneofs.some((oneof) => hasOption(oneof, oneofRules))
  );
}

/** The given types and every type that their messages can contain, each once. */
function reachableMessages(roots: Iterable<DescMessage>): ReadonlySet<DescMessage> {
  const found = new Set(roots);
  for (const desc of found) {
    for (const field of desc.fields) {
      if (field.message !== undefined) found.add(field.message);
    }
  }
  return found;
}
