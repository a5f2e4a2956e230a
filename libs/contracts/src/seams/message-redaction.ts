/** The text in place of a value that must not be shown, as protobuf's own libraries have it. */
export const REDACTED = '[REDACTED]';

/**
 * Returns an object as it may be shown: itself, or a shallow copy without the values that its type hides.
 * Its members are objects that the caller passes on in turn.
 */
export type MessageRedaction = (value: object) => object;

interface Shared {
  redact: MessageRedaction | undefined;
}

/** On the global object, so that all installed copies share it. */
const REDACTION = Symbol.for('apix.MessageRedaction');
const shared: Shared = ((globalThis as { [REDACTION]?: Shared })[REDACTION] ??= {
  redact: undefined,
});

/**
 * Called by what knows the types of messages, once it knows a field with `debug_redact`. Redactions that were
 * offered before still apply.
 */
export function offerMessageRedaction(redact: MessageRedaction): void {
  const { redact: before } = shared;
  shared.redact = before === undefined ? redact : (value) => redact(before(value));
}

/**
 * Called by whatever turns values into text for people: logs, error texts, pages. Costs nothing until a
 * redaction is offered. Throws what an object that cannot be read throws.
 */
export function redactMessage(value: object): object {
  return shared.redact === undefined ? value : shared.redact(value);
}

/** The replacer for a `JSON.stringify` whose output is for people; undefined until a redaction is offered. */
export function messageReplacer(): ((key: string, value: unknown) => unknown) | undefined {
  return shared.redact === undefined ? undefined : redactedMember;
}

function redactedMember(_: string, value: unknown): unknown {
  return typeof value === 'object' && value !== null ? redactMessage(value) : value;
}
